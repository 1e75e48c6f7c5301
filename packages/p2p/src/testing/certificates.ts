import { type KeyObject, sign } from 'node:crypto'

/** Helpers for tests: certificates with any type of key. The library creates only P-256 certificates. */

const ECDSA_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex')
const VALIDITY = Buffer.from('3020170d3939313233313030303030305a180f32313236303130313030303030305a', 'hex')

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}

/** Returns a distinguished name whose only entry is a common name with `letters` letters. */
function name(letters: number): Buffer {
  if (letters === 0) return der(0x30)
  return der(
    0x30,
    der(0x31, der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.alloc(letters, 'x')))),
  )
}

/** Returns the certificate of {@link certificateDer} in PEM. */
export function certificatePem(publicKey: KeyObject, privateKey: KeyObject, issuerLetters = 0): string {
  const bytes = certificateDer(publicKey, privateKey, issuerLetters)
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`
}

/**
 * Returns a certificate in DER. It is always labelled as signed with ECDSA, so the signature of another key is
 * invalid; peers never check it.
 */
export function certificateDer(publicKey: KeyObject, privateKey: KeyObject, issuerLetters = 0): Buffer {
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const version = der(0xa0, der(0x02, Buffer.of(2)))
  const tbs = der(
    0x30,
    version,
    der(0x02, Buffer.of(0)),
    ECDSA_SHA256,
    name(issuerLetters),
    VALIDITY,
    name(0),
    spki,
  )
  const isEdwards = publicKey.asymmetricKeyType === 'ed25519'
  const signature = sign(isEdwards ? null : 'sha256', tbs, privateKey)
  return der(0x30, tbs, ECDSA_SHA256, der(0x03, Buffer.of(0), signature))
}
