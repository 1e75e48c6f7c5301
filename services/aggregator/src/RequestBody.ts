import { Hex, Id } from '@firn/codec'
import { type Static, type TSchema, Type } from 'typebox'
import { AggregatorError, type AggregatorErrorCode } from './AggregatorError.ts'
import { excerpt, firstProblem, sentence } from './Validation.ts'

const DEFAULT_QUORUM = 67
const MAX_U64 = 2n ** 64n - 1n

const hex = (description: string) =>
  Type.String({ description: `${description}; hex, 0x optional`, examples: ['0x00'] })

const percentage = (fallback: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 100, default: fallback, description })

const height = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 0,
  description: 'P-chain height of the validator set; 0 means the proposed height',
})

/** The body of `POST /v1/signatureAggregator/{network}/aggregateSignatures`. */
export const Body = Type.Object(
  {
    message: Type.Optional(hex('unsigned Warp message, or the data of its SendWarpMessage event')),
    justification: Type.Optional(
      hex(
        'proof that P-chain validators require; without a message, it implies the P-chain message that it justifies',
      ),
    ),
    signingSubnetId: Type.Optional(
      Type.String({
        description:
          'id of the subnet whose validators sign, in hex or cb58; default: the subnet of the message’s source chain',
      }),
    ),
    quorumPercentage: Type.Optional(
      percentage(DEFAULT_QUORUM, 'percentage of the weight that must sign; 0 means the default'),
    ),
    quorumPercentageBuffer: Type.Optional(
      percentage(
        0,
        'percentage to collect beyond the quorum, in case the validator set changes; quorum and buffer together are at most 100',
      ),
    ),
    pChainHeight: Type.Optional(height),
    deadlineMs: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'milliseconds within which the caller needs a response; at most the request time-out of the service',
      }),
    ),
  },
  { additionalProperties: false },
)

/** The body of the Go service's `POST /aggregate-signatures`. Both spellings of the height are accepted. */
export const GoBody = Type.Object({
  message: Body.properties.message,
  justification: Body.properties.justification,
  'signing-subnet-id': Body.properties.signingSubnetId,
  'quorum-percentage': Body.properties.quorumPercentage,
  'quorum-percentage-buffer': Body.properties.quorumPercentageBuffer,
  'pchain-height': Body.properties.pChainHeight,
  'p-chain-height': Body.properties.pChainHeight,
})

/** The rule that a rejected field violates. The Go service's route derives its error texts from the rule. */
export type Rule = 'shape' | 'range' | 'sum' | 'hex' | 'absent' | 'id'

/**
 * A request with decoded fields that are within their ranges. The fields have not been checked in any other
 * way.
 */
export interface AggregateRequest {
  /** The received bytes: an unsigned message or event data. */
  readonly message: Uint8Array | undefined
  readonly justification: Uint8Array | undefined
  /** Id of the signing subnet (32 bytes). */
  readonly signingSubnetId: Uint8Array | undefined
  /** Required quorum in percent, from 1 to 100. */
  readonly quorumPercentage: number
  /** Additional percentage beyond the quorum, from 0 to 100 − quorum. */
  readonly bufferPercentage: number
  readonly height: bigint | 'proposed'
  /** Milliseconds within which the caller needs a response. */
  readonly deadlineMs: number | undefined
}

/**
 * Parses a request body of `POST /v1/signatureAggregator/{network}/aggregateSignatures`.
 * @throws AggregatorError `AGGREGATOR_BODY`, `AGGREGATOR_FIELD`, `AGGREGATOR_MESSAGE`
 */
export function parse(body: unknown): AggregateRequest {
  assertShape(Body, body)
  return toRequest(body, {
    signingSubnetId: 'signingSubnetId',
    quorumPercentage: 'quorumPercentage',
    quorumPercentageBuffer: 'quorumPercentageBuffer',
  })
}

/**
 * Parses a request body of the Go service's route. Unknown fields are ignored, null and an empty subnet count
 * as absent, and 2^64 − 1 means the proposed height.
 * @throws AggregatorError `AGGREGATOR_BODY`, `AGGREGATOR_FIELD`, `AGGREGATOR_MESSAGE`
 */
