import { PublicKey, Signature } from '@firn/bls'
import * as BitSet from './BitSet.ts'
import * as Quorum from './Quorum.ts'
import type { SignedMessage } from './SignedMessage.ts'
import * as UnsignedMessage from './UnsignedMessage.ts'
import * as ValidatorSet from './ValidatorSet.ts'

/**
 * Input of a verification in addition to the message: the verifier's network, the validator set and the
 * quorum.
 */
export interface Context {
  /** Id of the verifier's network, such as 1 (Mainnet) or 5 (Fuji). */
  readonly networkId: number
  /** The signing subnet's validator set at the P-chain height that the verifier uses. */
  readonly validatorSet: ValidatorSet.ValidatorSet
  readonly quorum: Quorum.Quorum
  /**
   * Returns whether the 96 bytes are the signers' aggregate signature of the message. Override it if another thread
   * has verified the signature. Default: decodes and verifies the signature.
   */
  readonly verifySignature?: (signature: Uint8Array) => boolean
}

/** Result for a valid message: the canonical indices of the signers (ascending), and their total weight. */
export interface Valid {
  readonly ok: true
  readonly signers: readonly number[]
  readonly signedWeight: bigint
  readonly totalWeight: bigint
}

/**
 * Result for an invalid message: the first check that failed, with its values. `reason` is a readable sentence. Codes
 * in the order of the checks:
 * - `WRONG_NETWORK`: the message is for another network.
 * - `SIGNERS_NOT_CANONICAL`: the signer bit set has leading zero bytes.
 * - `UNKNOWN_SIGNER`: the highest signer index is not in the validator set, which may belong to another
 * height.
 * - `INSUFFICIENT_WEIGHT`: the signers' weight is below the quorum.
 * - `MALFORMED_SIGNATURE`: the 96 bytes are not a signature.
 * - `NO_SIGNERS`: there are no signers, although the quorum is met because it is 0 or the set has no weight.
 * - `INVALID_SIGNATURE`: the signature does not match the signers and the message.
 */
export type Invalid = { readonly ok: false; readonly reason: string } & (
  | { readonly code: 'WRONG_NETWORK'; readonly expected: number; readonly got: number }
  | { readonly code: 'SIGNERS_NOT_CANONICAL' }
  | { readonly code: 'UNKNOWN_SIGNER'; readonly index: number; readonly validators: number }
  | {
      readonly code: 'INSUFFICIENT_WEIGHT'
      readonly signedWeight: bigint
      readonly totalWeight: bigint
      readonly quorum: Quorum.Quorum
    }
  | { readonly code: 'MALFORMED_SIGNATURE' | 'NO_SIGNERS' | 'INVALID_SIGNATURE' }
)

/** The result of {@link verify}. */
export type Result = Valid | Invalid

/**
 * Verifies that enough validators signed the message. Otherwise returns the first reason for rejection, in
 * the order in which the reference checks. Never throws, whatever the message contains. Source: avalanchego
 * `warp.BitSetSignature.Verify`.
 * @example
 * ```ts
 * import { Quorum, SignedMessage, ValidatorSet, Verification } from '@firn/warp'
 *
 * declare const bytes: Uint8Array
 * declare const validatorSet: ValidatorSet.ValidatorSet
 * const message = SignedMessage.decode(bytes)
 * const result = Verification.verify(message, { networkId: 1, validatorSet, quorum: Quorum.DEFAULT })
 * ```
 */
export function verify(message: SignedMessage, context: Context): Result {
  const { signers } = message.signature
  const { validatorSet } = context
  const refused = checkNetwork(message, context) ?? checkSigners(signers, validatorSet)
  if (refused !== undefined) return refused
  const indices = BitSet.decode(signers)
  const signedWeight = ValidatorSet.weightOf(validatorSet, indices)
  return (
    checkWeight(signedWeight, context) ??
    checkSignature(message, indices, context) ?? {
      ok: true,
      signers: indices,
      signedWeight,
      totalWeight: validatorSet.totalWeight,
    }
  )
}

function checkNetwork(message: SignedMessage, context: Context): Invalid | undefined {
  const { networkId: expected } = context
  const { networkID: got } = message.unsigned
  if (got === expected) return undefined
  return {
    ok: false,
    code: 'WRONG_NETWORK',
    expected,
    got,
    reason: `expected a message for network ${expected}, got one for network ${got}`,
  }
}

function checkSigners(signers: Uint8Array, validatorSet: ValidatorSet.ValidatorSet): Invalid | undefined {
  if (!BitSet.isCanonical(signers)) {
    return {
      ok: false,
      code: 'SIGNERS_NOT_CANONICAL',
      reason: 'expected a signer bit set without leading zero bytes',
    }
  }
  const index = BitSet.bitLength(signers) - 1
  const { length } = validatorSet.validators
  if (index < length) return undefined
  const reason = `signer index ${index} is out of range: the set has ${length} validators with keys`
  return { ok: false, code: 'UNKNOWN_SIGNER', index, validators: length, reason }
}

function checkWeight(signedWeight: bigint, { validatorSet, quorum }: Context): Invalid | undefined {
  const { totalWeight } = validatorSet
  if (Quorum.isMet(signedWeight, totalWeight, quorum.numerator, quorum.denominator)) return undefined
  const reason = `expected signers with at least ${quorum.numerator}/${quorum.denominator} of the weight ${totalWeight}, got ${signedWeight}`
  return { ok: false, code: 'INSUFFICIENT_WEIGHT', signedWeight, totalWeight, quorum, reason }
}

function checkSignature(
  message: SignedMessage,
  indices: readonly number[],
  { validatorSet, verifySignature }: Context,
): Invalid | undefined {
  const { signature: bytes } = message.signature
  if (verifySignature !== undefined) return verifySignature(bytes) ? undefined : notSigned(indices)
  const signature = parse(bytes)
  if (signature === undefined) {
    return {
      ok: false,
      code: 'MALFORMED_SIGNATURE',
      reason: 'not a valid BLS signature: the 96 bytes are not a point in G2',
    }
  }
  if (indices.length === 0)
    return { ok: false, code: 'NO_SIGNERS', reason: 'expected at least one signer, got none' }
  const keys = indices.map(
    (index) => (validatorSet.validators[index] as ValidatorSet.CanonicalValidator).publicKey,
  )
  if (Signature.verify(PublicKey.aggregate(keys), UnsignedMessage.encode(message.unsigned), signature))
    return undefined
  return notSigned(indices)
}

function notSigned({ length }: readonly number[]): Invalid {
  const reason = `the signature was not made by these ${length} signers over this message`
  return { ok: false, code: 'INVALID_SIGNATURE', reason }
}

function parse(bytes: Uint8Array): Signature.Signature | undefined {
  try {
    return Signature.decode(bytes)
  } catch {
    return undefined
  }
}
