import type { DueToken, Metadata, TokenOutcome } from '@firn/evm-store'
import * as StorableText from '../evm/contracts/StorableText.ts'
import { type Failure, isPassing, STATUS_OF } from './Failure.ts'
import { type AttemptContext, nextAttempt } from './NextAttempt.ts'
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

/** Returns a token's row after an attempt. If the node had no answer, the number of attempts is not limited. */
export function outcomeOf(
  { contract, tokenId, attempts }: DueToken,
  uri: string,
  result: Result,
  at: AttemptContext,
): TokenOutcome {
  const checkedAt = BigInt(Math.floor(at.nowMs / 1_000))
  const row = { contract, tokenId, uri: StorableText.from(uri, MOST_CHARACTERS), checkedAt }
  if ('metadata' in result)
    return { ...row, indexStatus: 'INDEXED', metadata: result.metadata, attempts: 0, retryAt: undefined }
  const { failure, ...hints } = result
  const indexStatus = STATUS_OF[failure]
  const isTransient = isPassing(indexStatus)
  const isUnlimited = failure === 'no-answer'
  return {
    ...{ ...row, indexStatus, metadata: undefined },
    ...nextAttempt({ attempts, isTransient, isUnlimited, ...hints }, at),
  }
}
