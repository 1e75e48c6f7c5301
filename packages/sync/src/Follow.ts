import { Bytes } from '@firn/codec'
import { fetchAncestry } from './Ancestry.ts'
import type { BlockStore } from './BlockStore.ts'
import { reachableVoters } from './Frontier.ts'
import { type Context, createContext, type SyncDependencies } from './internal/Context.ts'
import { createScouts } from './internal/Scouts.ts'
import { askVoters } from './internal/Votes.ts'
import * as Poll from './Poll.ts'
import type { Tip } from './Tip.ts'
import * as Voters from './Voters.ts'

/** Options of {@link follow}. */
export interface FollowOptions extends SyncDependencies {
  /** The last accepted block that the store has, as `bootstrap` returned it. */
  readonly tip: Tip
  readonly store: BlockStore
}

/** New accepted blocks. The store has all of them, from height `from` to the tip. */
export interface Advance {
  readonly from: bigint
  readonly tip: Tip
}

/** A decision of the voters, and those that have the block. */
interface Decision {
  readonly vote: Poll.Vote
  readonly supporters: readonly Uint8Array[]
}

/** Polls in a row that did not decide. */
interface Undecided {
  readonly since: number
  readonly polls: number
}

/** The result of one round of a poll. */
interface Round {
  readonly decision: Decision | undefined
  /** The height to ask for next if there is no decision. */
  readonly commonHeight: bigint | undefined
}

/** Number of samples that one poll may take. */
const MAX_SAMPLES = 6

/**
 * Stores new blocks as soon as the voters have accepted them, and yields after each poll that found some. Some voters,
 * drawn by their weight, are asked whether there is a new block; then more than half of the total weight decides, or
 * samples of {@link Poll.SAMPLE_RULE} if there are more than `maxVoters` voters. While the caller does not ask for the
 * next value, nothing is requested. The generator ends only by an error or by the signal.
 *
 * @throws SyncError `SYNC_OPTION`, `SYNC_ROOT`, `SYNC_UNREADABLE`, `SYNC_HEIGHT`, `SYNC_STORE`
 * @throws the signal's reason; errors of the store and of `verify`
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { systemClock } from '@firn/runtime'
 * import { type BlockStore, follow, type Tip, type Transport, type Voters } from '@firn/sync'
 *
 * declare const transport: Transport, store: BlockStore, tip: Tip
 * declare const voters: () => readonly Voters.Voter[]
 * const options = { chain: 'P', chainId: Id.EMPTY, transport, clock: systemClock, voters } as const
 * for await (const { from, tip: next } of follow({ ...options, tip, store })) console.log(from, next.height)
 * ```
 */
export async function* follow(options: FollowOptions): AsyncGenerator<Advance, never> {
  const context = createContext(options)
  const { store } = options
  const scouts = createScouts(context)
  let { tip } = options
  let undecided: Undecided | undefined
  context.progress('following', { tip: tip.height })
  for (;;) {
    const hint = await scouts.next(tip)
    const decision = await decide(context, tip, hint.height, undecided)
    scouts.judge(hint, decision !== undefined)
    if (decision === undefined) {
      undecided = { since: undecided?.since ?? context.clock.now(), polls: (undecided?.polls ?? 0) + 1 }
      continue
    }
    undecided = undefined
    const from = tip.height + 1n
    const { vote, supporters } = decision
    tip = await fetchAncestry(context, { root: tip, accepted: [vote.id], store, peers: supporters })
    context.progress('following', { tip: tip.height })
    yield { from, tip }
  }
}

/** Returns an accepted block above the tip, or undefined if the voters do not agree on one yet. */
async function decide(
  context: Context,
  tip: Tip,
  hint: bigint,
  undecided: Undecided | undefined,
): Promise<Decision | undefined> {
  const { clock, options } = context
  const voters = context.voters()
  const isLate = undecided !== undefined && clock.now() - undecided.since >= options.sampleMs
  if (voters.length > options.maxVoters && !isLate) return decideBySamples(context, voters, tip, hint)
  // Lost answers come at the second attempt. Where each vote is needed, a short grace would never let them count.
  const patience = 2 ** (undecided?.polls ?? 0)
  const graceMs = Math.min(options.voteGraceMs * patience, options.attempts * options.smallTimeoutMs)
  const { decision, commonHeight } = await askAll(context, voters, tip, hint, graceMs)
  if (decision !== undefined || commonHeight === undefined || commonHeight <= tip.height) return decision
  // The voters are at different heights, but voters of enough weight have this one.
  return (await askAll(context, voters, tip, commonHeight, graceMs)).decision
}

async function askAll(
  context: Context,
  voters: readonly Voters.Voter[],
  tip: Tip,
  requestedHeight: bigint,
  graceMs: number,
): Promise<Round> {
  const { options } = context
  const total = Voters.totalWeight(voters)
  const isMajority = (weight: bigint) => 2n * weight > total
  const tally = Poll.createTally(requestedHeight, isMajority)
  await askVoters(context, {
    kind: 'pullQuery',
    voters: reachableVoters(context),
    question: { containerId: tip.id, requestedHeight },
    attempts: options.attempts,
    graceMs,
    onAnswer({ nodeId, weight }, chits) {
      tally.add(nodeId, chits, weight)
      if (tally.decided(tip.height) !== undefined) return 'done'
      return tally.commonHeight() === undefined ? undefined : 'enough'
    },
  })
  return { decision: tally.decided(tip.height), commonHeight: tally.commonHeight() }
}

async function decideBySamples(
  context: Context,
  voters: readonly Voters.Voter[],
  tip: Tip,
  hint: bigint,
): Promise<Decision | undefined> {
  let requestedHeight = hint
  let wins = 0
  let last: Decision | undefined
  for (let i = 0; i < MAX_SAMPLES; i++) {
    const { decision, commonHeight } = await askSample(context, voters, tip, requestedHeight)
    if (decision === undefined) {
      wins = 0
      if (commonHeight === undefined || commonHeight <= tip.height) return undefined
      requestedHeight = commonHeight
      continue
    }
    const isSame = last !== undefined && Bytes.equals(decision.vote.id, last.vote.id)
    wins = wins > 0 && isSame ? wins + 1 : 1
    last = decision
    // Later rounds ask for the same height, so that a block that was accepted meanwhile does not divide the votes.
    requestedHeight = decision.vote.height
    if (wins === Poll.SAMPLE_RULE.rounds) return decision
  }
  return undefined
}

async function askSample(
  context: Context,
  voters: readonly Voters.Voter[],
  tip: Tip,
  requestedHeight: bigint,
): Promise<Round> {
  const { draws, threshold } = Poll.SAMPLE_RULE
  const drawn = new Map<Voters.Voter, bigint>()
  for (const voter of Voters.draw(voters, draws, context.random)) {
    drawn.set(voter, (drawn.get(voter) ?? 0n) + 1n)
  }
  const tally = Poll.createTally(requestedHeight, (weight) => weight >= BigInt(threshold))
  await askVoters(context, {
    kind: 'pullQuery',
    voters: [...drawn.keys()],
    question: { containerId: tip.id, requestedHeight },
    attempts: 1,
    graceMs: context.options.voteGraceMs,
    onAnswer(voter, chits) {
      tally.add(voter.nodeId, chits, drawn.get(voter) ?? 0n)
      if (tally.decided(tip.height) !== undefined) return 'done'
      return tally.commonHeight() === undefined ? undefined : 'enough'
    },
  })
  return { decision: tally.decided(tip.height), commonHeight: tally.commonHeight() }
}
