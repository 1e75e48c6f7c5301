import { Hex } from '@firn/codec'
import { backoff } from '@firn/runtime'
import type { DropReason } from '../Events.ts'
import type { Conduct } from '../PeerRanking.ts'
import type { Context } from './Context.ts'
import { childOf } from './children.ts'
import { createWaiter, type Waiter } from './Waiter.ts'

/** A container to fetch. */
export interface Wanted<T> {
  readonly id: Uint8Array
  readonly engine: 'chain' | 'dag'
  /**
   * False for a container that the network may not have. Then only one peer is asked at a time, and a peer without the
   * container is not blamed for it.
   */
  readonly isAccepted: boolean
  /** Peers that have the container. They are asked before all others. */
  readonly peers?: readonly Uint8Array[]
  /** Checks the containers of an answer, which are at least one and within the limits of size. */
  readonly check: (containers: readonly Uint8Array[]) => Promise<Checked<T>>
}

/** The result of checking an answer. A value with a fault is the part of the answer that is right. */
export interface Checked<T> {
  readonly value?: T
  /** Number of bytes that were useful. */
  readonly bytes: number
  readonly fault?: DropReason
}

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 2_000
/** Number of peers that are asked for a container that the network may not have. */
const MAX_ASKED_UNKNOWN = 8
/** Connections and the ends of benches are noticed after this time at the latest. */
const CHECK_MS = 1_000

/** The requests for one container. The first right answer wins. */
interface Race<T> {
  readonly context: Context
  readonly wanted: Wanted<T>
  /** Ends the requests in flight. */
  readonly signal: AbortSignal
  readonly waiter: Waiter
  readonly preferred: ReadonlySet<string>
  readonly maxInFlight: number
  readonly maxParallel: number
  /** Peers that were asked in this round, in hex. */
  readonly asked: Set<string>
  won: { readonly value: T } | undefined
  failure: { readonly error: unknown } | undefined
  inFlight: number
  /** Number of rounds in which all connected peers failed. */
  rounds: number
  /** Time of the last request. */
  lastAt: number
}

/**
 * Asks peers for a container and its ancestors until one gives at least the container, and returns what `check`
 * returned. If the answer is late, up to `maxHedges` peers are asked at once. Peers that failed are asked again after
 * all others, after a growing pause. Returns undefined after some failures if the container is not accepted.
 */
export async function fetchAncestors<T>(
  context: Context,
  wanted: Wanted<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  const { options, clock } = context
  const child = childOf(signal)
  const race: Race<T> = {
    context,
    wanted,
    signal: child.signal,
    waiter: createWaiter(clock),
    preferred: new Set((wanted.peers ?? []).map(Hex.encodeBare)),
    maxInFlight: wanted.isAccepted ? options.maxRequestsPerPeer : 1,
    maxParallel: wanted.isAccepted ? options.maxHedges : 1,
    asked: new Set(),
    won: undefined,
    failure: undefined,
    inFlight: 0,
    rounds: 0,
    lastAt: Number.NEGATIVE_INFINITY,
  }
  try {
    for (;;) {
      signal.throwIfAborted()
      if (race.failure !== undefined) throw race.failure.error
      if (race.won !== undefined) return race.won.value
      const hedgeInMs = race.inFlight === 0 ? 0 : race.lastAt + options.hedgeMs - clock.now()
      const isDue = race.inFlight < race.maxParallel && hedgeInMs <= 0
      const turn = isDue ? startNext(race) : 'wait'
      if (turn === 'unknown') return undefined
      if (turn === 'exhausted') await startRound(race, signal)
      if (turn === 'wait') await waitForNews(race, hedgeInMs > 0 ? hedgeInMs : CHECK_MS, signal)
    }
  } finally {
    child.release()
    child.abort()
  }
}

/**
 * Asks the next peer. If there is none, returns that this round is exhausted, that the container counts as unknown, or that
 * a busy peer must be waited for.
 */
