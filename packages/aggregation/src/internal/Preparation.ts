import { Hex, Id, isFirnError } from '@firn/codec'
import { UnsignedMessage } from '@firn/warp'
import { AggregationError } from '../AggregationError.ts'
import type { AggregationRequest } from '../AggregationRequest.ts'
import type { Options } from '../Options.ts'
import * as Retry from '../Retry.ts'
import * as Target from '../Target.ts'
import * as RequestKey from './RequestKey.ts'
import type { Job } from './State.ts'

/** A checked request, with a key that is the same for equal requests. */
export interface Prepared {
  readonly job: Job
  readonly key: string
}

const EMPTY = new Uint8Array()

/**
 * Checks a request and returns the job for it.
 *
 * @throws AggregationError `AGGREGATION_INPUT`
 */
export function prepare(request: AggregationRequest, options: Options): Prepared {
  const { message, validatorSet, justification = EMPTY, inactive = new Set<number>() } = request
  const { quorumPercentage: quorum, bufferPercentage: buffer = 0 } = request
  const { slackPercentage: slack = options.slackPercentage } = request
  checkPercentages(quorum, buffer, slack)
  checkIndices(inactive, validatorSet.validators.length)
  if (!(request.deadlineMs > 0 && Number.isFinite(request.deadlineMs))) {
    throw input('deadlineMs', `expected a positive, finite number of milliseconds, got ${request.deadlineMs}`)
  }
  if (request.waitMs !== undefined && !(request.waitMs >= 0)) {
    throw input('waitMs', `expected at least 0 milliseconds, got ${request.waitMs}`)
  }
  const unsigned = decode(message)
  const chainKind = request.chainKind ?? Retry.chainKind(unsigned.sourceChainID)
  const job: Job = {
    message,
    messageId: Id.hash(message),
    unsigned,
    request: { message, justification },
    requestKey: RequestKey.ofRequest({ message, justification, chainKind }),
    validatorSet,
    inactive,
    quorumPercentage: quorum,
    target: Target.create(validatorSet.totalWeight, { quorum, buffer, slack }),
    chainKind,
    refusal: request.refusal,
    chain: Hex.encodeBare(unsigned.sourceChainID),
  }
  const { refusal } = request
  const parts = { message, justification, validatorSet, inactive, quorum, buffer, chainKind, refusal }
  return { job, key: RequestKey.create(parts) }
}

function checkPercentages(quorum: number, buffer: number, slack: number): void {
  if (!(Number.isInteger(quorum) && quorum >= 1 && quorum <= 100)) {
    throw input('quorumPercentage', `expected an integer from 1 to 100, got ${quorum}`)
  }
  if (!(Number.isInteger(buffer) && buffer >= 0 && quorum + buffer <= 100)) {
    throw input('bufferPercentage', `expected an integer from 0 to ${100 - quorum}, got ${buffer}`)
  }
  if (!(Number.isInteger(slack) && slack >= 0)) {
    throw input('slackPercentage', `expected an integer of at least 0, got ${slack}`)
  }
}

function checkIndices(inactive: ReadonlySet<number>, validators: number): void {
  for (const index of inactive) {
    if (!(Number.isInteger(index) && index >= 0 && index < validators)) {
      throw input(
        'inactive',
        `expected indices in the canonical set of ${validators} validators, got ${index}`,
      )
    }
  }
}

function decode(message: Uint8Array): UnsignedMessage.UnsignedMessage {
  try {
    return UnsignedMessage.decode(message)
  } catch (error) {
    if (!isFirnError(error)) throw error
    throw input('message', `not an unsigned Warp message: ${error.message}`, error)
  }
}

function input(field: string, message: string, cause?: unknown): AggregationError {
  return new AggregationError('AGGREGATION_INPUT', `${field}: ${message}`, { details: { field }, cause })
}
