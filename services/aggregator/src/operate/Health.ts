import { Bytes, Id } from '@firn/codec'
import type { Clock } from '@firn/runtime'
import { Quorum } from '@firn/warp'
import type { Static } from 'typebox'
import type { Heights } from '../p-chain/Heights.ts'
import type { Ledger } from '../p-chain/Ledger.ts'
import { percentage } from '../peers/ConnectedWeight.ts'
import type { Connections, SubnetWeight } from '../peers/Connections.ts'
import * as Schema from '../Schema.ts'
import type { Database } from '../shared-log/Database.ts'

/** Percentage of a subnet's weight that must be connected. It equals the quorum that the P-chain requires. */
const NEEDED_PERCENTAGE = 67

const state = (description: string) => Schema.choice(['up', 'down'], description)

/**
 * The response body of `GET /health`. The status is 200 when up and 503 when down. `problems` contains the
 * reasons.
 */
export const Health = Schema.object('Health', 'Health of the service', {
  status: state('Whether signatures can be collected now'),
  problems: Schema.list(
    Schema.text('A problem', 'the P-chain API has not responded for 30 seconds'),
    'What is wrong; empty if nothing is',
  ),
  network: Schema.text('Name of the network', 'fuji'),
  networkId: Schema.integer('Id of the network', 5),
  upstream: Schema.object('UpstreamHealth', 'State of the P-chain API', {
    status: state('Whether the P-chain API responds'),
    proposedHeight: Schema.optional(Schema.height('Proposed P-chain height')),
    confirmedSecondsAgo: Schema.optional(
      Schema.number('Seconds since the P-chain API has confirmed the proposed height', 1.2),
    ),
    problem: Schema.optional(Schema.text('What is wrong', 'the node did not respond in time')),
  }),
  sync: Schema.optional(
    Schema.object(
      'LedgerSync',
      'How far the P-chain is synced, if validator sets come from its own ledger instead of node APIs',
      {
        phase: Schema.text('Phase of the sync', 'fetching'),
        height: Schema.optional(Schema.height('P-chain height that is stored')),
        tip: Schema.optional(Schema.height('P-chain height of the network')),
        blocksPerSecond: Schema.number('Blocks that are stored per second', 2_500),
        secondsLeft: Schema.optional(Schema.integer('Estimated seconds until the tip is reached', 600)),
        peers: Schema.optional(Schema.integer('Number of peers that blocks come from', 12)),
      },
    ),
  ),
  messageLog: Schema.optional(
    Schema.object(
      'MessageLogHealth',
      'State of the database of --database-url; while it is degraded, signatures are collected without it',
      {
        status: Schema.choice(['up', 'degraded'], 'Whether the database responds'),
        problem: Schema.optional(Schema.text('What is wrong', 'the database cannot be reached')),
      },
    ),
  ),
  subnets: Schema.list(
    Schema.object('SubnetHealth', 'Connections to the validators of a subnet', {
      subnetId: Schema.text('Id of the subnet', Schema.EXAMPLE.subnetId),
      status: state('Whether enough weight is connected'),
      connectedPercentage: Schema.number('Percentage of the weight that is connected', 98.2),
      neededPercentage: Schema.number('Percentage of the weight that must be connected', 67),
      connectedWeight: Schema.weight('Weight of the connected validators'),
      totalWeight: Schema.weight('Weight of all validators'),
      connectedValidators: Schema.integer('Number of connected validators', 812),
      validators: Schema.integer('Number of validators', 830),
    }),
    'Subnets that the service is connected to',
  ),
})

/** The response body of `GET /health`. */
export type Health = Static<typeof Health>

/** Dependencies of {@link check}. */
export interface HealthDependencies {
  readonly network: string
  readonly networkId: number
  readonly heights: Heights
  readonly connections: Pick<Connections, 'weights'>
  readonly clock: Clock
  readonly staleAfterMs: number
  /** The ledger that provides validator sets instead of node APIs, if there is one. */
  readonly ledger?: Pick<Ledger, 'status'> | undefined
  /** The database of the message log, if there is one. */
  readonly database?: Pick<Database, 'problem'> | undefined
}