function startNext<T>(race: Race<T>): 'asked' | 'exhausted' | 'unknown' | 'wait' {
  const { context, wanted, asked, preferred, maxInFlight } = race
  const { ranking, transport, chain } = context
  const all = [...transport.connected()]
  const first = all.filter((nodeId) => preferred.has(Hex.encodeBare(nodeId)))
  const pick = (connected: readonly Uint8Array[]) =>
    ranking.pick({ chain, connected, exclude: asked, maxInFlight })
  const nodeId = pick(first) ?? pick(all)
  const isExhausted = race.inFlight === 0 && asked.size > 0 && nodeId === undefined && isIn(all, asked)
  if (!wanted.isAccepted && (isExhausted || asked.size >= MAX_ASKED_UNKNOWN)) return 'unknown'
  if (nodeId === undefined) return isExhausted ? 'exhausted' : 'wait'
  void attempt(race, nodeId)
  return 'asked'
}

async function attempt<T>(race: Race<T>, nodeId: Uint8Array): Promise<void> {
  const { context, wanted, signal } = race
  race.inFlight += 1
  race.asked.add(Hex.encodeBare(nodeId))
  race.lastAt = context.clock.now()
  const end = context.ranking.begin(nodeId, context.chain)
  let conduct: Conduct = { kind: 'none' }
  try {
    const { value, conduct: actual } = await askOne(context, wanted, nodeId, signal)
    conduct = actual
    if (value !== undefined) race.won ??= { value }
  } catch (error) {
    if (!signal.aborted) race.failure ??= { error }
  } finally {
    race.inFlight -= 1
    end(conduct)
    race.waiter.wake()
  }
}

/** Lets all peers be asked again, after a pause. */
async function startRound<T>(race: Race<T>, signal: AbortSignal): Promise<void> {
  const { clock, random } = race.context
  race.asked.clear()
  race.rounds += 1
  const pause = { random, first: FIRST_PAUSE_MS, longest: LONGEST_PAUSE_MS }
  await clock.sleep(backoff(race.rounds, pause), signal)
}

/** Waits for an outcome, for a peer that is no longer busy, or for a time. */
async function waitForNews<T>({ context, waiter }: Race<T>, ms: number, signal: AbortSignal): Promise<void> {
  const removeListener = context.ranking.onFreed(waiter.wake)
  try {
    await waiter.wait(ms, signal)
  } finally {
    removeListener()
  }
}

/** Returns whether all connected peers were asked. */
function isIn(connected: Iterable<Uint8Array>, asked: ReadonlySet<string>): boolean {
  for (const nodeId of connected) if (!asked.has(Hex.encodeBare(nodeId))) return false
  return true
}

async function askOne<T>(
  context: Context,
  { id, engine, isAccepted, check }: Wanted<T>,
  nodeId: Uint8Array,
  signal: AbortSignal,
): Promise<{ readonly value?: T; readonly conduct: Conduct }> {
  const { chainId, options, transport } = context
  const request = { chainId, containerId: id, engine, deadlineMs: options.ancestorsTimeoutMs }
  const answer = await transport
    .ask('ancestors', nodeId, request, signal)
    .catch((error) => ({ kind: 'disconnected' as const, reason: String(error) }))
  if (signal.aborted) return { conduct: { kind: 'none' } }
  if (answer.kind === 'malformed') return lie(context, nodeId, 'malformed')
  if (answer.kind === 'unsent') return { conduct: { kind: 'none' } }
  if (answer.kind !== 'answer') return { conduct: { kind: isAccepted ? 'silent' : 'none' } }
  const { containers } = answer.answer
  if (containers.length === 0) return { conduct: { kind: 'none' } }
  if (!isWithinLimits(containers, options)) return lie(context, nodeId, 'oversized')
  const { value, bytes, fault } = await check(containers)
  if (fault !== undefined) return { ...(value !== undefined && { value }), ...lie(context, nodeId, fault) }
  return value === undefined ? { conduct: { kind: 'none' } } : { value, conduct: { kind: 'useful', bytes } }
}

function lie(context: Context, nodeId: Uint8Array, reason: DropReason): { readonly conduct: Conduct } {
  context.drop(nodeId, reason)
  return { conduct: { kind: 'lied' } }
}

function isWithinLimits(
  containers: readonly Uint8Array[],
  { maxContainers, maxAnswerBytes }: { readonly maxContainers: number; readonly maxAnswerBytes: number },
): boolean {
  if (containers.length > maxContainers) return false
  let bytes = 0
  return containers.every((container) => {
    bytes += container.length
    return bytes <= maxAnswerBytes
  })
}
