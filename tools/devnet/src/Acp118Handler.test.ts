import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { Bytes, Hex, Id, NodeId } from '@firn/codec'
import {
  Acp118,
  ConversionData,
  Justification,
  L1Message,
  Payload,
  UnsignedMessage,
  ValidationId,
  ValidatorUptime,
} from '@firn/warp'
import { describe, expect, test } from 'vitest'
import { type Decision, decide, type Knowledge } from './Acp118Handler.ts'
import { accept, type Change, emptyState } from './Change.ts'
import { createEvmLedger } from './EvmLedger.ts'
import { primaryChains } from './Genesis.ts'
import * as PlatformMessages from './PlatformMessages.ts'
import { type Chain, key, type State } from './State.ts'

const NETWORK = 12345
const NOW = 1_800_000_000n
const fill = (byte: number, length = 32): Uint8Array => new Uint8Array(length).fill(byte)
const { p, c, x } = primaryChains(NETWORK, 'test')
const L1: Chain = { id: fill(3), name: 'l1', subnetId: fill(1), vm: 'subnet-evm' }
const validator = (byte: number) => ({ nodeID: fill(byte, 20), blsPublicKey: fill(byte, 48), weight: 100n })
const DATA: ConversionData.ConversionData = {
  subnetID: fill(1),
  managerChainID: fill(3),
  managerAddress: fill(4, 20),
  validators: [validator(5), validator(6), validator(7)],
}
const registration = (expiry: bigint, node = 8): Uint8Array =>
  L1Message.encode({
    type: 'RegisterL1Validator',
    subnetID: fill(1),
    nodeID: fill(node, 20),
    blsPublicKey: fill(node, 48),
    expiry,
    remainingBalanceOwner: { threshold: 0, addresses: [] },
    disableOwner: { threshold: 0, addresses: [] },
    weight: 5n,
  })
const REGISTERED = registration(NOW + 1000n)
const REMOVED = registration(NOW + 1000n, 9)
const POSSIBLE = registration(NOW + 1000n, 10)
const EXPIRED = registration(NOW, 11)
const initial = (index: number) => ValidationId.initial(fill(1), index)

const CHANGES: readonly Change[] = [
  { kind: 'create-subnet', subnetId: fill(1) },
  { kind: 'create-subnet', subnetId: fill(2) },
  { kind: 'convert', data: DATA, balances: [10n, 0n, 10n] },
  { kind: 'set-weight', validationId: initial(0), nonce: 4n, weight: 77n },
  { kind: 'set-weight', validationId: initial(2), nonce: 0n, weight: 0n },
  { kind: 'register', message: REGISTERED, balance: 9n },
  { kind: 'register', message: REMOVED, balance: 9n },
  { kind: 'set-weight', validationId: ValidationId.registered(REMOVED), nonce: 0n, weight: 0n },
]
const STATE = accept(emptyState(NETWORK, NOW), CHANGES, NOW)

/** Returns the error code if the validator refuses to sign, and 'sign' otherwise. */
function outcome(decision: Decision): number | 'sign' {
  return decision.kind === 'sign' ? 'sign' : decision.code
}

function request(message: Uint8Array, justification: Uint8Array = new Uint8Array(0)): Uint8Array {
  return Acp118.encodeRequest({ message, justification })
}

