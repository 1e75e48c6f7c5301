import { backoff } from '@firn/runtime'
import type { DueToken, Metadata, TokenOutcome } from '@firn/store'
import * as StorableText from '../evm/StorableText.ts'
import { type Failure, isPassing, STATUS_OF } from './Failure.ts'
import { MOST_CHARACTERS } from './TokenUri.ts'

/** Result of processing one token. */
export type Result =
  | { readonly metadata: Metadata }
  | {
      readonly failure: Failure
      readonly retryAfterSeconds?: number
      /**
       * End of the host's pause in milliseconds since the Unix epoch. It is set if no request was made because of the
       * pause.
       */
      readonly until?: number
    }

const FIRST_RETRY_SECONDS = 60
const LONGEST_RETRY_SECONDS = 86_400

/**
 * Returns a token's row after an attempt. Transient failures are retried after one, four and sixteen minutes
 * and so on, up to a day, with jitter. A retry does not happen before the time in a server's `retry-after`
 * header. A token is tried up to `mostAttempts` times, but without limit if the node had no answer.
 */
export function outcomeOf(
  { contract, tokenId, attempts }: DueToken,
  uri: string,
  result: Result,
  at: { readonly nowMs: number; readonly random: () => number; readonly mostAttempts: number },
): TokenOutcome {
  const checkedAt = BigInt(Math.floor(at.nowMs / 1_000))
  const row = { contract, tokenId, uri: StorableText.from(uri, MOST_CHARACTERS), checkedAt }
  if ('metadata' in result)
    return { ...row, indexStatus: 'INDEXED', metadata: result.metadata, attempts: 0, retryAt: undefined }
  const { failure, retryAfterSeconds = 0, until } = result
  const failed = { ...row, indexStatus: STATUS_OF[failure], metadata: undefined }
  const due = (seconds: number) => checkedAt + BigInt(Math.ceil(seconds))
  // Without jitter, all tokens of a collection would be retried at the same time.
  const backOff = (failures: number) =>
    backoff(failures, {
      random: at.random,
      first: FIRST_RETRY_SECONDS,
      longest: LONGEST_RETRY_SECONDS,
      factor: 4,
    })
  if (!isPassing(failed.indexStatus)) return { ...failed, attempts: 0, retryAt: undefined }
  if (until !== undefined)
    return {
      ...failed,
      attempts,
      retryAt: due(Math.max(until - at.nowMs, 0) / 1_000 + backOff(1)),
    }
  const tries = Math.min(attempts + 1, at.mostAttempts)
  if (tries === at.mostAttempts && failure !== 'no-answer')
    return { ...failed, attempts: tries, retryAt: undefined }
  return {
    ...failed,
    attempts: tries,
    retryAt: due(Math.min(retryAfterSeconds, LONGEST_RETRY_SECONDS) + backOff(tries)),
  }
}
