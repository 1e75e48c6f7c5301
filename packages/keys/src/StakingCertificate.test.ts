import { createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { Hex, NodeId } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import { StakingCertificate, StakingKey } from './index.ts'
import { fromBytes } from './internal/integers.ts'
import { codeOf, readVectors } from './testing/vectors.ts'

interface CertificateCase {
  readonly name: string
  readonly der: string
  readonly ok: boolean
  readonly error?: string
  readonly nodeID: string
  readonly nodeIDBytes: string
  readonly keyType: 'RSA' | 'ECDSA-P256'
  readonly x: string
  readonly y: string
  readonly modulus: string
  readonly exponent: number
  readonly pem?: string
  readonly privateKeyPEM?: string
}

interface SignatureCase {
  readonly name: string
  readonly nodeID: string
  readonly certificate: string
  readonly message: string
  readonly signature: string
  readonly valid: boolean
}

const certificates = readVectors<CertificateCase>('staking', 'certificate')
const KEY_ERROR = /unsupported|even number|not a positive|elliptic curve point|unknown public key algorithm/

function expectedCode(error = ''): string {
  if (error.includes('greater than 2048')) return 'KEYS_CERTIFICATE_SIZE'
  return KEY_ERROR.test(error) ? 'KEYS_CERTIFICATE_KEY' : 'KEYS_CERTIFICATE'
}

function dump({ publicKey }: StakingCertificate.Certificate) {
  if (publicKey.type === 'rsa') {
    return { keyType: 'RSA', modulus: `0x${publicKey.modulus.toString(16)}`, exponent: publicKey.exponent }
  }
  const [x, y] = [publicKey.point.subarray(1, 33), publicKey.point.subarray(33)].map((part) =>
    Hex.encode(part),
  )
  return { keyType: 'ECDSA-P256', x, y }
}

describe('StakingCertificate.parse with recorded certificates', () => {
  it.each(certificates.filter((it) => it.ok))('parses the recorded certificate: $name', (given) => {
    const { name: _, keyType, x, y, modulus, exponent } = given
    const certificate = StakingCertificate.parse(Hex.decode(given.der))
    expect(Hex.encode(StakingCertificate.nodeId(certificate.der))).toBe(given.nodeIDBytes)
    expect(NodeId.format(StakingCertificate.nodeId(certificate.der))).toBe(given.nodeID)
    expect(dump(certificate)).toEqual(keyType === 'RSA' ? { keyType, modulus, exponent } : { keyType, x, y })
  })

  it.each(certificates.filter((it) => !it.ok))(
    'rejects the recorded certificate: $name',
    ({ der, error }) => {
      expect(codeOf(() => StakingCertificate.parse(Hex.decode(der)))).toBe(expectedCode(error))
    },
  )

  it.each(certificates.filter((it) => it.pem !== undefined))(
    'parses the PEM of the certificate and formats it to the same text: $name',
    ({ pem = '', der }) => {
      expect(Hex.encode(StakingCertificate.parsePem(pem).der)).toBe(der)
      expect(StakingCertificate.formatPem(Hex.decode(der))).toBe(pem)
    },
  )
})

describe('StakingCertificate.checkSignature with recorded signatures', () => {
  it.each(readVectors<SignatureCase>('staking', 'checkSignature'))(
    'makes the same decision as the node about the signature "$name" by $nodeID (valid: $valid)',
    (given) => {
      const certificate = StakingCertificate.parse(Hex.decode(given.certificate))
      const [message, signature] = [Hex.decode(given.message), Hex.decode(given.signature)]
      expect(NodeId.format(StakingCertificate.nodeId(certificate.der))).toBe(given.nodeID)
      expect(StakingCertificate.checkSignature(certificate, message, signature)).toBe(given.valid)
    },
  )
})

describe('StakingCertificate.checkSignature with RSA signatures', () => {
  const valid = readVectors<SignatureCase>('staking', 'checkSignature').filter(({ valid }) => valid)

  it('rejects an RSA signature to which the modulus was added', () => {
    const checked = valid.map((given) => {
      const certificate = StakingCertificate.parse(Hex.decode(given.certificate))
      const { publicKey } = certificate
      if (publicKey.type !== 'rsa') return undefined
      const larger = (BigInt(given.signature) + publicKey.modulus).toString(16)
      const isSameLength = larger.length === given.signature.length - 2
      const [message, signature] = [Hex.decode(given.message), Hex.decodeBare(isSameLength ? larger : '')]
      return isSameLength ? StakingCertificate.checkSignature(certificate, message, signature) : undefined
    })
    expect(checked.filter((it) => it !== undefined)).toContain(false)
    expect(checked).not.toContain(true)
  })
})

describe('StakingCertificate.create', () => {
  const made = certificates.filter(
    ({ privateKeyPEM = '', keyType }) => privateKeyPEM !== '' && keyType !== 'RSA',
  )
  const now = new Date('2025-12-31T00:00:00Z')

  it.each(made)('creates the same certificate body as the node $nodeID', ({ der, privateKeyPEM = '' }) => {
    const privateKey = StakingKey.parsePem(privateKeyPEM)
    const created = StakingCertificate.create({ privateKey, now })
    const tbsEnd = 4 + 3 + 183
    expect(Hex.encode(created.der.subarray(4, tbsEnd))).toBe(Hex.encode(Hex.decode(der).subarray(4, tbsEnd)))
    expect(StakingKey.formatPem(created.privateKey)).toBe(privateKeyPEM)
    expect(created.privateKey).toEqual(privateKey)
  })

  it('creates the same certificate for the same seed and time, and a random certificate without a seed', () => {
    const seed = new Uint8Array(32).fill(5)
    const first = StakingCertificate.create({ seed, now })
    expect(StakingCertificate.create({ seed, now })).toEqual(first)
    expect(StakingCertificate.create({ seed, now: new Date(0) }).der).not.toEqual(first.der)
    expect(StakingCertificate.create().privateKey).not.toEqual(StakingCertificate.create().privateKey)
  })

  it('creates certificates with dates, serial number and self-signature that OpenSSL accepts', () => {
    const { der, privateKey } = StakingCertificate.create({ now: new Date('2026-02-28T12:34:56.789Z') })
    const certificate = new X509Certificate(der)
    const key = createPrivateKey({ key: StakingKey.formatPem(privateKey), format: 'pem' })
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.checkPrivateKey(key)).toBe(true)
    expect(certificate.serialNumber).toMatch(/^0+$/)
    expect(certificate.validFrom).toBe('Dec 31 00:00:00 1999 GMT')
    expect(certificate.validTo).toBe('Feb 28 12:34:56 2126 GMT')
    expect(certificate.ca).toBe(false)
    expect(der.length).toBeGreaterThan(270)
    expect(der.length).toBeLessThan(278)
  })

  it('writes the year of an end date before 2050 with two digits', () => {
    const { der } = StakingCertificate.create({ now: new Date('1949-06-01T00:00:00Z') })
    expect(new X509Certificate(der).validTo).toBe('Jun  1 00:00:00 2049 GMT')
  })

  it.each(['1800-01-01T00:00:00Z', '9950-01-01T00:00:00Z', 'nonsense'])(
    'rejects the creation time %s for a certificate',
    (now) => {
      expect(codeOf(() => StakingCertificate.create({ now: new Date(now) }))).toBe('KEYS_CERTIFICATE_TIME')
    },
  )

  it('creates certificates that work on both ends of a TLS 1.3 connection', async () => {
    const [server, client] = [StakingCertificate.create(), StakingCertificate.create()].map(
      ({ der, privateKey }) => ({
        cert: StakingCertificate.formatPem(der),
        key: StakingKey.formatPem(privateKey),
        der,
      }),
    )
    if (server === undefined || client === undefined) throw new Error('unreachable')
    const options = { minVersion: 'TLSv1.3', rejectUnauthorized: false } as const
    const listener = createServer({
      ...options,
      requestCert: true,
      cert: server.cert,
      key: server.key,
    }).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const accepted = once(listener, 'secureConnection') as Promise<[TLSSocket]>
    const { port } = listener.address() as { port: number }
    const socket = connect({ ...options, host: '127.0.0.1', port, cert: client.cert, key: client.key })
    const [[inbound]] = await Promise.all([accepted, once(socket, 'secureConnect')])
    expect(new Uint8Array(socket.getPeerX509Certificate()?.raw ?? [])).toEqual(server.der)
    expect(new Uint8Array(inbound.getPeerX509Certificate()?.raw ?? [])).toEqual(client.der)
    socket.destroy()
    inbound.destroy()
    listener.close()
  })
})

