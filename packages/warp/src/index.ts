/**
 * Warp messages of the Avalanche network: encoding, validator sets and verification of signatures.
 *
 * @packageDocumentation
 */
export * as Acp118 from './Acp118.ts'
export * as BitSet from './BitSet.ts'
export * as ConversionData from './ConversionData.ts'
export * as Describe from './Describe.ts'
export * as Justification from './Justification.ts'
export * as L1Message from './L1Message.ts'
export * as Payload from './Payload.ts'
export * as Predicate from './Predicate.ts'
export * as ProofBundle from './ProofBundle.ts'
export * as Quorum from './Quorum.ts'
export * as SignedMessage from './SignedMessage.ts'
export * as UnsignedMessage from './UnsignedMessage.ts'
export * as ValidationId from './ValidationId.ts'
export * as ValidatorSet from './ValidatorSet.ts'
export * as ValidatorUptime from './ValidatorUptime.ts'
export * as Verification from './Verification.ts'
export {
  type ValidatorSource,
  type VerifiedMessage,
  type VerifyMessageOptions,
  verifyMessage,
} from './verifyMessage.ts'
export { WarpError, type WarpErrorCode } from './WarpError.ts'
export * as WarpEvent from './WarpEvent.ts'
