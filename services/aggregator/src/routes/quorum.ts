import { Id, NodeId } from '@firn/codec'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { AggregatorError } from '../AggregatorError.ts'
import type { AppDependencies } from '../AppDependencies.ts'
import * as QuorumForecast from '../foresight/QuorumForecast.ts'
import * as RequestBody from '../http/RequestBody.ts'
import { excerpt } from '../http/Validation.ts'
import type { SetAtHeight } from '../p-chain/ValidatorSets.ts'
import { percentage } from '../peers/ConnectedWeight.ts'
import { assertNetwork, FAILURES } from './aggregate.ts'
import { assertParameters } from './parameters.ts'

const DEFAULT_QUORUM = 67

const text = Type.String()
const time = Type.String({ description: 'ISO 8601 in UTC', examples: ['2026-11-22T18:00:00Z'] })
const weight = (description: string) => Type.String({ description: `${description}; decimal` })

const Quorum = Type.Object(
  {
    subnetId: text,
    pChainHeight: text,
    quorumPercentage: Type.Integer(),
    status: Type.Enum(['ok', 'at-risk', 'no-quorum']),
    risk: Type.String({ description: 'the risk in words; none if no risk is known' }),
    totalWeight: weight('weight of all validators'),
    neededWeight: weight('weight that the quorum requires'),
    connectedWeight: weight('weight of the connected validators'),
    answeringWeight: weight('weight of the connected validators without a recent failure'),
    failingWeight: weight(
      'weight of the connected validators that were recently silent or sent a wrong signature',
    ),
    disconnectedWeight: weight('weight of the validators that are not connected'),
    cannotSignWeight: weight('weight of inactive L1 validators and of validators without a BLS key'),
    marginWeight: weight(
      'answering weight minus needed weight; negative if the quorum cannot be reached now',
    ),
    marginPercentage: Type.Number({ description: 'margin in percent of the total weight' }),
    nextChanges: Type.Array(
      Type.Object({
        kind: Type.Enum(['stake-ends', 'balance-runs-out']),
        nodeId: text,
        weight: text,
        at: time,
        marginPercentageAfter: Type.Number({ description: 'margin after this and all earlier changes' }),
      }),
      { description: 'the next known changes of the set, at most 10; L1 balances at the current fee' },
    ),
    unknown: Type.Array(text, { description: 'what is not taken into account, because it is unknown' }),
    validators: Type.Array(
      Type.Object({
        nodeIds: Type.Array(text),
        weight: text,
        state: Type.Enum(['answering', 'failing', 'disconnected', 'inactive']),
        reason: Type.Optional(text),
      }),
    ),
  },
  { title: 'Quorum' },
)

const Query = Type.Object({
  quorumPercentage: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: DEFAULT_QUORUM })),
})

/** Adds the route that tells whether the validators of a subnet can reach a quorum, now and in the near future. */
export function addQuorumRoute(server: FastifyInstance, dependencies: AppDependencies): void {
  server.get<{
    Params: { network: string; subnetId: string }
    Querystring: Readonly<Record<string, unknown>>
  }>(
    '/v1/quorum/:network/:subnetId',
    {
      schema: {
        operationId: 'getQuorum',
        summary: 'Whether the validators of a subnet can reach a quorum, now and in the near future',
        tags: ['Signature aggregator'],
        params: Type.Object({
          network: Type.String({ description: 'mainnet, fuji (or testnet), local' }),
          subnetId: Type.String({
            description:
              'subnet id in hex or cb58; 11111111111111111111111111111111LpoYY is the Primary Network',
          }),
        }),
        querystring: Query,
        response: { 200: Quorum, ...FAILURES },
      },
    },
    async ({ params, query }, reply) => {
      assertNetwork(params.network, dependencies)
      assertParameters(query, Query)
      const quorumPercentage = parsePercentage(query['quorumPercentage'])
      const { at, forecast } = await ofSubnet(params.subnetId, (subnetId) =>
        dependencies.foresight.assess(subnetId, quorumPercentage),
      )
      return reply.header('cache-control', 'no-store').send(toJson(at, forecast, quorumPercentage))
    },
  )
}

function toJson(
  { subnetId, height }: SetAtHeight,
  forecast: QuorumForecast.Forecast,
  quorumPercentage: number,
): Static<typeof Quorum> {
  const { members, weights, totalWeight, neededWeight, keylessWeight, margin, changes, unknown } = forecast
  return {
    subnetId: Id.format(subnetId),
    pChainHeight: height.toString(),
    quorumPercentage,
    status: forecast.status,
    risk: forecast.risk,
    totalWeight: totalWeight.toString(),
    neededWeight: neededWeight.toString(),
    connectedWeight: (weights.answering + weights.failing).toString(),
    answeringWeight: weights.answering.toString(),
    failingWeight: weights.failing.toString(),
    disconnectedWeight: weights.disconnected.toString(),
    cannotSignWeight: (weights.inactive + keylessWeight).toString(),
    marginWeight: margin.toString(),
    marginPercentage: percentage(margin, totalWeight),
    nextChanges: changes.map((change) => ({
      kind: change.kind,
      nodeId: NodeId.format(change.nodeId),
      weight: change.weight.toString(),
      at: QuorumForecast.formatTime(change.at),
      marginPercentageAfter: percentage(change.marginAfter, change.totalAfter),
    })),
    unknown: [...unknown],
    validators: members.map(({ nodeIds, state, reason, ...member }) => ({
      nodeIds: nodeIds.map(NodeId.format),
      weight: member.weight.toString(),
      state,
      ...(reason === undefined ? {} : { reason }),
    })),
  }
}

/**
 * Calls `use` with the path parameter `subnetId`. Its errors name that parameter.
 * @throws AggregatorError `AGGREGATOR_FIELD`, and the errors of `use`
 */
export async function ofSubnet<T>(given: string, use: (subnetId: Uint8Array) => Promise<T>): Promise<T> {
  const subnetId = RequestBody.parseId('subnetId', 'subnet', given)
  try {
    return await use(subnetId)
  } catch (error) {
    if (!(error instanceof AggregatorError)) throw error
    const message = error.message.replace(/^signingSubnetId:/, 'subnetId:')
    throw new AggregatorError(error.code, message, { details: error.details, cause: error })
  }
}

function parsePercentage(given: unknown): number {
  if (given === undefined) return DEFAULT_QUORUM
  const number = typeof given === 'string' && /^\d{1,3}$/.test(given) ? Number(given) : Number.NaN
  if (number >= 1 && number <= 100) return number
  throw new AggregatorError(
    'AGGREGATOR_FIELD',
    `quorumPercentage: expected an integer from 1 to 100, got ${excerpt(given)}`,
    { details: { field: 'quorumPercentage' } },
  )
}
