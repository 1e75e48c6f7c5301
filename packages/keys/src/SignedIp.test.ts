import { createPrivateKey, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { Hex, NodeId } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import { SignedIp, StakingCertificate, StakingKey } from './index.ts'
import { codeOf, readVectors } from './testing/vectors.ts'

interface SignedCase {
  readonly address: string
  readonly ipAs16: string
  readonly ipAsSlice: string
  readonly port: number
  readonly timestamp: string
  readonly signedBytes: string
  readonly nodeID: string
  readonly certificate: string
  readonly tlsSignature: string
}

interface VerifyCase {
  readonly name: string
  readonly address: string
  readonly timestamp: string
  readonly maxTimestamp: string
  readonly certificate: string
  readonly tlsSignature: string
  readonly valid: boolean
}

/**
 * Parses endpoints such as `1.2.3.4:80` and `[…]:80`. The bytes of an IPv6 address come from the recorded
 * cases.
 */
function parseEndpoint(text: string): Pick<SignedIp.UnsignedIp, 'address' | 'port'> {
  const colon = text.lastIndexOf(':')
  const [host, port] = [text.slice(0, colon), Number(text.slice(colon + 1))]
  if (isIPv4(host)) return { address: Uint8Array.from(host.split('.').map(Number)), port }
  const mapped = host.match(/^\[::ffff:(.*)\]$/)?.[1]
  if (mapped !== undefined) return parseEndpoint(`${mapped}:${port}`)
  const known = signed.find((it) => it.address.startsWith(`${host}:`))
  return { address: Hex.decode(known?.ipAs16 ?? ''), port }
}

const signed = readVectors<SignedCase>('signed-ip', 'signedIP')

describe('SignedIp with recorded endpoints', () => {
  it.each(signed)(
    'returns the recorded bytes to sign for $address and accepts the recorded signature',
    (given) => {
      const certificate = StakingCertificate.parse(Hex.decode(given.certificate))
      const timestamp = BigInt(given.timestamp)
      expect(NodeId.format(StakingCertificate.nodeId(certificate.der))).toBe(given.nodeID)
      for (const address of [given.ipAs16, given.ipAsSlice].map((hex) => Hex.decode(hex))) {
        const ip = { address, port: given.port, timestamp }
        expect(Hex.encode(SignedIp.unsignedBytes(ip))).toBe(given.signedBytes)
        expect(SignedIp.verify(ip, Hex.decode(given.tlsSignature), certificate, timestamp)).toBe(true)
      }
    },
  )

  it.each(readVectors<VerifyCase>('signed-ip', 'verifyIP'))(
    'makes the same decision as the node about the signature "$name" of $address (valid: $valid)',
    (given) => {
      const ip = { ...parseEndpoint(given.address), timestamp: BigInt(given.timestamp) }
      const certificate = StakingCertificate.parse(Hex.decode(given.certificate))
      const valid = SignedIp.verify(
        ip,
        Hex.decode(given.tlsSignature),
        certificate,
        BigInt(given.maxTimestamp),
      )
      expect(valid).toBe(given.valid)
    },
  )
})

describe('SignedIp.sign', () => {
  const { der, privateKey } = StakingCertificate.create({ seed: new Uint8Array(16) })
  const certificate = StakingCertificate.parse(der)
  const ip = { address: Uint8Array.of(0, 0, 0, 0), port: 1, timestamp: 1_700_000_000n }

  it('returns the documented bytes to sign and creates a valid signature', () => {
    expect(Hex.encode(SignedIp.unsignedBytes(ip))).toBe(
      '0x00000000000000000000ffff000000000001000000006553f100',
    )
    expect(SignedIp.verify(ip, SignedIp.sign(ip, privateKey), certificate, ip.timestamp)).toBe(true)
    expect(
      SignedIp.verify({ ...ip, port: 2 }, SignedIp.sign(ip, privateKey), certificate, ip.timestamp),
    ).toBe(false)
  })

  it('verifies signatures that OpenSSL created', () => {
    const key = createPrivateKey({ key: StakingKey.formatPem(privateKey), format: 'pem' })
    const signature = sign('sha256', SignedIp.unsignedBytes(ip), key)
    expect(SignedIp.verify(ip, signature, certificate, ip.timestamp)).toBe(true)
  })

  it.each([
    ['an address of 5 bytes', { ...ip, address: new Uint8Array(5) }],
    ['a port above 65535', { ...ip, port: 65_536 }],
    ['a fractional port', { ...ip, port: 1.5 }],
    ['a negative timestamp', { ...ip, timestamp: -1n }],
    ['a timestamp of 65 bits', { ...ip, timestamp: 1n << 64n }],
  ])('rejects an endpoint with %s', (_name, odd) => {
    expect(codeOf(() => SignedIp.unsignedBytes(odd))).toBe('KEYS_IP')
  })
})