/**
 * Returns whether this process can collect signatures now. The upstream must respond, and enough weight of
 * the Primary Network and of the configured subnets must be connected. Subnets that requests added are
 * listed, but do not affect the result.
 */
export async function check(dependencies: HealthDependencies): Promise<Health> {
  const { network, networkId, connections } = dependencies
  const upstream = await checkUpstream(dependencies)
  const weights = connections.weights()
  const subnets = weights.map(describe)
  const problems = weights.filter((weight) => weight.isConfigured && !isEnough(weight)).map(problemOf)
  if (!weights.some(({ subnetId }) => Bytes.isZero(subnetId)))
    problems.push('the validators of the Primary Network are not known yet')
  const name = dependencies.ledger === undefined ? 'P-chain API' : 'P-chain'
  if (upstream.problem !== undefined) problems.unshift(`${name}: ${upstream.problem}`)
  return {
    status: problems.length === 0 ? 'up' : 'down',
    problems,
    network,
    networkId,
    upstream,
    ...syncOf(dependencies),
    ...messageLogOf(dependencies),
    subnets,
  }
}

function syncOf({ ledger }: HealthDependencies): Pick<Health, 'sync'> {
  if (ledger === undefined) return {}
  const { phase, height, tip, blocksPerSecond, secondsLeft, peers } = ledger.status()
  return {
    sync: {
      phase,
      ...(height === undefined ? {} : { height: `${height}` }),
      ...(tip === undefined ? {} : { tip: `${tip}` }),
      blocksPerSecond: Math.round(blocksPerSecond * 10) / 10,
      ...(secondsLeft === undefined ? {} : { secondsLeft: Math.ceil(secondsLeft) }),
      ...(peers === undefined ? {} : { peers }),
    },
  }
}

/** A message log that is unavailable is no reason to send requests elsewhere. */
function messageLogOf({ database }: HealthDependencies): Pick<Health, 'messageLog'> {
  if (database === undefined) return {}
  const { problem } = database
  return { messageLog: problem === undefined ? { status: 'up' } : { status: 'degraded', problem } }
}

async function checkUpstream({
  heights,
  clock,
  staleAfterMs,
}: HealthDependencies): Promise<Health['upstream']> {
  const problem = await heights.proposed().then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  )
  const last = heights.last()
  if (last === undefined) return { status: 'down', problem: problem ?? 'no height is known yet' }
  const ageMs = clock.now() - last.confirmedAt
  const facts = { proposedHeight: last.height.toString(), confirmedSecondsAgo: Math.round(ageMs / 100) / 10 }
  if (problem === undefined && ageMs <= staleAfterMs) return { status: 'up', ...facts }
  return { status: 'down', ...facts, problem: problem ?? 'the last response is too old' }
}

function isEnough({ connected, total }: SubnetWeight): boolean {
  return Quorum.isMet(connected, total, BigInt(NEEDED_PERCENTAGE))
}

function describe(weight: SubnetWeight): Health['subnets'][number] {
  return {
    subnetId: Id.format(weight.subnetId),
    status: isEnough(weight) ? 'up' : 'down',
    connectedPercentage: percentage(weight.connected, weight.total),
    neededPercentage: NEEDED_PERCENTAGE,
    connectedWeight: weight.connected.toString(),
    totalWeight: weight.total.toString(),
    connectedValidators: weight.connectedValidators,
    validators: weight.validators,
  }
}

function problemOf({ subnetId, connected, total, validators, connectedValidators }: SubnetWeight): string {
  const name = Bytes.isZero(subnetId) ? 'Primary Network' : `subnet ${Id.format(subnetId)}`
  return `${name}: ${percentage(connected, total)} % of the weight is connected (${connectedValidators} of ${validators} validators), ${NEEDED_PERCENTAGE} % needed`
}
