import type { Json } from '@firn/codec'
import { type Static, Type } from 'typebox'
import { AggregatorError } from '../errors/AggregatorError.ts'
import type { Parts } from '../json/Answer.ts'
import * as RequestBody from '../json/RequestBody.ts'
import * as Schema from '../Schema.ts'
import type { Limits } from '../signing/Signatures.ts'
import type { Share } from './FairSlots.ts'
import type { Tracker } from './JobProgress.ts'
import { Result, type Signing, sign } from './Signing.ts'

/** Maximum number of messages in a batch. */
const MAX_MESSAGES = 256
/** Maximum number of messages in a batch whose response contains reports or proofs, which may be large. */
const MAX_DETAILED_MESSAGES = 32

/** The body of `POST /v1/signatureAggregator/{network}/aggregateSignatures:batch`. */
export const BatchBody = Schema.object(
  'BatchRequest',
  'Messages to sign',
  {
    messages: Schema.list(RequestBody.Body, 'Requests, each as for a single message', {
      minItems: 1,
      maxItems: MAX_MESSAGES,
    }),
  },
  { additionalProperties: false },
)

/** The same body, but with messages that are checked one by one, so that one invalid message fails alone. */
const UncheckedBody = Type.Object(
  {
    messages: Type.Array(Type.Unsafe<Json.Json>(Type.Unknown()), {
      minItems: 1,
      maxItems: MAX_MESSAGES,
      'x-expected': `a list of 1 to ${MAX_MESSAGES} requests`,
    }),
  },
  { additionalProperties: false },
)

/** The response to a batch. */
export const BatchAnswer = Schema.object('BatchResponse', 'Results for several messages', {
  results: Schema.list(
    Result,
    'One result for each message, in order: either signedMessage, or message, error and statusCode',
  ),
})

/**
 * Checks the body of a batch and returns its messages, which are not checked yet.
 * @throws AggregatorError `AGGREGATOR_BODY`, `AGGREGATOR_FIELD`
 */
export function parseBatch(body: Json.Json, parts: Parts): readonly Json.Json[] {
  RequestBody.assertShape(UncheckedBody, body)
  assertCount(body.messages.length, parts)
  return body.messages
}

/**
 * Checks the number of messages.
 * @throws AggregatorError `AGGREGATOR_FIELD`
 */
export function assertCount(count: number, parts: Parts): void {
  const included = parts.report ? 'report' : parts.proof ? 'proof' : undefined
  if (included !== undefined && count > MAX_DETAILED_MESSAGES) {
    throw new AggregatorError(
      'AGGREGATOR_FIELD',
      `${included}: expected at most ${MAX_DETAILED_MESSAGES} messages if ${included} is true, got ${count}`,
      { details: { field: included } },
    )
  }
  if (count > MAX_MESSAGES) {
    throw new AggregatorError(
      'AGGREGATOR_FIELD',
      `messages: expected at most ${MAX_MESSAGES}, got ${count}`,
      {
        details: { field: 'messages' },
      },
    )
  }
}

/**
 * Has every message signed, and returns the results in the order of the messages. A message that fails does
 * not affect the others.
 */
export async function signAll(
  messages: readonly unknown[],
  parts: Parts,
  limits: Limits,
  { share, tracker }: { readonly share: Share; readonly tracker?: Tracker },
  signing: Signing,
): Promise<Static<typeof BatchAnswer>> {
  const end = signing.clock.now() + limits.deadlineMs
  tracker?.begin(messages.length)
  const results = messages.map((body, index) => {
    const watcher = tracker?.watcher(index)
    return sign(body, parts, { ...limits, end, share, watcher }, signing)
  })
  return { results: await Promise.all(results) }
}
