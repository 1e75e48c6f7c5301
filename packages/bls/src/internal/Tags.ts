/**
 * The purpose of a signature, which selects the tag under which a message is hashed to the curve. A signature
 * of one domain never verifies in the other.
 */
export type Domain = 'signature' | 'proofOfPossession'

/** The domain separation tags, as in avalanchego's `utils/crypto/bls/ciphersuite.go`. */
export const TAGS: Readonly<Record<Domain, string>> = {
  signature: 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_',
  proofOfPossession: 'BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_',
}
