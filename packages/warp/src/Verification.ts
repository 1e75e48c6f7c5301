import { PublicKey, Signature } from '@firn/bls'
import * as BitSet from './BitSet.ts'
import * as Quorum from './Quorum.ts'
import type { SignedMessage } from './SignedMessage.ts'
import * as UnsignedMessage from './UnsignedMessage.ts'
import * as ValidatorSet from './ValidatorSet.ts'

/** What a message is verified against. */
export interface Context {
  /** The verifier's network: 1 mainnet, 5 fuji. */
  readonly networkID: number
  /** Of the signing subnet, at the P-chain height that the verifier uses. */
  readonly validatorSet: ValidatorSet.ValidatorSet
  readonly quorum: Quorum.Quorum
}

/** The message is valid: these validators (canonical indices, ascending), of this weight together, signed it. */
export interface Valid {
  readonly ok: true
  readonly signers: readonly number[]
  readonly signedWeight: bigint
  readonly totalWeight: bigint
}

/**
 * The first check that failed, with its facts; `reason` is a sentence for people. In the order of the checks:
 * - `WRONG_NETWORK`: the message is of another network.
 * - `SIGNERS_NOT_CANONICAL`: the signer bit set has leading zero bytes.
 * - `UNKNOWN_SIGNER`: its highest index is not in the validator set (of another height, perhaps).
 * - `INSUFFICIENT_WEIGHT`: the signers weigh less than the quorum.
 * - `MALFORMED_SIGNATURE`: the 96 bytes are no signature.
 * - `NO_SIGNERS`: nobody signed, and the quorum asks for nobody.
 * - `INVALID_SIGNATURE`: the signature is not that of these signers over this message.
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

/** What {@link verify} answers. */
export type Result = Valid | Invalid

/**
 * Whether enough validators signed the message, or the first reason why not. Never throws for anything the message holds. The order of the
 * checks is the reference's, so that both name the same reason. Source: avalanchego `warp.BitSetSignature.Verify`.
 * @example
 * const result = Verification.verify(SignedMessage.decode(bytes), { networkID: 1, validatorSet, quorum: Quorum.DEFAULT })
 */
export function verify(message: SignedMessage, context: Context): Result {
  const { signers, signature } = message.signature
  const { validatorSet } = context
  const refused = checkNetwork(message, context) ?? checkSigners(signers, validatorSet)
  if (refused !== undefined) return refused
  const indices = BitSet.decode(signers)
  const signedWeight = ValidatorSet.weightOf(validatorSet, indices)
  return (
    checkWeight(signedWeight, context) ??
    checkSignature(message, indices, signature, validatorSet) ?? {
      ok: true,
      signers: indices,
      signedWeight,
      totalWeight: validatorSet.totalWeight,
    }
  )
}

function checkNetwork(message: SignedMessage, context: Context): Invalid | undefined {
  const { networkID: expected } = context
  const { networkID: got } = message.unsigned
  if (got === expected) return undefined
  return {
    ok: false,
    code: 'WRONG_NETWORK',
    expected,
    got,
    reason: `expected a message of network ${expected}, got one of ${got}`,
  }
}

function checkSigners(signers: Uint8Array, validatorSet: ValidatorSet.ValidatorSet): Invalid | undefined {
  if (!BitSet.isCanonical(signers)) {
    return {
      ok: false,
      code: 'SIGNERS_NOT_CANONICAL',
      reason: 'expected signers without leading zero bytes, got some',
    }
  }
  const index = BitSet.bitLength(signers) - 1
  const { length } = validatorSet.validators
  if (index < length) return undefined
  const reason = `expected signers among ${length} validators with keys, got index ${index}`
  return { ok: false, code: 'UNKNOWN_SIGNER', index, validators: length, reason }
}

function checkWeight(signedWeight: bigint, { validatorSet, quorum }: Context): Invalid | undefined {
  const { totalWeight } = validatorSet
  if (Quorum.isMet(signedWeight, totalWeight, quorum.numerator, quorum.denominator)) return undefined
  const reason = `expected signers with ${quorum.numerator}/${quorum.denominator} of the weight ${totalWeight}, got ${signedWeight}`
  return { ok: false, code: 'INSUFFICIENT_WEIGHT', signedWeight, totalWeight, quorum, reason }
}

function checkSignature(
  message: SignedMessage,
  indices: readonly number[],
  bytes: Uint8Array,
  validatorSet: ValidatorSet.ValidatorSet,
): Invalid | undefined {
  const signature = parse(bytes)
  if (signature === undefined) {
    return {
      ok: false,
      code: 'MALFORMED_SIGNATURE',
      reason: 'expected 96 bytes that are a point of the signature group, got others',
    }
  }
  if (indices.length === 0)
    return { ok: false, code: 'NO_SIGNERS', reason: 'expected at least one signer, got none' }
  const keys = indices.map(
    (index) => (validatorSet.validators[index] as ValidatorSet.CanonicalValidator).publicKey,
  )
  if (Signature.verify(PublicKey.aggregate(keys), UnsignedMessage.encode(message.unsigned), signature))
    return undefined
  return {
    ok: false,
    code: 'INVALID_SIGNATURE',
    reason: `expected the signature of these ${indices.length} signers over this message, got another`,
  }
}

function parse(bytes: Uint8Array): Signature.Signature | undefined {
  try {
    return Signature.decode(bytes)
  } catch {
    return undefined
  }
}
