import type { Verification } from '@firn/warp'
import * as Case from '../Case.ts'

/** The reference's error texts in the order of its checks, with Firn's error code for each text. */
const REASONS: readonly (readonly [RegExp, Verification.Invalid['code']])[] = [
  [/^wrong networkID$/, 'WRONG_NETWORK'],
  [/^bitset is invalid$/, 'SIGNERS_NOT_CANONICAL'],
  [/^unknown validator: NumIndices \((\d+)\) >= NumFilteredValidators \((\d+)\)$/, 'UNKNOWN_SIGNER'],
  [/^signature weight is insufficient: (\d+)\*(\d+) > (\d+)\*(\d+)$/, 'INSUFFICIENT_WEIGHT'],
  [/^failed to parse signature: /, 'MALFORMED_SIGNATURE'],
  [/^no public keys$/, 'NO_SIGNERS'],
  [/^signature is invalid$/, 'INVALID_SIGNATURE'],
]

/**
 * Throws unless the result is a rejection for the reason in the reference's error text, with the same
 * numbers.
 */
export function checkReason(error: string, result: Verification.Result): void {
  const code =
    REASONS.find(([pattern]) => pattern.test(error))?.[1] ??
    `a known error code for the reference's error "${error}"`
  Case.same('reason', code, result.ok ? 'none' : result.code)
  const numbers = REASONS.flatMap(([pattern]) => pattern.exec(error)?.slice(1) ?? [])
  if (!result.ok && result.code === 'UNKNOWN_SIGNER') {
    Case.same('number of validators', numbers[1], String(result.validators))
  }
  if (!result.ok && result.code === 'INSUFFICIENT_WEIGHT') {
    const { signedWeight, totalWeight, quorum } = result
    Case.same('weights', numbers, [quorum.numerator, totalWeight, quorum.denominator, signedWeight])
  }
}
