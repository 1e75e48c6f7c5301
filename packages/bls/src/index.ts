/**
 * BLS12-381 as the Avalanche network uses it: keys in G1 (48 bytes), signatures in G2 (96 bytes).
 *
 * @packageDocumentation
 */
export * as Batch from './Batch.ts'
export { BlsError, type BlsErrorCode } from './BlsError.ts'
export * as Engine from './Engine.ts'
export type { RandomBytes } from './internal/Random.ts'
export * as ProofOfPossession from './ProofOfPossession.ts'
export * as PublicKey from './PublicKey.ts'
export * as SecretKey from './SecretKey.ts'
export * as Signature from './Signature.ts'
export * as Signer from './Signer.ts'
