import { Signature } from '@firn/bls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as BloomFilter from './BloomFilter.ts'
import type { P2pErrorCode } from './P2pError.ts'
import { createPeerServer, type PeerServer } from './PeerServer.ts'
import { createManualTimers } from './Timers.ts'
import {
  type Address,
  bls,
  blsKey,
  blsPublicKey,
  blsSign,
  cheapIdentity,
  connectRaw,
  type HandshakeInit,
  handshake,
  INFINITY,
  NETWORK_ID,
  type Raw,
} from './testing/raw.ts'

const timers = createManualTimers()
const NOW = BigInt(timers.now() / 1_000)
const ACP = 194
const validator = cheapIdentity()
const codes = new Map<string, P2pErrorCode>()
let server: PeerServer

beforeAll(async () => {
  server = await createPeerServer({
    networkId: NETWORK_ID,
    identity: cheapIdentity(),
    timers,
    bls,
    currentAcps: [ACP],
    validatorKey: (nodeId) => (Buffer.compare(nodeId, validator.nodeId) === 0 ? blsPublicKey : null),
    onAppRequest: (_peer, request, reply) => reply.response(request.bytes),
    onClose: (peer, reason) => codes.set(Buffer.from(peer.nodeId).toString('hex'), reason.code),
  })
})
afterAll(() => server.close())

type Init = HandshakeInit & object

interface Row {
  readonly name: string
  readonly address?: Address
  readonly change?: (init: Init) => Partial<Init>
  readonly as?: 'validator'
  /**
   * Code of the error that ends the connection; absent if the connection stays open and requests are
   * answered.
   */
  readonly code?: P2pErrorCode
}

const version = (major: number, minor: number, patch: number) => ({
  client: { name: '', major, minor, patch },
})
const known = (filter: Uint8Array, salt = new Uint8Array(0)) => ({ knownPeers: { filter, salt } })
const filterOf = (hashes: number) =>
  Uint8Array.from({ length: 1 + 8 * hashes + 1 }, (_, i) => (i === 0 ? hashes : 0))
const id = (length = 32) => new Uint8Array(length).fill(5)
const ofAddress = (raw: Init) =>
  Buffer.concat([new Uint8Array(10), Buffer.from('ffff', 'hex'), raw.ipAddr as Uint8Array])
const mapped = Buffer.concat([new Uint8Array(10), Buffer.from('ffff01020304', 'hex')])

