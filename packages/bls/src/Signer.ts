import { Hex } from '@firn/codec'
import * as ProofOfPossession from './ProofOfPossession.ts'
import * as SecretKey from './SecretKey.ts'

/**
 * The BLS public key of a validator with the proof that it owns the secret key, as 0x-hex. A node returns its own as
 * `nodePOP` of `info.getNodeID`.
 */
export interface Signer {
  /** 48 bytes. */
  readonly publicKey: `0x${string}`
  /** 96 bytes. */
  readonly proofOfPossession: `0x${string}`
}

/**
 * Returns the signer of a secret key, which registers a validator.
 * @example
 * ```ts
 * import { SecretKey, Signer } from '@firn/bls'
 *
 * const signer = Signer.create(SecretKey.random())
 * signer.publicKey.length // 98
 * ```
 */
export function create(secretKey: SecretKey.SecretKey): Signer {
  return {
    publicKey: Hex.encode(SecretKey.publicKey(secretKey).compressed),
    proofOfPossession: Hex.encode(ProofOfPossession.sign(secretKey).compressed),
  }
}
