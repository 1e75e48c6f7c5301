import type { Json } from '@firn/codec'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Callers } from '../callers/Callers.ts'
import { logError, toAggregatorError } from '../errors/RequestErrors.ts'
import * as Batch from '../jobs/Batch.ts'
import type { Share } from '../jobs/FairSlots.ts'
import { isSource, parseSource, SourceBody, signSource } from '../jobs/SourceRequest.ts'
import { Answer, type Parts, toAnswer, toFailure } from '../json/Answer.ts'
import * as RequestBody from '../json/RequestBody.ts'
import * as Schema from '../Schema.ts'
import { reportOf } from '../signing/Quorum.ts'
import type { RouteDependencies } from './AppDependencies.ts'
import { Accepted, accept, prefersAsync } from './accept.ts'
import {
  AsyncHeaders,
  assertNetwork,
  collect,
  FAILURES,
  limited,
  PATH,
  Params,
  parts,
  Query,
} from './aggregate.ts'

/** A signed message, or the results for the messages of a transaction or block of a source chain. */
const AnyAnswer = Schema.union([Answer, Batch.BatchAnswer], 'A signed message, or results as in a batch')

/** The path of a batch. The router reads two colons as one. */
const BATCH_PATH = `${PATH}::batch`

const OFFICIAL_SDK = /^speakeasy-sdk\/typescript/

/**
 * Adds the route that the Data API has as well. Its error bodies are `{ message, error, statusCode }`, with
 * the report if it was requested.
 */
export function addAggregateRoute(server: FastifyInstance, dependencies: RouteDependencies): void {
  const { configuration, networkId, epochs } = dependencies
  server.setErrorHandler((error, request, reply) => {
    logError(request, error)
    const known = toAggregatorError(error)
    // Only errors with a report need the query, which may itself be the cause of other errors.
    const body = toFailure(known, reportOf(known) !== undefined && parts(request).report)
    return reply.code(body.statusCode).send(body)
  })
  // The serializers of the schemas would have to find out which of the responses it is.
  server.setReplySerializer((payload) => JSON.stringify(payload))
  server.post<{ Params: { network: string }; Body: Json.Json }>(
    PATH,
    {
      bodyLimit: configuration.bodyLimitBytes,
      schema: {
        operationId: 'aggregateSignatures',
        summary: 'Collect signatures for a Warp message',
        description:
          'A body with `sourceChain` is accepted as well, and answered like a batch; see aggregateSignatures:batch.',
        tags: ['Signature aggregator'],
        params: Params,
        headers: AsyncHeaders,
        querystring: Query,
        body: Schema.union(
          [RequestBody.Body, SourceBody],
          'A message, or a transaction or block of its source chain',
        ),
        response: {
          200: AnyAnswer,
          201: Answer,
          202: Accepted,
          ...FAILURES,
        },
      },
    },
    async (request, reply) => {
      assertNetwork(request.params.network, dependencies)
      const included = parts(request)
      if (isSource(request.body)) return answerSource(request, reply, included, dependencies)
      const parsed = RequestBody.parse(request.body)
      if (prefersAsync(request)) {
        if (parsed.destinationChain !== undefined) epochs.assertConfigured(parsed.destinationChain)
        const task = { kind: 'message', body: request.body, parts: included } as const
        return accept(request, reply, task, dependencies)
      }
      const signed = await collect(request, reply, dependencies, parsed)
      return reply
        .code(successStatus(request, configuration.successStatus))
        .send(toAnswer(signed, networkId, included))
    },
  )
}

/** Adds the route that has several messages signed by one request. */
export function addBatchRoute(server: FastifyInstance, dependencies: RouteDependencies): void {
  const { configuration, callers } = dependencies
  server.post<{ Params: { network: string }; Body: Json.Json }>(
    BATCH_PATH,
    {
      bodyLimit: configuration.bodyLimitBytes,
      schema: {
        operationId: 'aggregateSignaturesBatch',
        summary: 'Collect signatures for several Warp messages',
        description:
          'Signs a list of messages, or all messages of a transaction or block of a chain whose RPC the operator has configured. Each message counts as one request against the rate limit. A message that fails does not affect the others.',
        tags: ['Signature aggregator'],
        params: Params,
        headers: AsyncHeaders,
        querystring: Query,
        body: Schema.union(
          [Batch.BatchBody, SourceBody],
          'Messages, or a transaction or block of their source chain',
        ),
        response: {
          200: Batch.BatchAnswer,
          202: Accepted,
          ...FAILURES,
        },
      },
    },
    async (request, reply) => {
      assertNetwork(request.params.network, dependencies)
      const included = parts(request)
      if (isSource(request.body)) return answerSource(request, reply, included, dependencies)
      const messages = Batch.parseBatch(request.body, included)
      callers.limit.takeMessages(request, reply, messages.length)
      if (prefersAsync(request)) {
        const task = { kind: 'batch', body: messages, parts: included } as const
        return accept(request, reply, task, dependencies)
      }
      return limited(request, reply, undefined, dependencies, (limits) =>
        Batch.signAll(messages, included, limits, { share: shareOf(request, callers) }, dependencies),
      )
    },
  )
}

/**
 * Finds the messages of a transaction or block on its source chain, has them signed, and responds like a batch.
 * Their number is known only when they have been found, so a job counts as one request.
 */
async function answerSource(
  request: FastifyRequest<{ Body: Json.Json }>,
  reply: FastifyReply,
  included: Parts,
  dependencies: RouteDependencies,
) {
  const { callers, epochs, sourceChains } = dependencies
  const source = parseSource(request.body)
  sourceChains.assertConfigured(source.source.chainId)
  if (source.destinationChain !== undefined) epochs.assertConfigured(source.destinationChain)
  if (prefersAsync(request)) {
    const task = { kind: 'source', body: request.body, parts: included } as const
    return accept(request, reply, task, dependencies)
  }
  const onFound = (messages: number) => callers.limit.takeMessages(request, reply, messages)
  return limited(request, reply, source.deadlineMs, dependencies, (limits) =>
    signSource(source, included, limits, { share: shareOf(request, callers) }, dependencies, onFound),
  )
}

/** Returns the share of a request in the slots of batches. */
function shareOf(request: FastifyRequest, callers: Callers): Share {
  return { caller: callers.identify(request).name, request: request.id }
}

/**
 * Returns the status of a successful response. It can be 201, although the request creates nothing, because
 * the official TypeScript SDK accepts only 201.
 */
function successStatus(request: FastifyRequest, option: '200' | '201' | 'auto'): 200 | 201 {
  if (option === 'auto') return OFFICIAL_SDK.test(request.headers['user-agent'] ?? '') ? 201 : 200
  return option === '201' ? 201 : 200
}