const rows: readonly Row[] = [
  { name: 'the values that nodes send' },
  { name: 'another network', change: () => ({ networkId: 1 }), code: 'P2P_NETWORK_ID' },
  { name: 'a clock 60 s ahead', change: () => ({ myTime: NOW + 60n }) },
  { name: 'a clock 60 s behind', change: () => ({ myTime: NOW - 60n }) },
  { name: 'a clock 61 s ahead', change: () => ({ myTime: NOW + 61n }), code: 'P2P_CLOCK' },
  { name: 'a clock 61 s behind', change: () => ({ myTime: NOW - 61n }), code: 'P2P_CLOCK' },
  { name: 'the largest clock value', change: () => ({ myTime: 2n ** 64n - 1n }), code: 'P2P_CLOCK' },
  { name: '16 subnets', change: () => ({ trackedSubnets: Array.from({ length: 16 }, () => id()) }) },
  {
    name: '17 times the same subnet',
    change: () => ({ trackedSubnets: Array.from({ length: 17 }, () => id()) }),
    code: 'P2P_SUBNET_COUNT',
  },
  {
    name: 'a subnet id of 31 bytes',
    change: () => ({ trackedSubnets: [id(), id(31)] }),
    code: 'P2P_SUBNET_ID',
  },
  {
    name: 'a current ACP supported and objected',
    change: () => ({ supportedAcps: [ACP], objectedAcps: [1, ACP] }),
    code: 'P2P_ACP_OVERLAP',
  },
  { name: 'another ACP supported and objected', change: () => ({ supportedAcps: [77], objectedAcps: [77] }) },
  { name: 'no filter', change: () => ({}) },
  { name: 'an empty filter', change: () => known(new Uint8Array(0)), code: 'P2P_FILTER' },
  { name: 'a filter without entries', change: () => known(filterOf(1).subarray(0, 9)), code: 'P2P_FILTER' },
  { name: 'a filter of 0 hashes', change: () => known(filterOf(0)), code: 'P2P_FILTER' },
  { name: 'a filter of 17 hashes', change: () => known(filterOf(17)), code: 'P2P_FILTER' },
  { name: 'a filter of 16 hashes', change: () => known(filterOf(16)) },
  { name: 'the smallest filter', change: () => known(BloomFilter.EMPTY) },
  { name: 'a salt of 32 bytes', change: () => known(BloomFilter.EMPTY, new Uint8Array(32)) },
  {
    name: 'a salt of 33 bytes',
    change: () => known(BloomFilter.EMPTY, new Uint8Array(33)),
    code: 'P2P_SALT',
  },
  { name: 'no address', change: () => ({ ipAddr: new Uint8Array(0) }), code: 'P2P_IP' },
  { name: 'an address of 5 bytes', change: () => ({ ipAddr: new Uint8Array(5) }), code: 'P2P_IP' },
  { name: 'an IPv4 address in 16 bytes', address: { ipAddr: mapped } },
  { name: 'an IPv6 address', address: { ipAddr: new Uint8Array(16).fill(0x20) } },
  {
    name: 'an IPv4 address signed as 4 bytes and sent as 16 bytes',
    change: (init) => ({ ipAddr: ofAddress(init) }),
  },
  { name: 'port 0', address: { ipPort: 0 }, code: 'P2P_PORT' },
  { name: 'port 65536 (0 in 16 bits)', address: { ipPort: 65_536 }, code: 'P2P_PORT' },
  { name: 'port 65537 (1 in 16 bits)', address: { ipPort: 65_537 } },
  { name: 'no upgrade time', change: () => ({ upgradeTime: 0n }) },
  { name: 'an address signed 60 s ahead', address: { timestamp: NOW + 60n } },
  { name: 'an address signed 61 s ahead', address: { timestamp: NOW + 61n }, code: 'P2P_IP_TIMESTAMP' },
  { name: 'an address signed in 1970', address: { timestamp: 0n } },
  { name: 'no TLS signature', change: () => ({ ipNodeIdSig: new Uint8Array(0) }), code: 'P2P_IP_SIGNATURE' },
  { name: 'a garbage TLS signature', change: () => ({ ipNodeIdSig: id(70) }), code: 'P2P_IP_SIGNATURE' },
  { name: 'a TLS signature of another port', change: () => ({ ipPort: 2 }), code: 'P2P_IP_SIGNATURE' },
  { name: 'no BLS signature', change: () => ({ ipBlsSig: new Uint8Array(0) }), code: 'P2P_BLS_SIGNATURE' },
  {
    name: 'a garbage BLS signature',
    change: () => ({ ipBlsSig: id(96).fill(0x9a) }),
    code: 'P2P_BLS_SIGNATURE',
  },
  {
    name: 'a BLS signature of 95 bytes',
    change: () => ({ ipBlsSig: INFINITY.subarray(0, 95) }),
    code: 'P2P_BLS_SIGNATURE',
  },
  { name: 'a BLS signature of another message', change: () => ({ ipBlsSig: blsSign(id()) }) },
  { name: 'no version', change: () => ({ client: {} }), code: 'P2P_VERSION' },
  { name: 'version 1.13.9', change: () => version(1, 13, 9), code: 'P2P_VERSION' },
  { name: 'version 1.14.0 without a name', change: () => version(1, 14, 0) },
  { name: 'version 1.99.0', change: () => version(1, 99, 0) },
  { name: 'version 2.0.0', change: () => version(2, 0, 0), code: 'P2P_VERSION' },
  {
    name: "a BLS signature by the validator's registered key",
    as: 'validator',
    change: (init) => ({ ipBlsSig: blsSign(signedOf(init)) }),
  },
  { name: "infinity as a validator's BLS signature", as: 'validator', code: 'P2P_BLS_SIGNATURE' },
  {
    name: "a validator's BLS signature of another message",
    as: 'validator',
    change: () => ({ ipBlsSig: blsSign(id()) }),
    code: 'P2P_BLS_SIGNATURE',
  },
  {
    name: "a validator's BLS signature with the message ciphersuite",
    as: 'validator',
    change: (init) => ({ ipBlsSig: Signature.encode(Signature.sign(blsKey, signedOf(init))) }),
    code: 'P2P_BLS_SIGNATURE',
  },
]

