import { excerpt, Hex, Id } from '@firn/codec'
import { Validation } from '@firn/http'
import type { Static, TSchema } from 'typebox'
import { AggregatorError, type AggregatorErrorCode } from '../errors/AggregatorError.ts'
import * as Schema from '../Schema.ts'
import type { AggregateRequest } from '../signing/AggregateRequest.ts'

/** Quorum of a request that asks for none, in percent. */
export const DEFAULT_QUORUM = 67

const hex = (description: string) => Schema.text(`${description}; hex, 0x optional`, Schema.EXAMPLE.message)

const percentage = (fallback: number, description: string) =>
  Schema.integer(description, fallback, { minimum: 0, maximum: 100, default: fallback })

const height = Schema.integer('P-chain height of the validator set; 0 means the proposed height', 0, {
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 0,
})

/** The body of `POST /v1/signatureAggregator/{network}/aggregateSignatures`. */
export const Body = Schema.object(
  'SignatureAggregatorRequest',
  'A message to sign',
  {
    message: Schema.optional(hex('Unsigned Warp message, or the data of its SendWarpMessage event')),
    justification: Schema.optional(
      hex(
        'Proof that P-chain validators require; without a message, it implies the P-chain message that it justifies',
      ),
    ),
    signingSubnetId: Schema.optional(
      Schema.text(
        'Id of the subnet whose validators sign, in hex or cb58; default: the subnet of the message’s source chain',
        Schema.EXAMPLE.subnetId,
      ),
    ),
    quorumPercentage: Schema.optional(
      percentage(DEFAULT_QUORUM, 'Percentage of the weight that must sign; 0 means the default'),
    ),
    quorumPercentageBuffer: Schema.optional(
      percentage(
        0,
        'Percentage to collect beyond the quorum, in case the validator set changes; quorum and buffer together are at most 100',
      ),
    ),
    pChainHeight: Schema.optional(height),
    deadlineMs: Schema.optional(
      Schema.integer(
        'Milliseconds within which the caller needs a response; at most the request time-out of the service',
        5_000,
        { minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      ),
    ),
    waitMs: Schema.optional(
      Schema.integer(
        'Milliseconds for which validators are asked again that do not know the message yet; at most until the deadline. With 0, each is asked once. Default: 3000, or 0 if they refuse because of the state of the P-chain',
        10_000,
        { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      ),
    ),
    destinationChain: Schema.optional(
      Schema.text(
        'Id of the chain that is to verify the message, in hex or cb58. The response then has signedMessages for the P-chain heights that the chain uses now and may use next. Excludes pChainHeight',
        Schema.EXAMPLE.chainId,
      ),
    ),
  },
  { additionalProperties: false },
)

/**
 * Parses a request body of `POST /v1/signatureAggregator/{network}/aggregateSignatures`.
 * @throws AggregatorError `AGGREGATOR_BODY`, `AGGREGATOR_FIELD`, `AGGREGATOR_MESSAGE`
 */
export function parse(body: unknown): AggregateRequest {
  assertShape(Body, body)
  const message = bytesOf('message', body.message)
  const justification = bytesOf('justification', body.justification)
  if (message === undefined && justification === undefined) {
    throw refused(
      'AGGREGATOR_MESSAGE',
      'message: expected a message, a justification, or both, got neither',
      'message',
    )
  }
  const quorumPercentage = body.quorumPercentage || DEFAULT_QUORUM
  const bufferPercentage = body.quorumPercentageBuffer ?? 0
  if (quorumPercentage + bufferPercentage > 100) {
    const sum = quorumPercentage + bufferPercentage
    throw refused(
      'AGGREGATOR_FIELD',
      `quorumPercentage and quorumPercentageBuffer: expected a sum of at most 100, got ${quorumPercentage} + ${bufferPercentage} = ${sum}`,
      'quorumPercentageBuffer',
    )
  }
  if (body.destinationChain !== undefined && body.pChainHeight) {
    throw refused(
      'AGGREGATOR_FIELD',
      `pChainHeight: expected no height, because destinationChain determines it, got ${body.pChainHeight}`,
      'pChainHeight',
    )
  }
  return {
    message,
    justification,
    destinationChain: idOf('destinationChain', 'blockchain', body.destinationChain),
    signingSubnetId: idOf('signingSubnetId', 'subnet', body.signingSubnetId),
    quorumPercentage,
    bufferPercentage,
    height: body.pChainHeight ? BigInt(body.pChainHeight) : 'proposed',
    deadlineMs: body.deadlineMs,
    waitMs: body.waitMs,
  }
}

/**
 * Throws unless `body` has the shape that the schema describes.
 * @throws AggregatorError `AGGREGATOR_BODY`, `AGGREGATOR_FIELD`
 */
export function assertShape<S extends TSchema>(schema: S, body: unknown): asserts body is Static<S> {
  const problem = Validation.firstProblem(schema, body, 'body')
  if (problem === undefined) return
  const code = problem.field === 'body' ? 'AGGREGATOR_BODY' : 'AGGREGATOR_FIELD'
  throw refused(code, Validation.sentence(problem), problem.field)
}

/**
 * Parses a field with bytes in hex. Returns undefined if it is absent or empty.
 * @throws AggregatorError `AGGREGATOR_MESSAGE`
 */
export function bytesOf(field: string, text: string | undefined): Uint8Array | undefined {
  if (text === undefined || text === '' || text === '0x') return undefined
  try {
    return Hex.decodeAny(text)
  } catch (cause) {
    throw refused('AGGREGATOR_MESSAGE', `${field}: ${(cause as Error).message}`, field, cause)
  }
}

type IdKind = 'subnet' | 'blockchain' | 'message'

/**
 * Parses an optional id in hex or cb58.
 * @throws AggregatorError `AGGREGATOR_FIELD`
 */
export function idOf(field: string, kind: IdKind, text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : parseId(field, kind, text)
}

/**
 * Parses an id in hex or cb58.
 * @throws AggregatorError `AGGREGATOR_FIELD`
 */
export function parseId(field: string, kind: IdKind, text: string): Uint8Array {
  const isHex = /^(?:0x)?[0-9a-fA-F]{64}$/.test(text)
  try {
    return isHex ? Hex.decodeAny(text) : Id.parse(text)
  } catch (cause) {
    throw refused(
      'AGGREGATOR_FIELD',
      `${field}: expected a ${kind} id in 64 hex digits or cb58, got ${excerpt(text)}`,
      field,
      cause,
    )
  }
}

function refused(
  code: AggregatorErrorCode,
  message: string,
  field: string,
  cause?: unknown,
): AggregatorError {
  return new AggregatorError(code, message, { details: { field }, cause })
}