describe('P-chain', () => {
  const platform = (message: Uint8Array, justification?: Uint8Array) =>
    outcome(decide(request(message, justification), p, { state: STATE, evm: undefined }))
  const call = (payload: Uint8Array, sourceAddress: Uint8Array = new Uint8Array(0), fields: object = {}) =>
    UnsignedMessage.encode({
      networkID: NETWORK,
      sourceChainID: p.id,
      payload: Payload.encode({ type: 'AddressedCall', sourceAddress, payload }),
      ...fields,
    })
  const l1 = (message: L1Message.L1Message) => call(L1Message.encode(message))
  const weight = (validationId: Uint8Array, nonce: bigint, value: bigint) =>
    PlatformMessages.weight(NETWORK, validationId, nonce, value).message
  const conversion = l1({ type: 'SubnetToL1Conversion', id: ConversionData.id(DATA) })
  const isRegistered = (validationId: Uint8Array) =>
    l1({ type: 'L1ValidatorRegistration', validationID: validationId, registered: true })
  const isNot = (validationId: Uint8Array) =>
    l1({ type: 'L1ValidatorRegistration', validationID: validationId, registered: false })
  const byIndex = (index: number, subnetId = fill(1)) =>
    Justification.encode({ type: 'ConvertSubnetToL1TxData', subnetId, index })
  const byMessage = (message: Uint8Array) =>
    Justification.encode({ type: 'RegisterL1ValidatorMessage', message })

  test.each<[string, number | 'sign', Uint8Array, Uint8Array?]>([
    ['no message at all', -1, new Uint8Array(0)],
    ['trailing bytes', -1, Bytes.concat(conversion, fill(0, 1)), fill(1)],
    [
      'a Hash payload',
      1,
      UnsignedMessage.encode({
        networkID: NETWORK,
        sourceChainID: p.id,
        payload: Payload.encode({ type: 'Hash', hash: fill(1) }),
      }),
    ],
    [
      'a malformed payload',
      1,
      UnsignedMessage.encode({ networkID: NETWORK, sourceChainID: p.id, payload: fill(9, 9) }),
    ],
    [
      'a source address',
      2,
      call(L1Message.encode({ type: 'SubnetToL1Conversion', id: fill(1) }), fill(1, 20)),
    ],
    ['a malformed inner payload', 3, call(fill(0, 5))],
    ['an unknown inner type', 3, call(Bytes.concat(Hex.decode('0x000000000004'), fill(0)))],
    ['a bool byte of 2', 3, call(Bytes.concat(Hex.decode('0x000000000002'), fill(1), Uint8Array.of(2)))],
    ['a registration request', 4, call(REGISTERED)],
    ['a conversion', 'sign', conversion, fill(1)],
    ['a conversion without justification', 5, conversion],
    ['a conversion of a subnet that was not converted', 6, conversion, fill(2)],
    ['a conversion of an unknown subnet', 6, conversion, fill(77)],
    ['another conversion', 7, l1({ type: 'SubnetToL1Conversion', id: fill(9) }), fill(1)],
    ['an active validation', 'sign', isRegistered(initial(0))],
    ['an active validation with an unnecessary justification', 'sign', isRegistered(initial(0)), fill(1)],
    ['an inactive validation', 'sign', isRegistered(initial(1))],
    ['a registered validation', 'sign', isRegistered(ValidationId.registered(REGISTERED))],
    ['a removed validation', 11, isRegistered(initial(2))],
    ['removal with a malformed justification', 5, isNot(initial(2)), fill(0xff, 4)],
    ['removal without justification', 8, isNot(initial(2))],
    ['removal with a short subnet id', 9, isNot(initial(2)), byIndex(2, fill(1, 31))],
    ['removal with another index', 10, isNot(initial(2)), byIndex(1)],
    ['removal with another registration', 10, isNot(initial(2)), byMessage(REMOVED)],
    ['removal of an active validation', 12, isNot(initial(0)), byIndex(0)],
    ['removal of an inactive validation', 12, isNot(initial(1)), byIndex(1)],
    ['removal of an initial validator', 'sign', isNot(initial(2)), byIndex(2)],
    ['removal of an index that never existed', 'sign', isNot(initial(99)), byIndex(99)],
    [
      'removal in a subnet that was not converted',
      6,
      isNot(ValidationId.initial(fill(2), 0)),
      byIndex(0, fill(2)),
    ],
    ['removal with malformed registration bytes', 13, isNot(initial(2)), byMessage(fill(1, 9))],
    [
      'removal of a registered validator',
      12,
      isNot(ValidationId.registered(REGISTERED)),
      byMessage(REGISTERED),
    ],
    ['removal of a removed validation', 'sign', isNot(ValidationId.registered(REMOVED)), byMessage(REMOVED)],
    [
      'removal of a validation that can still be registered',
      14,
      isNot(ValidationId.registered(POSSIBLE)),
      byMessage(POSSIBLE),
    ],
    [
      'removal of a validation whose registration has expired',
      'sign',
      isNot(ValidationId.registered(EXPIRED)),
      byMessage(EXPIRED),
    ],
    [
      'the impossible nonce',
      15,
      call(Bytes.concat(Hex.decode('0x000000000003'), initial(0), fill(0xff, 8), fill(0, 8))),
    ],
    ['a weight of an unknown validation', 11, weight(initial(2), 4n, 77n)],
    ['an old nonce', 16, weight(initial(0), 3n, 77n)],
    ['a weight that was never set', 16, weight(initial(1), 0n, 100n)],
    ['another weight', 17, weight(initial(0), 4n, 78n)],
    ['the current weight', 'sign', weight(initial(0), 4n, 77n)],
    [
      'another network',
      -1,
      call(L1Message.encode({ type: 'SubnetToL1Conversion', id: ConversionData.id(DATA) }), undefined, {
        networkID: 1,
      }),
      fill(1),
    ],
    [
      'another chain',
      -1,
      call(L1Message.encode({ type: 'SubnetToL1Conversion', id: ConversionData.id(DATA) }), undefined, {
        sourceChainID: c.id,
      }),
      fill(1),
    ],
  ])('makes the same signing decision as a P-chain node for %s', (_name, expected, message, justification) =>
    expect(platform(message, justification)).toBe(expected),
  )
})

