import { Hex } from '@firn/codec'
import { KeysError } from '../KeysError.ts'
import * as Der from './Der.ts'
import { ALGORITHM_IDENTIFIER } from './EcdsaP256.ts'

/** DER of `[0] { INTEGER 2 }`, which means X.509 version 3. */
const VERSION_3 = Hex.decode('0xa003020102')
/** DER of the algorithm identifier ecdsa-with-SHA256. */
const ECDSA_SHA256 = Hex.decode('0x300a06082a8648ce3d040302')
/**
 * DER of the extensions, `[3]`: keyUsage (critical, digitalSignature) and basicConstraints (critical, not a
 * certificate authority).
 */
const EXTENSIONS = Hex.decode('0xa320301e300e0603551d0f0101ff040403020780300c0603551d130101ff04023000')
const NO_NAME = Der.write(Der.Tag.SEQUENCE)
/** DER of 1999-12-31 00:00:00. The node's code uses day 0 of January 2000, which is the same date. */
const NOT_BEFORE = Der.write(Der.Tag.UTC_TIME, new TextEncoder().encode('991231000000Z'))
const YEARS = 100

/** The parts in which certificates differ. */
export interface CertificateParts {
  /** Uncompressed public key (65 bytes). */
  readonly point: Uint8Array
  /** Signs the SHA-256 of `tbs` with ECDSA and returns the signature in DER. */
  readonly sign: (tbs: Uint8Array) => Uint8Array
  readonly now: Date
}

/**
 * Returns the DER of a self-signed certificate in the form that nodes create.
 * @throws KeysError `KEYS_CERTIFICATE_TIME`
 */
export function buildCertificate(parts: CertificateParts): Uint8Array {
  const { point, sign, now } = parts
  const tbs = Der.write(
    Der.Tag.SEQUENCE,
    VERSION_3,
    Der.writeInteger(Uint8Array.of(0)),
    ECDSA_SHA256,
    NO_NAME,
    Der.write(Der.Tag.SEQUENCE, NOT_BEFORE, notAfter(now)),
    NO_NAME,
    Der.write(Der.Tag.SEQUENCE, ALGORITHM_IDENTIFIER, Der.writeBitString(point)),
    EXTENSIONS,
  )
  return Der.write(Der.Tag.SEQUENCE, tbs, ECDSA_SHA256, Der.writeBitString(sign(tbs)))
}

function notAfter(now: Date): Uint8Array {
  const end = new Date(now)
  end.setUTCFullYear(end.getUTCFullYear() + YEARS)
  const year = end.getUTCFullYear()
  if (!(year >= 2000 && year <= 9999)) {
    throw new KeysError(
      'KEYS_CERTIFICATE_TIME',
      `certificate: expected an end date in the years 2000 to 9999, got ${year}`,
      {
        details: { year },
      },
    )
  }
  const digits = end
    .toISOString()
    .replace(/\.\d{3}Z$/, 'Z')
    .replace(/[-:T]/g, '')
  // X.509 writes years before 2050 with two digits and later years with four (RFC 5280, 4.1.2.5).
  const [tag, text] = year < 2050 ? [Der.Tag.UTC_TIME, digits.slice(2)] : [Der.Tag.GENERALIZED_TIME, digits]
  return Der.write(tag, new TextEncoder().encode(text))
}
