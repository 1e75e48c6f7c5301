import { isFirnError } from '@firn/codec'
import { isObject } from '@firn/rpc'
import { type Clock, type Logger, pause, withAnySignal } from '@firn/runtime'
import { IndexerError } from '../common/IndexerError.ts'
import { createPulse, type Pulse } from '../common/Pulse.ts'
import * as Calls from './upstream/calls.ts'
import type { EvmUpstream } from './upstream/EvmUpstream.ts'
import { isForeign } from './upstream/Identity.ts'

/** Newest executed block of a node. */
export interface Head {
  readonly height: bigint
  /** Block hash: `0x` and 64 hex digits. */
  readonly hash: string
  readonly upstream: EvmUpstream
  /** Time of the report, in milliseconds since the Unix epoch. */
  readonly at: number
}

/** Options of {@link createEvmHead}. */
export interface EvmHeadOptions {
  readonly upstreams: readonly EvmUpstream[]
  /** Interval at which a node without subscriptions is polled, in milliseconds. */
  readonly pollMs: number
  /** Time in milliseconds for which a lower head does not replace a higher one; default 10,000. */
  readonly patienceMs?: number
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
}

/**
 * Tracks the heads of a chain's nodes. While a trusted node reports heads, heads of others do not count. The `finalized` block is not used, because on some nodes it never reaches the
 * newest block.
 */
export interface EvmHead {
  /**
   * Returns the highest reported head. A lower head replaces it only if no node has reported the higher one
   * for a while.
   */
  best(): Head | undefined
  /** Returns the last reported head, even if it is lower than an earlier one. */
  latest(): Head | undefined
  /**
   * Waits for an update with a number above `seen`, and returns the number of the last update. An update is a
   * new head, or a node that turns out to have a different chain than the stored one. Rejects when the signal
   * is aborted.
   */
  changed(seen: number, signal: AbortSignal): Promise<number>
  /** Watches the nodes until the signal is aborted. */
  watch(signal: AbortSignal): Promise<void>
}

/**
 * Poll interval in milliseconds while a subscription is active. Polling finds blocks that the subscription
 * misses.
 */
const SURE_MS = 5_000
const HASH = /^0x[0-9a-fA-F]{64}$/
const HEIGHT = /^0x[0-9a-fA-F]{1,15}$/

type Run = EvmHeadOptions & {
  readonly patienceMs: number
  readonly news: Pulse
  /** Last head that each node reported. */
  readonly heads: Map<EvmUpstream, Head>
  best: Head | undefined
  latest: Head | undefined
  /** Time at which a node last reported a head that is at least as high as the best one. */
  confirmedAt: number
}

/** Creates a head tracker. It has no head until `watch` runs. */
export function createEvmHead(options: EvmHeadOptions): EvmHead {
  const news = createPulse()
  const { patienceMs = 10_000 } = options
  const own = { news, patienceMs, heads: new Map(), best: undefined, latest: undefined, confirmedAt: 0 }
  const run: Run = { ...options, ...own }
  return {
    best: () => bestOf(run),
    latest: () => run.latest,
    async changed(seen, signal) {
      signal.throwIfAborted()
      await news.next(seen, signal)
      signal.throwIfAborted()
      return news.count()
    },
    async watch(signal) {
      await Promise.all(options.upstreams.map((upstream) => watchNode(run, upstream, signal)))
    },
  }
}

/** Returns the best head. If its node is no longer trusted, the highest one of the others replaces it. */
function bestOf(run: Run): Head | undefined {
  if (run.best !== undefined && !counts(run, run.best))
    run.best = [...run.heads.values()]
      .filter((head) => counts(run, head))
      .reduce<Head | undefined>((most, one) => (most && most.height >= one.height ? most : one), undefined)
  return run.best
}

/** Returns whether a head is used: the head of a trusted node, or any while no trusted node has reported one lately. */
function counts({ heads, clock, patienceMs }: Run, { upstream }: Head): boolean {
  if (upstream.isTrusted()) return true
  const isRecent = ({ at }: Head) => clock.now() - at <= patienceMs
  return ![...heads.values()].some((one) => one.upstream.isTrusted() && isRecent(one))
}

