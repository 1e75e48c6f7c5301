/**
 * Keys of the Avalanche network: secp256k1 private keys with their addresses and recoverable signatures,
 * staking (TLS) certificates and keys, NodeIDs, and signatures of claimed endpoints. Works in browsers.
 *
 * @packageDocumentation
 */
export * as EvmAddress from './EvmAddress.ts'
export { KeysError, type KeysErrorCode } from './KeysError.ts'
export * as PrivateKey from './PrivateKey.ts'
export * as PublicKey from './PublicKey.ts'
export * as Signature from './Signature.ts'
export * as SignedIp from './SignedIp.ts'
export * as StakingCertificate from './StakingCertificate.ts'
export * as StakingKey from './StakingKey.ts'
