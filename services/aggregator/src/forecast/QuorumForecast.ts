import type { Misconduct } from '@firn/aggregation'
import { Hex, NodeId } from '@firn/codec'
import { Quorum, type ValidatorSet } from '@firn/warp'
import type { CurrentValidator } from '../p-chain/PChain.ts'
import { MIN_BALANCE } from '../p-chain/Subnets.ts'
import { percentage } from '../peers/ConnectedWeight.ts'

/** Maximum number of upcoming changes in a forecast. */
const MAX_CHANGES = 10
/** Changes within this time, in seconds, count as a risk. Validators often renew their stake later. */
const RISK_HORIZON_S = 7n * 24n * 3600n

/**
 * What a validator can do now:
 * - `answering`: connected, and no recent failure is known
 * - `failing`: connected, but it was recently silent or sent a wrong signature
 * - `disconnected`: not connected
 * - `inactive`: an L1 validator without a balance
 */
export type State = 'answering' | 'failing' | 'disconnected' | 'inactive'

/** A validator of the canonical set with its state. */
export interface Member {
  readonly nodeIds: readonly Uint8Array[]
  readonly weight: bigint
  readonly state: State
  /** Why the validator cannot sign now; undefined for `answering` and `inactive`. */
  readonly reason?: string
}

/** An event after which a validator cannot sign. */
export interface Event {
  /** The end of a staking period, or an L1 balance that runs out, so that the validator becomes inactive. */
  readonly kind: 'stake-ends' | 'balance-runs-out'
  readonly nodeId: Uint8Array
  readonly weight: bigint
  /** Unix seconds. */
  readonly at: bigint
}

/** An expected change of the set. */
export interface Change extends Event {
  /** Margin after the change, if nothing else changes except earlier entries. */
  readonly marginAfter: bigint
  /** Total weight after the change. */
  readonly totalAfter: bigint
}

/** Whether a subnet's validators can reach a quorum, now and in the near future. Weights are in units of stake. */
export interface Forecast {
  readonly members: readonly Member[]
  readonly totalWeight: bigint
  readonly neededWeight: bigint
  /** Weight of the members by state. */
  readonly weights: Readonly<Record<State, bigint>>
  /** Weight of nodes without a BLS key and of inactive L1 validators that the set counts only in its total. */
  readonly keylessWeight: bigint
  /** Answering weight minus needed weight. Negative if the quorum cannot be reached now. */
  readonly margin: bigint
  /** The next changes in the order of time, at most 10. */
  readonly changes: readonly Change[]
  /** The first known change that makes a quorum impossible, at any time; undefined if there is none, or no quorum now. */
  readonly loss: Change | undefined
  /** What could not be taken into account, in words. */
  readonly unknown: readonly string[]
  readonly status: 'ok' | 'at-risk' | 'no-quorum'
  /** The risk in words; `none` if no risk is known. */
  readonly risk: string
}

/** The facts about a subnet from which its forecast follows. */
export interface Facts {
  readonly set: ValidatorSet.ValidatorSet
  readonly quorumPercentage: number
  /** Unix seconds. */
  readonly now: bigint
  /** Returns the connection of a node, as the network reports it. */
  readonly connection: (nodeId: Uint8Array) => { readonly state: string; readonly reason?: string }
  /** Returns the recent failure of the validator with this decoded key. */
  readonly lately: (
    publicKey: ValidatorSet.ValidatorSet['validators'][number]['publicKey'],
  ) => Misconduct | undefined
  /** The current validators of the subnet; undefined if they are unknown. */
  readonly current: readonly CurrentValidator[] | undefined
  /** Time of the balances in `current`, in Unix seconds. */
  readonly balancesAt: bigint
  /** Fee of an active L1 validator in nAVAX per second; undefined if it is unknown. */
  readonly fee: bigint | undefined
}

/** Returns the forecast for a subnet. */
export function create(facts: Facts): Forecast {
  const { set, quorumPercentage } = facts
  const members = describeMembers(facts)
  const weights: Record<State, bigint> = { answering: 0n, failing: 0n, disconnected: 0n, inactive: 0n }
  for (const { state, weight } of members) weights[state] += weight
  const neededWeight = Quorum.needed(set.totalWeight, quorumPercentage)
  const margin = weights.answering - neededWeight
  const { changes, unknown } = predict(facts, members, weights.answering)
  const keyed = members.reduce((sum, { weight }) => sum + weight, 0n)
  const numbers = {
    members,
    totalWeight: set.totalWeight,
    neededWeight,
    weights,
    keylessWeight: set.totalWeight - keyed,
    margin,
    changes: changes.slice(0, MAX_CHANGES),
    loss: margin < 0n ? undefined : changes.find(({ marginAfter }) => marginAfter < 0n),
    unknown,
  }
  if (margin < 0n)
    return { ...numbers, status: 'no-quorum', risk: explainShortage(numbers, quorumPercentage) }
  const risks = [...namePivot(numbers), ...nameLoss(numbers, facts.now)]
  return { ...numbers, status: risks.length === 0 ? 'ok' : 'at-risk', risk: risks.join('; ') || 'none' }
}