/** Records a header that a node has reported as its newest one. @throws IndexerError `INDEXER_BLOCK` */
function accept(run: Run, upstream: EvmUpstream, header: unknown): void {
  const head: Head = { ...parse(header, upstream), upstream, at: run.clock.now() }
  // A lower height may mean that the chain was reset.
  if (head.height < (run.heads.get(upstream)?.height ?? 0n)) upstream.recheck()
  run.heads.set(upstream, head)
  upstream.report(head.height)
  const best = bestOf(run)
  if (!counts(run, head)) return
  const isLate = head.at - run.confirmedAt > run.patienceMs
  if (best === undefined || head.height >= best.height || isLate) run.confirmedAt = head.at
  const isSame = head.height === best?.height && head.hash === best.hash
  if (isLate || best === undefined || (head.height >= best.height && !isSame)) run.best = head
  const isNews = run.latest?.hash !== head.hash
  run.latest = head
  if (isNews) run.news.beat()
}

function parse(header: unknown, upstream: EvmUpstream): Pick<Head, 'height' | 'hash'> {
  const { number: height, hash } = isObject(header) ? header : {}
  if (typeof height === 'string' && HEIGHT.test(height) && typeof hash === 'string' && HASH.test(hash))
    return { height: BigInt(height), hash: hash.toLowerCase() }
  const error = malformedHead(upstream.name)
  upstream.refuse(error)
  throw error
}

async function watchNode(run: Run, upstream: EvmUpstream, signal: AbortSignal): Promise<void> {
  const { log } = run
  /** Aborted when the subscription ends. */
  let ended = AbortSignal.abort()
  for (let failures = 0; !signal.aborted; ) {
    try {
      await upstream.abilities(signal)
      if (ended.aborted && upstream.subscribe !== undefined) ended = await subscribe(run, upstream, signal)
      // Poll after the subscription has started. Otherwise a block between the two could be missed.
      await poll(run, upstream, signal)
      failures = 0
      await rest(run, ended, signal)
    } catch (error) {
      if (signal.aborted) return
      failures += 1
      if (isForeign(error)) run.news.beat()
      if (isFirnError(error)) log.debug({ upstream: upstream.name, code: error.code }, error.message)
      else log.error({ upstream: upstream.name, err: error }, 'unexpected error while a node was watched')
      await pause(failures, run, signal)
    }
  }
}

/** Subscribes to new blocks. Returns a signal that is aborted when the subscription ends. */
async function subscribe(run: Run, upstream: EvmUpstream, signal: AbortSignal): Promise<AbortSignal> {
  const ended = new AbortController()
  const event = (header: unknown) => {
    try {
      accept(run, upstream, header)
    } catch (error) {
      if (!isFirnError(error)) throw error
    }
  }
  const end = () => {
    run.log.warn({ upstream: upstream.name }, 'the subscription to new blocks ended')
    ended.abort()
  }
  await upstream.subscribe?.(['newHeads'], { event, end }, signal)
  return ended.signal
}

async function poll(run: Run, upstream: EvmUpstream, signal: AbortSignal): Promise<void> {
  await upstream.abilities(signal)
  const [answer] = await upstream.ask([Calls.header('latest')], signal)
  if (answer?.error !== undefined) throw answer.error
  accept(run, upstream, answer?.result)
}

/** Sleeps until the next poll, which is later while a subscription is active, or until the subscription ends. */
async function rest({ clock, pollMs }: Run, ended: AbortSignal, signal: AbortSignal): Promise<void> {
  if (ended.aborted) return clock.sleep(pollMs, signal)
  try {
    await withAnySignal([signal, ended], (either) => clock.sleep(SURE_MS, either))
  } catch (error) {
    if (!ended.aborted || signal.aborted) throw error
  }
}

function malformedHead(name: string): IndexerError {
  const message = `the newest block of ${name} has no height or hash`
  return new IndexerError('INDEXER_BLOCK', message, { details: { upstream: name, reason: 'malformed head' } })
}
