import { excerpt, Hex, Id } from '@firn/codec'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ValidityRequest, ValidityResult } from '../epochs/ValidityCheck.ts'
import { AggregatorError } from '../errors/AggregatorError.ts'
import { EpochJson, PeriodJson, periodJson, toJson, WarningsJson } from '../json/DestinationAnswer.ts'
import * as RequestBody from '../json/RequestBody.ts'
import * as Schema from '../Schema.ts'
import type { AppDependencies } from './AppDependencies.ts'
import { assertNetwork, FAILURES, Params } from './aggregate.ts'

/** The path of the check of signed messages. */
export const PATH = '/v1/validity/:network'

const FIELDS = {
  signedMessage: Schema.text('Signed Warp message; hex, 0x optional', Schema.EXAMPLE.message),
  destinationChain: Schema.optional(
    Schema.text(
      'Id of the chain that is to verify the message, in hex or cb58; default: the proposed height is used',
      Schema.EXAMPLE.chainId,
    ),
  ),
  signingSubnetId: RequestBody.Body.properties.signingSubnetId,
  quorumPercentage: RequestBody.Body.properties.quorumPercentage,
}
const Question = Schema.object('ValidityRequest', 'A signed message to check', FIELDS, {
  additionalProperties: false,
})

const Answer = Schema.object('Validity', 'At which P-chain heights a signed message verifies', {
  valid: Schema.flag('Whether the message verifies at the height that the destination uses now', true),
  signingSubnetId: Schema.text('Id of the subnet whose validators signed', Schema.EXAMPLE.subnetId),
  destinationChain: Schema.optional(
    Schema.text('Id of the chain that is to verify the message', Schema.EXAMPLE.chainId),
  ),
  epoch: Schema.optional(EpochJson),
  ...PeriodJson,
  heights: Schema.list(
    Schema.object('ValidityAtHeight', 'Whether the message verifies in a range of heights', {
      pChainHeight: Schema.height('First P-chain height'),
      lastPChainHeight: Schema.height('Last P-chain height'),
      valid: Schema.flag('Whether the message verifies', true),
      code: Schema.optional(Schema.text('The check that failed', 'INSUFFICIENT_WEIGHT')),
      reason: Schema.optional(Schema.text('Why it failed, in words', 'the signers have 60% of the weight')),
      signedWeight: Schema.weight('Weight of the validators that have signed'),
      neededWeight: Schema.weight('Weight that the quorum requires'),
      totalWeight: Schema.weight('Weight of all validators'),
      ...PeriodJson,
    }),
    'The heights that the destination uses now (first) and may use next',
  ),
  warnings: WarningsJson,
})

/** Adds the check of a signed message: GET with a query for short messages, POST with a JSON body for long ones. */
export function addValidityRoute(server: FastifyInstance, dependencies: AppDependencies): void {
  const schema = {
    summary: 'At which P-chain heights a signed Warp message verifies',
    tags: ['Signature aggregator'],
    params: Params,
    response: { 200: Answer, ...FAILURES },
  }
  const { bodyLimitBytes: bodyLimit } = dependencies.configuration
  server.get<Route>(
    PATH,
    { schema: { ...schema, operationId: 'getValidity', querystring: Question } },
    (request, reply) => answer(request, reply, fromQuery(request.query), dependencies),
  )
  server.post<Route>(
    PATH,
    { bodyLimit, schema: { ...schema, operationId: 'postValidity', body: Question } },
    (request, reply) => answer(request, reply, request.body, dependencies),
  )
}

interface Route {
  Params: { network: string }
  Querystring: Readonly<Record<string, unknown>>
}

async function answer(
  request: FastifyRequest<Route>,
  reply: FastifyReply,
  fields: unknown,
  dependencies: AppDependencies,
): Promise<unknown> {
  assertNetwork(request.params.network, dependencies)
  const question = parse(fields)
  const signal = AbortSignal.timeout(dependencies.configuration.requestTimeout)
  try {
    return reply.send(toAnswer(await dependencies.validity.check(question, signal)))
  } catch (error) {
    if (!signal.aborted) throw error
    throw new AggregatorError('AGGREGATOR_TIMEOUT', 'no result within the request time-out', { cause: error })
  }
}

/** Returns the query with the percentage as a number, if it is one. */
function fromQuery(query: Readonly<Record<string, unknown>>): unknown {
  const { quorumPercentage } = query
  const isNumber = typeof quorumPercentage === 'string' && /^\d{1,3}$/.test(quorumPercentage)
  return isNumber ? { ...query, quorumPercentage: Number(quorumPercentage) } : query
}

function parse(fields: unknown): ValidityRequest {
  RequestBody.assertShape(Question, fields)
  return {
    signedMessage: bytesOf(fields.signedMessage),
    destinationChain: RequestBody.idOf('destinationChain', 'blockchain', fields.destinationChain),
    signingSubnetId: RequestBody.idOf('signingSubnetId', 'subnet', fields.signingSubnetId),
    quorumPercentage: fields.quorumPercentage || RequestBody.DEFAULT_QUORUM,
  }
}

function bytesOf(hex: string): Uint8Array {
  try {
    return Hex.decodeAny(hex)
  } catch (cause) {
    throw new AggregatorError('AGGREGATOR_MESSAGE', `signedMessage: expected hex, got ${excerpt(hex)}`, {
      details: { field: 'signedMessage' },
      cause,
    })
  }
}

function toAnswer({ at, destination, heights, warnings }: ValidityResult) {
  const [current] = heights
  return {
    valid: current?.result.ok === true,
    signingSubnetId: Id.format(at.subnetId),
    ...(destination === undefined ? {} : toJson(destination)),
    ...(current === undefined ? {} : periodJson(current)),
    heights: heights.map(({ range, result, signedWeight, neededWeight, ...period }) => ({
      pChainHeight: range.first.toString(),
      lastPChainHeight: range.last.toString(),
      valid: result.ok,
      ...(result.ok ? {} : { code: result.code, reason: result.reason }),
      signedWeight: signedWeight.toString(),
      neededWeight: neededWeight.toString(),
      totalWeight: range.at.set.totalWeight.toString(),
      ...periodJson(period),
    })),
    warnings,
  }
}
