import { Hex, Id } from '@firn/codec'
import type { Clock } from '@firn/runtime'
import type { Static } from 'typebox'
import { AggregatorError } from '../errors/AggregatorError.ts'
import { logError } from '../errors/RequestErrors.ts'
import { Answer, Failure, type Parts, toAnswer, toFailure } from '../json/Answer.ts'
import * as RequestBody from '../json/RequestBody.ts'
import * as Schema from '../Schema.ts'
import type { AggregateRequest } from '../signing/AggregateRequest.ts'
import * as Message from '../signing/Message.ts'
import { reportOf } from '../signing/Quorum.ts'
import type { Limits, Signatures } from '../signing/Signatures.ts'
import type { FairSlots, Share } from './FairSlots.ts'
import type { Watcher } from './JobProgress.ts'
import { type SourceChains, SourceMessageJson } from './SourceChains.ts'

/** The result for one message of a batch: the response of the route for a single message, or its error. */
export const Result = Schema.object('BatchResult', 'Result for one message', {
  messageId: Schema.optional(
    Schema.text('Id of the unsigned message in hex; absent if it is not known', '0d'.repeat(32)),
  ),
  ...Schema.partial(SourceMessageJson.properties),
  ...Schema.partial(Answer.properties),
  ...Schema.partial(Failure.properties),
})

/** Dependencies of {@link sign}. */
export interface Signing {
  readonly signatures: Signatures
  readonly networkId: number
  readonly clock: Clock
  /** The limit on messages of batches and jobs that are signed at the same time. */
  readonly slots: FairSlots
  readonly sourceChains: SourceChains
}

/** The limits of one message. */
export interface MessageLimits extends Omit<Limits, 'deadlineMs'> {
  /** Time at which the result must be there, as returned by the clock. */
  readonly end: number
  /** Identifies the batch or job, so that the slots can be shared fairly. */
  readonly share: Share
  readonly watcher?: Watcher | undefined
}

/** Has one message signed, and returns the body of the response. Never throws. */
export async function sign(
  body: unknown,
  parts: Parts,
  { end, share, watcher, ...limits }: MessageLimits,
  { signatures, networkId, clock, slots }: Signing,
): Promise<Static<typeof Result>> {
  let messageId: string | undefined
  try {
    const request = RequestBody.parse(body)
    messageId = idOf(request)
    const ownEnd = Math.min(end, clock.now() + (request.deadlineMs ?? Number.POSITIVE_INFINITY))
    const signed = await slots.run(share, limits.signal, async () => {
      const deadlineMs = ownEnd - clock.now()
      if (deadlineMs <= 0) throw tooLate()
      watcher?.started(messageId)
      const onProgress = watcher === undefined ? {} : { onProgress: watcher.progressed }
      return signatures.collect(request, { ...limits, ...onProgress, deadlineMs, isBatch: true })
    })
    watcher?.signed(signed)
    return { ...(messageId === undefined ? {} : { messageId }), ...toAnswer(signed, networkId, parts) }
  } catch (cause) {
    const error = limits.signal.aborted ? limits.signal.reason : cause
    logError(limits, error)
    watcher?.failed(reportOf(error))
    return { ...(messageId === undefined ? {} : { messageId }), ...toFailure(error, parts.report) }
  }
}

function tooLate(): AggregatorError {
  return new AggregatorError('AGGREGATOR_TIMEOUT', 'the time of the request ended before this message’s turn')
}

/** Returns the id of a request's message in hex, or undefined if the message is missing or malformed. */
function idOf({ message }: AggregateRequest): string | undefined {
  if (message === undefined) return undefined
  try {
    return Hex.encode(Id.hash(Message.decode(message).bytes))
  } catch {
    return undefined
  }
}
