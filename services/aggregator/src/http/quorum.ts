import { excerpt, Id, NodeId } from '@firn/codec'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { AggregatorError } from '../errors/AggregatorError.ts'
import type { Assessment } from '../forecast/Forecast.ts'
import * as QuorumForecast from '../forecast/QuorumForecast.ts'
import * as RequestBody from '../json/RequestBody.ts'
import { percentage } from '../peers/ConnectedWeight.ts'
import * as Schema from '../Schema.ts'
import type { AppDependencies } from './AppDependencies.ts'
import { assertNetwork, FAILURES, NETWORK } from './aggregate.ts'
import { assertParameters } from './parameters.ts'

const DEFAULT_QUORUM = 67

/** Members of the state of a subnet that do not grow with its validators. */
const SUMMARY = {
  subnetId: Schema.text('Id of the subnet', Schema.EXAMPLE.subnetId),
  pChainHeight: Schema.height('P-chain height of the validator set'),
  quorumPercentage: Schema.integer('Percentage of the weight that must sign', DEFAULT_QUORUM),
  status: Schema.choice(['ok', 'at-risk', 'no-quorum'], 'Whether the quorum can be reached'),
  risk: Schema.text('The risk in words; none if no risk is known', 'none'),
  totalWeight: Schema.weight('Weight of all validators'),
  neededWeight: Schema.weight('Weight that the quorum requires'),
  connectedWeight: Schema.weight('Weight of the connected validators'),
  answeringWeight: Schema.weight('Weight of the connected validators without a recent failure'),
  failingWeight: Schema.weight(
    'Weight of the connected validators that were recently silent or sent a wrong signature',
  ),
  disconnectedWeight: Schema.weight('Weight of the validators that are not connected'),
  cannotSignWeight: Schema.weight('Weight of inactive L1 validators and of validators without a BLS key'),
  marginWeight: Schema.weight(
    'Answering weight minus needed weight; negative if the quorum cannot be reached now',
  ),
  marginPercentage: Schema.number('Margin in percent of the total weight', 21.5),
}

/** JSON schema of the state of a subnet without its validators. */
export const QuorumSummary = Schema.object(
  'QuorumSummary',
  'Whether the validators of a subnet can reach a quorum now',
  SUMMARY,
)

const Quorum = Schema.object('Quorum', 'Whether the validators of a subnet can reach a quorum', {
  ...SUMMARY,
  nextChanges: Schema.list(
    Schema.object('SetChange', 'A known change of the validator set', {
      kind: Schema.choice(['stake-ends', 'balance-runs-out'], 'Why the validator leaves'),
      nodeId: Schema.text('NodeID of the validator', Schema.EXAMPLE.nodeId),
      weight: Schema.weight('Weight of the validator'),
      at: Schema.time('Time of the change'),
      marginPercentageAfter: Schema.number('Margin after this and all earlier changes', 20.1),
    }),
    'The next known changes of the set, at most 10; L1 balances at the current fee',
  ),
  unknown: Schema.list(
    Schema.text('A fact', 'the ends of staking periods and L1 balances, because the node API failed'),
    'What is not taken into account, because it is unknown',
  ),
  validators: Schema.list(
    Schema.object('QuorumValidator', 'State of one validator', {
      nodeIds: Schema.nodeIds(),
      weight: Schema.weight('Weight of the validator'),
      state: Schema.choice(['answering', 'failing', 'disconnected', 'inactive'], 'State of the validator'),
      reason: Schema.optional(Schema.text('Why it is failing', 'did not respond in time')),
    }),
    'Validators of the subnet',
  ),
})

/** The subnet in a path. */
export const SUBNET = Schema.text(
  'Subnet id in hex or cb58; 11111111111111111111111111111111LpoYY is the Primary Network',
  Schema.EXAMPLE.subnetId,
)

/** The parameter of the query for the quorum. */
export const QUORUM_PERCENTAGE = Schema.optional(
  Schema.integer('Percentage of the weight that must sign', DEFAULT_QUORUM, {
    minimum: 1,
    maximum: 100,
    default: DEFAULT_QUORUM,
  }),
)

const Query = Schema.parameters({ quorumPercentage: QUORUM_PERCENTAGE })

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
        params: Schema.parameters({ network: NETWORK, subnetId: SUBNET }),
        querystring: Query,
        response: { 200: Quorum, ...FAILURES },
      },
    },
    async ({ params, query }, reply) => {
      assertNetwork(params.network, dependencies)
      assertParameters(query, Query)
      const quorumPercentage = parsePercentage(query['quorumPercentage'])
      const assessed = await ofSubnet(params.subnetId, (subnetId) =>
        dependencies.forecast.assess(subnetId, quorumPercentage),
      )
      return reply.header('cache-control', 'no-store').send(toJson(assessed, quorumPercentage))
    },
  )
}

/** Returns the state of a subnet without its validators. */
export function toSummary(
  { at: { subnetId, height }, forecast }: Assessment,
  quorumPercentage: number,
): Static<typeof QuorumSummary> {
  const { weights, totalWeight, neededWeight, keylessWeight, margin } = forecast
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
  }
}

function toJson(assessed: Assessment, quorumPercentage: number): Static<typeof Quorum> {
  const { members, changes, unknown } = assessed.forecast
  return {
    ...toSummary(assessed, quorumPercentage),
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

/**
 * Returns the percentage of the query, or the default.
 * @throws AggregatorError `AGGREGATOR_FIELD`
 */
export function parsePercentage(given: unknown): number {
  if (given === undefined) return DEFAULT_QUORUM
  const number = typeof given === 'string' && /^\d{1,3}$/.test(given) ? Number(given) : Number.NaN
  if (number >= 1 && number <= 100) return number
  throw new AggregatorError(
    'AGGREGATOR_FIELD',
    `quorumPercentage: expected an integer from 1 to 100, got ${excerpt(given)}`,
    { details: { field: 'quorumPercentage' } },
  )
}