export function parseGo(body: unknown): AggregateRequest {
  const fields = withoutNulls(body)
  assertShape(GoBody, fields)
  const given: Fields = {
    message: fields.message,
    justification: fields.justification,
    signingSubnetId: fields['signing-subnet-id'] || undefined,
    quorumPercentage: fields['quorum-percentage'],
    quorumPercentageBuffer: fields['quorum-percentage-buffer'],
    pChainHeight: fields['pchain-height'] || fields['p-chain-height'],
    deadlineMs: undefined,
  }
  return toRequest(given, {
    signingSubnetId: 'signing-subnet-id',
    quorumPercentage: 'quorum-percentage',
    quorumPercentageBuffer: 'quorum-percentage-buffer',
  })
}

type Fields = { readonly [Name in keyof Static<typeof Body>]: Static<typeof Body>[Name] | undefined }
type Spelling = Readonly<Record<'signingSubnetId' | 'quorumPercentage' | 'quorumPercentageBuffer', string>>

function assertShape<S extends TSchema>(schema: S, body: unknown): asserts body is Static<S> {
  const problem = firstProblem(schema, body, 'body')
  if (problem === undefined) return
  if (problem.field === 'body') throw refused('AGGREGATOR_BODY', sentence(problem), problem.field, 'shape')
  const value = (body as Readonly<Record<string, unknown>>)[problem.field]
  const isCount = typeof value === 'bigint' || (Number.isInteger(value) && (value as number) >= 0)
  throw refused('AGGREGATOR_FIELD', sentence(problem), problem.field, isCount ? 'range' : 'shape')
}

function toRequest(fields: Fields, spelling: Spelling): AggregateRequest {
  const message = bytesOf('message', fields.message)
  const justification = bytesOf('justification', fields.justification)
  if (message === undefined && justification === undefined) {
    throw refused(
      'AGGREGATOR_MESSAGE',
      'message: expected a message, a justification, or both, got neither',
      'message',
      'absent',
    )
  }
  const quorumPercentage = fields.quorumPercentage || DEFAULT_QUORUM
  const bufferPercentage = fields.quorumPercentageBuffer ?? 0
  if (quorumPercentage + bufferPercentage > 100) {
    const names = `${spelling.quorumPercentage} and ${spelling.quorumPercentageBuffer}`
    const sum = quorumPercentage + bufferPercentage
    throw refused(
      'AGGREGATOR_FIELD',
      `${names}: expected a sum of at most 100, got ${quorumPercentage} + ${bufferPercentage} = ${sum}`,
      spelling.quorumPercentageBuffer,
      'sum',
    )
  }
  return {
    message,
    justification,
    signingSubnetId: subnetOf(spelling.signingSubnetId, fields.signingSubnetId),
    quorumPercentage,
    bufferPercentage,
    height: fields.pChainHeight ? BigInt(fields.pChainHeight) : 'proposed',
    deadlineMs: fields.deadlineMs,
  }
}

function bytesOf(field: string, text: string | undefined): Uint8Array | undefined {
  if (text === undefined || text === '' || text === '0x') return undefined
  try {
    return Hex.decodeAny(text)
  } catch (cause) {
    throw refused('AGGREGATOR_MESSAGE', `${field}: ${(cause as Error).message}`, field, 'hex', cause)
  }
}

function subnetOf(field: string, text: string | undefined): Uint8Array | undefined {
  if (text === undefined) return undefined
  const isHex = /^(?:0x)?[0-9a-fA-F]{64}$/.test(text)
  try {
    return isHex ? Hex.decodeAny(text) : Id.parse(text)
  } catch (cause) {
    throw refused(
      'AGGREGATOR_FIELD',
      `${field}: expected a subnet id in 64 hex digits or cb58, got ${excerpt(text)}`,
      field,
      'id',
      cause,
    )
  }
}

function withoutNulls(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const given = Object.entries(body).filter(([, value]) => value !== null)
  return Object.fromEntries(given.map(([name, value]) => [name, isAnyHeight(name, value) ? 0 : value]))
}

function isAnyHeight(name: string, value: unknown): boolean {
  return (name === 'pchain-height' || name === 'p-chain-height') && value === MAX_U64
}

function refused(
  code: AggregatorErrorCode,
  message: string,
  field: string,
  rule: Rule,
  cause?: unknown,
): AggregatorError {
  return new AggregatorError(code, message, { details: { field, rule }, cause })
}