describe('EVM chains', () => {
  const ledger = createEvmLedger()
  const message = (chain: Chain, payload: Uint8Array, networkId = NETWORK) =>
    UnsignedMessage.encode({ networkID: networkId, sourceChainID: chain.id, payload })
  const call = (payload: Uint8Array, sourceAddress = fill(1, 20)) =>
    Payload.encode({ type: 'AddressedCall', sourceAddress, payload })
  const hash = (byte: number) => Payload.encode({ type: 'Hash', hash: fill(byte) })
  const uptime = (seconds: bigint) =>
    ValidatorUptime.encode({ type: 'ValidatorUptime', validationID: fill(5), totalUptime: seconds })
  ledger.acceptBlock(fill(1))
  ledger.setUptime(fill(5), 60n)
  for (const chain of [c, L1]) ledger.acceptMessage(Id.hash(message(chain, call(fill(2, 3)))))
  const known: Knowledge = { state: STATE, evm: ledger.view(0) }
  const evm = (chain: Chain, bytes: Uint8Array, knowledge = known) =>
    outcome(decide(request(bytes), chain, knowledge))

  test.each<[string, number | 'sign', Chain, Uint8Array]>([
    ['an accepted message', 'sign', c, message(c, call(fill(2, 3)))],
    ['an accepted message of another network', 1, c, message(c, call(fill(2, 3)), 1)],
    ['an unknown message', 1, c, message(c, call(fill(3, 3)))],
    ['an accepted block', 'sign', c, message(c, hash(1))],
    ['an unknown block', 2, c, message(c, hash(2))],
    ['an accepted block, another network', -1, c, message(c, hash(1), 5)],
    ['an accepted block, another chain', -1, c, message(p, hash(1))],
    ['a malformed payload', 1, c, message(c, fill(1, 4))],
    ['an uptime on the C-chain', 1, c, message(c, call(uptime(1n), new Uint8Array(0)))],
    ['an accepted message of an L1', 'sign', L1, message(L1, call(fill(2, 3)))],
    ['an unknown message of an L1', 1, L1, message(L1, call(fill(3, 3)))],
    ['uptime', 'sign', L1, message(L1, call(uptime(60n), new Uint8Array(0)))],
    ['an uptime above the observed one', 2, L1, message(L1, call(uptime(61n), new Uint8Array(0)))],
    ['an uptime sent by a contract', 2, L1, message(L1, call(uptime(1n)))],
    ['an unknown block of an L1', 2, L1, message(L1, hash(9))],
  ])('makes the same signing decision as an EVM node for %s', (_name, expected, chain, bytes) =>
    expect(evm(chain, bytes)).toBe(expected),
  )

  test('signs a cached message again without parsing it', () => {
    expect(
      evm(L1, message(L1, call(uptime(61n), new Uint8Array(0))), { ...known, isCached: () => true }),
    ).toBe('sign')
  })

  test('rejects an undecodable request with code -1, and requests for the X-chain with code -2', () => {
    expect(outcome(decide(Uint8Array.of(0xff), c, known))).toBe(-1)
    expect(outcome(decide(request(message(x, hash(1))), x, { state: STATE, evm: undefined }))).toBe(-2)
  })
})

interface Recorded {
  readonly networkID: number
  readonly time: string
  readonly subnets: readonly { readonly id: string; readonly conversionID: string }[]
  readonly validators: readonly Readonly<
    Record<
      'validationID' | 'nodeID' | 'publicKey' | 'weight' | 'minNonce' | 'balance' | 'startTime' | 'subnetID',
      string
    >
  >[]
  readonly removed: readonly string[]
  readonly cases: readonly {
    readonly label: string
    readonly message: string
    readonly justification: string
    readonly signed: boolean
  }[]
}

describe('real validators', () => {
  const file = readFileSync(new URL('../vectors/acp118.json.gz', import.meta.url))
  const recorded = JSON.parse(gunzipSync(file).toString('utf8')) as Recorded
  const state = recordedState(recorded)

  test.each(recorded.cases)(
    'makes the same signing decision as the recorded validators for $label (signed: $signed)',
    ({ message, justification, signed }) => {
      const body = request(Hex.decodeAny(message), Hex.decodeAny(justification))
      expect(decide(body, p, { state, evm: undefined }).kind === 'sign').toBe(signed)
    },
  )
})

function recordedState({ networkID: networkId, time, subnets, validators, removed }: Recorded): State {
  const seconds = BigInt(Date.parse(time) / 1000)
  return {
    ...emptyState(networkId, seconds),
    subnets: new Map(
      subnets.map(({ id, conversionID: conversionId }) => {
        const conversion = {
          id: Id.parse(conversionId),
          managerChainId: fill(0),
          managerAddress: fill(0, 20),
        }
        return [key(Id.parse(id)), { id: Id.parse(id), conversion }]
      }),
    ),
    l1Validators: new Map(
      validators.map((entry) => {
        const validationId = Id.parse(entry.validationID)
        const amounts = {
          weight: BigInt(entry.weight),
          minNonce: BigInt(entry.minNonce),
          balance: BigInt(entry.balance),
          startTime: BigInt(entry.startTime),
        }
        return [
          key(validationId),
          {
            validationId,
            subnetId: Id.parse(entry.subnetID),
            nodeId: NodeId.parse(entry.nodeID),
            publicKey: Hex.decode(entry.publicKey),
            ...amounts,
          },
        ]
      }),
    ),
    expiries: new Map(removed.map((id) => [key(Id.parse(id)), seconds + 1n])),
  }
}