function describeMembers({ set, connection, lately, current = [] }: Facts): readonly Member[] {
  const poor = new Set(
    current
      .filter(({ balance }) => balance !== undefined && balance < MIN_BALANCE)
      .map(({ nodeId }) => Hex.encodeBare(nodeId)),
  )
  return set.validators.map(({ nodeIds, weight, publicKey }): Member => {
    if (nodeIds.every((nodeId) => poor.has(Hex.encodeBare(nodeId))))
      return { nodeIds, weight, state: 'inactive' }
    const connections = nodeIds.map(connection)
    if (!connections.some(({ state }) => state === 'connected')) {
      const reason = connections[0]?.reason ?? 'no address is known'
      return { nodeIds, weight, state: 'disconnected', reason }
    }
    const failure = lately(publicKey)
    if (failure === undefined) return { nodeIds, weight, state: 'answering' }
    const detail = failure.text === undefined ? '' : `: ${failure.text}`
    return { nodeIds, weight, state: 'failing', reason: `${failure.outcome}${detail}` }
  })
}

/** Returns the changes of the set that are known to come, in the order of time, and what is unknown. */
function predict(
  { set, quorumPercentage, current, balancesAt, fee }: Facts,
  members: readonly Member[],
  answeringNow: bigint,
): { readonly changes: readonly Change[]; readonly unknown: readonly string[] } {
  if (current === undefined)
    return {
      changes: [],
      unknown: ['the ends of staking periods and L1 balances, because the node API failed'],
    }
  const byNode = new Map(
    members.flatMap((member) => member.nodeIds.map((nodeId) => [Hex.encodeBare(nodeId), member] as const)),
  )
  let total = set.totalWeight
  let answering = answeringNow
  const changes = current
    .flatMap((validator) => eventOf(validator, balancesAt, fee) ?? [])
    .sort((one, other) => (one.at < other.at ? -1 : 1))
    .map((event): Change => {
      const member = byNode.get(Hex.encodeBare(event.nodeId))
      // The weight in the set includes delegations, unless several nodes share the key.
      const weight = member?.nodeIds.length === 1 ? member.weight : event.weight
      if (event.kind === 'stake-ends') total -= weight
      if (member?.state === 'answering') answering -= weight
      const marginAfter = answering - Quorum.needed(total, quorumPercentage)
      return { ...event, weight, marginAfter, totalAfter: total }
    })
  const isL1 = current.some(({ balance }) => balance !== undefined && balance > 0n)
  const unknown =
    isL1 && !fee ? ['when L1 balances run out, because the node API does not return the fee'] : []
  return { changes, unknown }
}

/**
 * Returns when a validator's stake ends, or when its balance runs out; undefined if neither is known. `balancesAt` is the
 * time of the balance in Unix seconds.
 */
export function eventOf(
  { nodeId, weight, balance, endTime }: CurrentValidator,
  balancesAt: bigint,
  fee: bigint | undefined,
): Event | undefined {
  if (endTime !== undefined) return { kind: 'stake-ends', nodeId, weight, at: endTime }
  if (balance === undefined || balance < MIN_BALANCE || !fee) return undefined
  return { kind: 'balance-runs-out', nodeId, weight, at: balancesAt + balance / fee }
}

const SHORTAGES: readonly (readonly [State, string])[] = [
  ['disconnected', 'not connected'],
  ['failing', 'failed lately'],
]

function explainShortage(
  { weights, keylessWeight, totalWeight }: Pick<Forecast, 'weights' | 'keylessWeight' | 'totalWeight'>,
  quorumPercentage: number,
): string {
  const share = (weight: bigint) => `${percentage(weight, totalWeight)} %`
  const cannotSign = weights.inactive + keylessWeight
  const causes = SHORTAGES.filter(([state]) => weights[state] > 0n).map(
    ([state, words]) => `${share(weights[state])} ${words}`,
  )
  if (cannotSign > 0n) causes.push(`${share(cannotSign)} inactive or without a BLS key`)
  return `cannot reach quorum: ${share(weights.answering)} of the weight can sign now, ${quorumPercentage} % needed (${causes.join(', ')})`
}

/** Names the heaviest validator if the quorum depends on it. */
function namePivot({ members, margin, totalWeight }: Pick<Forecast, 'members' | 'margin' | 'totalWeight'>) {
  const answering = members.filter(({ state }) => state === 'answering')
  const heaviest = answering.reduce<Member | undefined>(
    (most, member) => (most === undefined || member.weight > most.weight ? member : most),
    undefined,
  )
  if (heaviest === undefined || heaviest.weight <= margin) return []
  const pivots = answering.filter(({ weight }) => weight > margin).length
  const who =
    pivots === 1
      ? heaviest.nodeIds.map(NodeId.format).join(' and ')
      : `any of ${pivots} validators, such as ${heaviest.nodeIds.map(NodeId.format).join(' and ')},`
  return [
    `loses quorum if ${who} stops signing (${percentage(heaviest.weight, totalWeight)} % of the weight)`,
  ]
}

/** Names the first change after which the quorum is lost, if it is near. */
function nameLoss({ loss }: Pick<Forecast, 'loss'>, now: bigint): readonly string[] {
  if (loss === undefined || loss.at > now + RISK_HORIZON_S) return []
  const event = loss.kind === 'stake-ends' ? 'staking period ends' : 'balance runs out'
  return [`loses quorum at ${formatTime(loss.at)}, when the ${event} of ${NodeId.format(loss.nodeId)}`]
}

/** Formats Unix seconds as ISO 8601, such as `2026-11-22T18:00:00Z`. */
export function formatTime(seconds: bigint): string {
  return new Date(Number(seconds) * 1_000).toISOString().replace('.000Z', 'Z')
}
