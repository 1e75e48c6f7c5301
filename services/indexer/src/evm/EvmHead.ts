import { isFirnError } from '@firn/codec'
import { isObject } from '@firn/rpc'
import { type Clock, type Logger, pause, withAnySignal } from '@firn/runtime'
import { IndexerError } from '../common/IndexerError.ts'
import * as Calls from './upstream/calls.ts'
import { type EvmUpstream, isForeign } from './upstream/EvmUpstream.ts'

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
 * Tracks the heads of a chain's nodes. While a trusted node reports heads, those of others do not count. The `finalized` block is not used, because on some nodes it never reaches the
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

/** Creates a head tracker. It has no head until `watch` runs. */
export function createEvmHead(options: EvmHeadOptions): EvmHead {
  const { upstreams, pollMs, patienceMs = 10_000, clock, log } = options
  let best: Head | undefined
  let latest: Head | undefined
  let number = 0
  /** Time at which a node last reported a head that is at least as high as the best one. */
  let confirmedAt = 0
  const waiting = new Set<() => void>()
  /** Last head that each node reported. */
  const heads = new Map<EvmUpstream, Head>()
  const wakeAll = () => {
    number += 1
    for (const wake of waiting) wake()
  }
  /** Returns whether a head is used: that of a trusted node, or any while no trusted node has reported one lately. */
  const counts = ({ upstream }: Head) => {
    const isRecent = ({ at }: Head) => clock.now() - at <= patienceMs
    return (
      upstream.isTrusted() || ![...heads.values()].some((one) => one.upstream.isTrusted() && isRecent(one))
    )
  }
  const highest = () =>
    [...heads.values()]
      .filter(counts)
      .reduce<Head | undefined>(
        (most, one) => (most === undefined || one.height > most.height ? one : most),
        undefined,
      )
  const bestNow = () => {
    if (best !== undefined && !counts(best)) best = highest()
    return best
  }
  const tell = (upstream: EvmUpstream, header: unknown) => {
    const { number: height, hash } = isObject(header) ? header : {}
    if (typeof height !== 'string' || !HEIGHT.test(height) || typeof hash !== 'string' || !HASH.test(hash)) {
      const error = malformedHead(upstream.name)
      upstream.refuse(error)
      throw error
    }
    // A lower height may mean that the chain was reset.
    if (BigInt(height) < (heads.get(upstream)?.height ?? 0n)) upstream.recheck()
    const head: Head = { height: BigInt(height), hash: hash.toLowerCase(), upstream, at: clock.now() }
    heads.set(upstream, head)
    upstream.report(head.height)
    if (best !== undefined && !counts(best)) best = highest()
    if (!counts(head)) return
    const isHigher = best === undefined || head.height > best.height
    const isOther = head.height === best?.height && head.hash !== best.hash
    const isLate = head.at - confirmedAt > patienceMs
    if (best === undefined || head.height >= best.height || isLate) confirmedAt = head.at
    if (isHigher || isOther || isLate) best = head
    const isNews = latest?.hash !== head.hash
    latest = head
    if (isNews) wakeAll()
  }
  const poll = async (upstream: EvmUpstream, signal: AbortSignal) => {
    await upstream.abilities(signal)
    const [answer] = await upstream.ask([Calls.header('latest')], signal)
    if (answer?.error !== undefined) throw answer.error
    tell(upstream, answer?.result)
  }
  const watchOne = async (upstream: EvmUpstream, signal: AbortSignal) => {
    let isLive = false
    /** Ends the pause between two polls early. */
    let nudge: () => void = () => undefined
    const subscribe = async () => {
      await upstream.subscribe?.(
        ['newHeads'],
        {
          event(header) {
            try {
              tell(upstream, header)
            } catch (error) {
              if (!isFirnError(error)) throw error
            }
          },
          end: () => {
            isLive = false
            log.warn({ upstream: upstream.name }, 'the subscription to new blocks ended')
            nudge()
          },
        },
        signal,
      )
      isLive = true
    }
    for (let failures = 0; !signal.aborted; ) {
      try {
        await upstream.abilities(signal)
        if (!isLive && upstream.subscribe !== undefined) await subscribe()
        // Poll after the subscription has started. Otherwise a block between the two could be missed.
        await poll(upstream, signal)
        failures = 0
        await nap(clock, isLive ? SURE_MS : pollMs, signal, (wake) => {
          nudge = wake
        })
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        if (isForeign(error)) wakeAll()
        if (isFirnError(error)) log.debug({ upstream: upstream.name, code: error.code }, error.message)
        else log.error({ upstream: upstream.name, err: error }, 'unexpected error while a node was watched')
        await pause(failures, options, signal)
      }
    }
  }
  return {
    best: bestNow,
    latest: () => latest,
    async changed(seen, signal) {
      signal.throwIfAborted()
      if (number > seen) return number
      await new Promise<void>((settle, fail) => {
        const done = () => {
          waiting.delete(wake)
          signal.removeEventListener('abort', abort)
        }
        const wake = () => {
          done()
          settle()
        }
        const abort = () => {
          done()
          fail(signal.reason)
        }
        waiting.add(wake)
        signal.addEventListener('abort', abort, { once: true })
      })
      return number
    },
    async watch(signal) {
      await Promise.all(upstreams.map((upstream) => watchOne(upstream, signal)))
    },
  }
}

function malformedHead(name: string): IndexerError {
  const message = `the newest block of ${name} has no height or hash`
  return new IndexerError('INDEXER_BLOCK', message, { details: { upstream: name, reason: 'malformed head' } })
}

/** Sleeps for the given time or until `wake` is called. */
async function nap(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  onWake: (wake: () => void) => void,
): Promise<void> {
  const woken = new AbortController()
  onWake(() => woken.abort())
  try {
    await withAnySignal([signal, woken.signal], (either) => clock.sleep(ms, either))
  } catch (error) {
    if (!woken.signal.aborted || signal.aborted) throw error
  }
}
