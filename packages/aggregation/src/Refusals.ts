import { Hex } from '@firn/codec'
import type { Failure } from './Entry.ts'

/** A node's refusal to sign a message. */
export interface Refusal {
  readonly failure: Failure
  /** True if the node will not sign this message later either. */
  readonly isFinal: boolean
  /** Time at which the refusal arrived, in milliseconds as returned by the aggregator's clock. */
  readonly at: number
  /** Number of retry rounds before the refusal, which determines when the next round may start. */
  readonly rounds: number
}

/**
 * Remembers for some seconds which nodes refused to sign which messages, so that all callers together query a node
 * as seldom as one caller does. Created by {@link create}.
 */
export interface Refusals {
  /** Stores a node's latest refusal of a request. The least recently refused requests are forgotten to make room. */
  remember(request: string, nodeId: Uint8Array, refusal: Refusal): void
  /** Returns a node's refusal of a request, or undefined if there is none or it is too old at the time `now`. */
  recall(request: string, nodeId: Uint8Array, now: number): Refusal | undefined
  /** Number of remembered refusals, including those that are too old and not yet removed. */
  readonly size: number
}

/** Milliseconds for which refusals are remembered; 0 disables it. */
export interface Durations {
  readonly finalRefusalMs: number
  readonly openRefusalMs: number
}

/**
 * Maximum number of remembered refusals: enough for 32 messages and 1,000 nodes. Each takes up to 1 kB, most of it for
 * the node's text.
 */
const MAX_REFUSALS = 32_768

/** Returns an empty memory of refusals that are final, or may change ("open"). */
export function create(durations: Durations, maxRefusals = MAX_REFUSALS): Refusals {
  const byRequest = new Map<string, Map<string, Refusal>>()
  let size = 0
  const drop = (request: string) => {
    size -= byRequest.get(request)?.size ?? 0
    byRequest.delete(request)
  }
  return {
    remember(request, nodeId, refusal) {
      const lastsMs = refusal.isFinal ? durations.finalRefusalMs : durations.openRefusalMs
      if (lastsMs <= 0) return
      const known = byRequest.get(request) ?? new Map<string, Refusal>()
      const key = Hex.encodeBare(nodeId)
      if (!known.has(key)) size += 1
      known.set(key, refusal)
      byRequest.delete(request)
      byRequest.set(request, known)
      for (const oldest of byRequest.keys()) {
        if (size <= maxRefusals) break
        drop(oldest)
      }
    },
    recall(request, nodeId, now) {
      const known = byRequest.get(request)
      if (known === undefined) return undefined
      const key = Hex.encodeBare(nodeId)
      const refusal = known.get(key)
      if (refusal === undefined) return undefined
      const lastsMs = refusal.isFinal ? durations.finalRefusalMs : durations.openRefusalMs
      if (now < refusal.at + lastsMs) return refusal
      known.delete(key)
      size -= 1
      if (known.size === 0) byRequest.delete(request)
      return undefined
    },
    get size() {
      return size
    },
  }
}
