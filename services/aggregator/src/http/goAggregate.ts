import { Json } from '@firn/codec'
import type { FastifyInstance } from 'fastify'
import { GO_PATH } from '../callers/UnlimitedCallers.ts'
import { logError, toAggregatorError } from '../errors/RequestErrors.ts'
import { toAnswer } from '../json/Answer.ts'
import * as Schema from '../Schema.ts'
import type { RouteDependencies } from './AppDependencies.ts'
import { collect, Headers, RETRY } from './aggregate.ts'
import { REASON_HEADER, toGoError } from './GoError.ts'
import * as GoRequest from './GoRequest.ts'

const Failure = {
  ...Schema.object('GoFailure', 'An error', {
    error: Schema.text('The text of the Go service', 'Error unpacking warp message'),
  }),
  headers: {
    [REASON_HEADER]: Schema.text('What is wrong, and what to change', 'message: expected hex, got "zz"'),
    ...RETRY,
  },
}

/**
 * Adds the Go service's route, which answers every method except TRACE in the same way. Its bodies equal the bodies of the Go
 * service, byte by byte, and a header of error responses says what to change. The route expects the text of the body
 * as `request.body`.
 */
export function addGoRoute(server: FastifyInstance, dependencies: RouteDependencies): void {
  server.setErrorHandler((error, request, reply) => {
    logError(request, error)
    const { status, body, reason } = toGoError(toAggregatorError(error), goRequests.get(request))
    return reply.code(status).header(REASON_HEADER, reason).send(body)
  })
  server.setReplySerializer((answer) => Json.stringify(answer as Json.Json))
  /** Parsed requests, for the texts of errors that occur later. */
  const goRequests = new WeakMap<object, GoRequest.GoRequest>()
  const schema = {
    operationId: 'aggregateSignaturesLikeGo',
    summary: 'Collect signatures for a Warp message, in the format of the Go signature-aggregator',
    tags: ['Signature aggregator'],
    headers: Headers,
    body: GoRequest.GoBody,
    response: {
      200: Schema.object('GoSignedMessage', 'A signed message', {
        'signed-message': Schema.text('Signed Warp message in hex without 0x', Schema.EXAMPLE.message),
      }),
      '4xx': Failure,
      '5xx': Failure,
    },
  }
  const others = server.supportedMethods.filter((method) => method !== 'POST' && method !== 'TRACE')
  for (const [method, documentation] of [
    ['POST', schema],
    [others, { hide: true }],
  ] as const) {
    server.route({
      method: method as string | string[],
      url: GO_PATH,
      bodyLimit: dependencies.configuration.bodyLimitBytes,
      exposeHeadRoute: false,
      schema: documentation,
      handler: async (request, reply) => {
        const parsed = GoRequest.parse(typeof request.body === 'string' ? request.body : '')
        goRequests.set(request, parsed)
        const signed = await collect(request, reply, dependencies, parsed.request)
        const { signedMessage } = toAnswer(signed, dependencies.networkId, { report: false, proof: false })
        return reply.send({ 'signed-message': signedMessage })
      },
    })
  }
}
