import { Hex } from '@firn/codec'
import { backoff } from '@firn/runtime'
import type { DropReason } from '../Events.ts'
import type { Conduct } from '../PeerRanking.ts'
import type { Context } from './Context.ts'
import { childOf } from './children.ts'
import { createWaiter } from './Waiter.ts'

/** What is to be fetched. */
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
  const { clock, options, random, ranking, transport } = context
  const maxInFlight = wanted.isAccepted ? options.maxRequestsPerPeer : 1
  const maxParallel = wanted.isAccepted ? options.maxHedges : 1
  const race = childOf(signal)
  const waiter = createWaiter(clock)
  const asked = new Set<string>()
  const preferred = new Set((wanted.peers ?? []).map(Hex.encodeBare))
  let won: { readonly value: T } | undefined
  let failure: { readonly error: unknown } | undefined
  let inFlight = 0
  let rounds = 0
  let lastAt = Number.NEGATIVE_INFINITY

  const attempt = async (nodeId: Uint8Array) => {
    inFlight += 1
    asked.add(Hex.encodeBare(nodeId))
    lastAt = clock.now()
    const end = ranking.begin(nodeId, context.chain)
    let conduct: Conduct = { kind: 'none' }
    try {
      const { value, conduct: actual } = await askOne(context, wanted, nodeId, race.signal)
      conduct = actual
      if (value !== undefined) won ??= { value }
    } catch (error) {
      if (!race.signal.aborted) failure ??= { error }
    } finally {
      inFlight -= 1
      end(conduct)
      waiter.wake()
    }
  }

  try {
    for (;;) {
      signal.throwIfAborted()
      if (failure !== undefined) throw failure.error
      if (won !== undefined) return won.value
      const hedgeInMs = inFlight === 0 ? 0 : lastAt + options.hedgeMs - clock.now()
      if (inFlight < maxParallel && hedgeInMs <= 0) {
        const all = [...transport.connected()]
        const first = all.filter((nodeId) => preferred.has(Hex.encodeBare(nodeId)))
        const pick = (connected: readonly Uint8Array[]) =>
          ranking.pick({ chain: context.chain, connected, exclude: asked, maxInFlight })
        const nodeId = pick(first) ?? pick(all)
        const isExhausted = inFlight === 0 && asked.size > 0 && nodeId === undefined && isIn(all, asked)
        if (!wanted.isAccepted && (isExhausted || asked.size >= MAX_ASKED_UNKNOWN)) return undefined
        if (nodeId !== undefined) {
          void attempt(nodeId)
          continue
        }
        if (isExhausted) {
          asked.clear()
          rounds += 1
          const pause = { random, first: FIRST_PAUSE_MS, longest: LONGEST_PAUSE_MS }
          await clock.sleep(backoff(rounds, pause), signal)
          continue
        }
      }
      const removeListener = ranking.onFreed(waiter.wake)
      try {
        await waiter.wait(hedgeInMs > 0 ? hedgeInMs : CHECK_MS, signal)
      } finally {
        removeListener()
      }
    }
  } finally {
    race.release()
    race.abort()
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
