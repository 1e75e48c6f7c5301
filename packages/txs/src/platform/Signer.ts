import * as Codec from '@firn/codec/Codec'

/**
 * Codec of a BLS public key (48 bytes) and the signature (96 bytes) that proves possession of the secret key.
 */
export const ProofOfPossession = Codec.struct({
  publicKey: Codec.fixed(48),
  proofOfPossession: Codec.fixed(96),
})
export type ProofOfPossession = Codec.Infer<typeof ProofOfPossession>

/** Codec of a signer without a BLS key, for validators of subnets other than the Primary Network. */
export const Empty = Codec.struct({})
export type Empty = Codec.Infer<typeof Empty>

/**
 * Codec of a validator's signer: a BLS key with its proof of possession, or `Empty` without a key. Discriminated by
 * `type`.
 */
export const Signer = Codec.union({ Empty: [27, Empty], ProofOfPossession: [28, ProofOfPossession] })
export type Signer = Codec.Infer<typeof Signer>