describe('StakingCertificate.parse and parsePem', () => {
  it('copies the bytes that it parses', () => {
    const { der } = StakingCertificate.create({ seed: new Uint8Array(16) })
    const bytes = der.slice()
    const certificate = StakingCertificate.parse(bytes)
    bytes.fill(0)
    expect(certificate.der).toEqual(der)
    expect(dump(certificate)).toEqual(dump(StakingCertificate.parse(der)))
  })

  it.each([
    ['no block', 'hello'],
    ['another label', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'],
    ['no end', '-----BEGIN CERTIFICATE-----\nAAAA\n'],
    ['an empty body', '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n'],
    ['letters outside base64', '-----BEGIN CERTIFICATE-----\nAA*A\n-----END CERTIFICATE-----\n'],
  ])('rejects a PEM with %s', (_name, text) => {
    expect(codeOf(() => StakingCertificate.parsePem(text))).toBe('KEYS_PEM')
  })

  it('reads the same RSA modulus from a certificate as OpenSSL', () => {
    const rsa = certificates.find(({ name }) => name === 'RSA 2048')
    const certificate = StakingCertificate.parse(Hex.decode(rsa?.der ?? ''))
    const { n = '' } = new X509Certificate(certificate.der).publicKey.export({ format: 'jwk' })
    const modulus = Uint8Array.from(atob(n.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))
    expect(certificate.publicKey).toMatchObject({ type: 'rsa', modulus: fromBytes(modulus) })
  })
})
