import type { FastifyInstance } from 'fastify'
import type { Assessment } from '../forecast/Forecast.ts'
import * as RequestBody from '../json/RequestBody.ts'
import * as Schema from '../Schema.ts'
import type { AppDependencies } from './AppDependencies.ts'
import { assertNetwork, FAILURES, NETWORK } from './aggregate.ts'
import { assertParameters } from './parameters.ts'
import { parsePercentage, QUORUM_PERCENTAGE, QuorumSummary, toSummary } from './quorum.ts'

const Query = Schema.parameters({
  quorumPercentage: QUORUM_PERCENTAGE,
  sourceChain: Schema.optional(
    Schema.text(
      'Only the subnet whose validators sign messages of this blockchain, in hex or cb58; starts to connect to them',
      Schema.EXAMPLE.chainId,
    ),
  ),
})

const Quorums = Schema.object('ListQuorumsResponse', 'The states of several subnets', {
  subnets: Schema.list(QuorumSummary, 'Subnets to whose validators this service connects'),
})

/** Adds the route that lists whether the validators of the connected subnets can reach a quorum now. */
export function addQuorumsRoute(server: FastifyInstance, dependencies: AppDependencies): void {
  server.get<{ Params: { network: string }; Querystring: Readonly<Record<string, unknown>> }>(
    '/v1/quorum/:network',
    {
      schema: {
        operationId: 'listQuorums',
        summary: 'Whether the validators of the connected subnets can reach a quorum now',
        description:
          'Lists the Primary Network, the configured subnets, and the subnets of recent requests. With `sourceChain`, the list has the subnet whose validators sign the messages of that chain.',
        tags: ['Signature aggregator'],
        params: Schema.parameters({ network: NETWORK }),
        querystring: Query,
        response: { 200: Quorums, ...FAILURES },
      },
    },
    async ({ params, query }, reply) => {
      assertNetwork(params.network, dependencies)
      assertParameters(query, Query)
      const quorumPercentage = parsePercentage(query['quorumPercentage'])
      const assessed = await assess(query['sourceChain'], quorumPercentage, dependencies)
      return reply
        .header('cache-control', 'no-store')
        .send({ subnets: assessed.map((one) => toSummary(one, quorumPercentage)) })
    },
  )
}

async function assess(
  sourceChain: unknown,
  quorumPercentage: number,
  { forecast }: AppDependencies,
): Promise<readonly Assessment[]> {
  if (sourceChain === undefined) return forecast.assessTracked(quorumPercentage)
  const chainId = RequestBody.parseId('sourceChain', 'blockchain', String(sourceChain))
  return [await forecast.assessSigners(chainId, quorumPercentage)]
}
