import { FirnError } from '@firn/codec'

/**
 * Codes of {@link KeysError}:
 * - `KEYS_PRIVATE_KEY`: the string or bytes of a secp256k1 private key are malformed, or a key used for
 * signing is zero.
 * - `KEYS_MNEMONIC`: the words of a mnemonic are not in the word list, or their checksum is wrong.
 * - `KEYS_PATH`: a derivation path is malformed.
 * - `KEYS_PUBLIC_KEY`: a secp256k1 public key is not 33 bytes of a compressed point on the curve.
 * - `KEYS_HASH`: a hash to sign or to recover from is not 32 bytes.
 * - `KEYS_SIGNATURE_LENGTH`: a recoverable signature is not 65 bytes.
 * - `KEYS_SIGNATURE_MUTATED`: a recoverable signature has `s` in the upper half of the group order.
 * - `KEYS_SIGNATURE`: no public key can be recovered from a signature and a hash.
 * - `KEYS_EVM_ADDRESS`: an EVM address is not 20 bytes, not `0x` and 40 digits, or its mixed case does not
 * match its checksum.
 * - `KEYS_CERTIFICATE`: a staking certificate cannot be parsed by the node's rules.
 * - `KEYS_CERTIFICATE_SIZE`: a staking certificate is larger than 2048 bytes.
 * - `KEYS_CERTIFICATE_KEY`: a staking certificate's public key has a type, size or exponent that nodes
 * reject.
 * - `KEYS_CERTIFICATE_TIME`: a certificate's end date cannot be written as an X.509 time.
 * - `KEYS_STAKING_KEY`: a TLS private key is not a PKCS#8 key on P-256, or the seed of a new key is shorter than 16
 * bytes.
 * - `KEYS_PEM`: a string contains no valid PEM block with the expected label.
 * - `KEYS_IP`: an address, port or timestamp of a claimed endpoint is out of range.
 */
export type KeysErrorCode =
  | 'KEYS_PRIVATE_KEY'
  | 'KEYS_MNEMONIC'
  | 'KEYS_PATH'
  | 'KEYS_PUBLIC_KEY'
  | 'KEYS_HASH'
  | 'KEYS_SIGNATURE_LENGTH'
  | 'KEYS_SIGNATURE_MUTATED'
  | 'KEYS_SIGNATURE'
  | 'KEYS_EVM_ADDRESS'
  | 'KEYS_CERTIFICATE'
  | 'KEYS_CERTIFICATE_SIZE'
  | 'KEYS_CERTIFICATE_KEY'
  | 'KEYS_CERTIFICATE_TIME'
  | 'KEYS_STAKING_KEY'
  | 'KEYS_PEM'
  | 'KEYS_IP'

/** The error that this package throws. */
export class KeysError extends FirnError<KeysErrorCode> {
  override readonly name = 'KeysError'
}