function signedOf(init: Init): Uint8Array {
  const bytes = Buffer.alloc(26)
  bytes.fill(0xff, 10, 12)
  bytes.set(init.ipAddr as Uint8Array, 12)
  bytes.writeUInt16BE(init.ipPort as number, 16)
  bytes.writeBigUInt64BE(init.ipSigningTime as bigint, 18)
  return bytes
}

async function answersRequests(raw: Raw): Promise<boolean> {
  raw.send({
    case: 'appRequest',
    value: { chainId: id(), requestId: 1, deadline: 10_000_000_000n, appBytes: Uint8Array.of(9) },
  })
  const { appBytes } = await raw.next('appResponse')
  return appBytes[0] === 9
}

async function run(row: Row): Promise<Raw> {
  const raw = await connectRaw(server.address, row.as === 'validator' ? validator : undefined)
  const init = handshake(raw.identity, NOW, row.address)
  await raw.next('handshake')
  raw.send({ case: 'handshake', value: { ...init, ...row.change?.(init) } as Init })
  raw.send({ case: 'peerList', value: {} })
  return raw
}

const codeOfRaw = (raw: Raw): P2pErrorCode | undefined =>
  codes.get(Buffer.from(raw.identity.nodeId).toString('hex'))

describe('Handshake', () => {
  test.each(rows.filter(({ code }) => code === undefined))('accepts a Handshake with $name', async (row) => {
    const raw = await run(row)
    await raw.next('peerList')
    expect(await answersRequests(raw)).toBe(true)
    raw.socket.end()
    await raw.closed
  })
  test.each(rows.filter(({ code }) => code !== undefined))(
    'closes the connection after a Handshake with $name ($code)',
    async (row) => {
      const raw = await run(row)
      expect(await raw.closed).toBe('end')
      expect(codeOfRaw(raw)).toBe(row.code)
      expect(raw.received).toEqual([])
    },
  )
})

test("checks a Handshake's fields in the same order as nodes do", async () => {
  const faults: readonly [Partial<Init>, P2pErrorCode][] = [
    [{ networkId: 1 }, 'P2P_NETWORK_ID'],
    [{ myTime: 0n }, 'P2P_CLOCK'],
    [{ trackedSubnets: Array.from({ length: 17 }, () => id(31)) }, 'P2P_SUBNET_COUNT'],
    [{ trackedSubnets: [id(31)] }, 'P2P_SUBNET_ID'],
    [{ supportedAcps: [ACP], objectedAcps: [ACP] }, 'P2P_ACP_OVERLAP'],
    [known(new Uint8Array(0), new Uint8Array(33)), 'P2P_FILTER'],
    [known(BloomFilter.EMPTY, new Uint8Array(33)), 'P2P_SALT'],
    [{ ipAddr: new Uint8Array(5) }, 'P2P_IP'],
    [{ ipPort: 0 }, 'P2P_PORT'],
    [{ ipSigningTime: NOW + 100n }, 'P2P_IP_TIMESTAMP'],
    [{ ipNodeIdSig: id() }, 'P2P_IP_SIGNATURE'],
    [{ ipBlsSig: id(96) }, 'P2P_BLS_SIGNATURE'],
    [version(0, 0, 0), 'P2P_VERSION'],
  ]
  const seen: (P2pErrorCode | undefined)[] = []
  for (let first = 0; first < faults.length; first++) {
    const change = Object.assign(
      {},
      ...faults
        .slice(first)
        .map(([fault]) => fault)
        .reverse(),
    ) as Partial<Init>
    const raw = await run({ name: '', change: () => change })
    await raw.closed
    seen.push(codeOfRaw(raw))
  }
  expect(seen).toEqual(faults.map(([, code]) => code))
})

test("stores the fields of the peer's Handshake", async () => {
  const raw = await run({
    name: '',
    address: { ipAddr: Uint8Array.of(1, 2, 3, 4), ipPort: 9_651 },
    change: () => ({ trackedSubnets: [id()], allSubnets: true, upgradeTime: 7n }),
  })
  await raw.next('peerList')
  const peer = server.peers().find(({ nodeId }) => Buffer.compare(nodeId, raw.identity.nodeId) === 0)
  expect(peer?.info).toMatchObject({
    networkId: NETWORK_ID,
    endpoint: { host: '1.2.3.4', port: 9_651 },
    version: { name: 'avalanchego', major: 1, minor: 15, patch: 0 },
    trackedSubnets: [id()],
    allSubnets: true,
    upgradeTime: 7n,
  })
  raw.socket.end()
})
