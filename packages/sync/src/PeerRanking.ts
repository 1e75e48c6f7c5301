import { CHAIN_ALIASES, type ChainAlias, Hex } from '@firn/codec'
import { backoff, type Clock } from '@firn/runtime'

/** The outcome of a request for containers, as it counts for the peer. */
export type Conduct =
  /** The answer had containers that were asked for, with `bytes` bytes. */
  | { readonly kind: 'useful'; readonly bytes: number }
  /** The peer did not answer, or disconnected. */
  | { readonly kind: 'silent' }
  /** The peer's answer was wrong. */
  | { readonly kind: 'lied' }
  /** The answer was empty or is no longer needed. Its time counts, so that useless peers rank low. */
  | { readonly kind: 'none' }

/** The rank of a peer, and the measurements behind it. */
export interface PeerStanding {
  readonly nodeId: Uint8Array
  /** Moving average in bytes per second; undefined before the first outcome. */
  readonly bandwidth: number | undefined
  readonly inFlight: number
  /** Milliseconds until the peer is asked again for every chain; 0 if it is benched for none. */
  readonly benchedMs: number
}

/** Options of {@link PeerRanking.pick}. */
export interface PickOptions {
  /** The chain to ask for. A peer that is silent for one chain may serve another. */
  readonly chain: ChainAlias
  readonly connected: Iterable<Uint8Array>
  /** Peers that are not picked, as hex without a prefix. */
  readonly exclude: ReadonlySet<string>
  /** Maximum number of requests in flight to the peer, with this one. */
  readonly maxInFlight: number
}

/** Chooses peers for requests of containers; created by {@link createPeerRanking}. */
export interface PeerRanking {
  /**
   * Returns the peer to ask next: usually the one with the highest bandwidth, one in five times a random one, and one in
   * ten times one that was never asked. Returns undefined if all are excluded or busy. Benched peers are picked only
   * if all others are excluded, the one whose bench ends first.
   */
  pick(options: PickOptions): Uint8Array | undefined
  /** Counts a request in flight. The returned function must be called once, with the outcome. */
  begin(nodeId: Uint8Array, chain: ChainAlias): (conduct: Conduct) => void
  /** Calls `listener` at the end of the next request of any peer. Returns a function that removes it. */
  onFreed(listener: () => void): () => void
  /** Returns the standings of all peers, for metrics. */
  standings(): readonly PeerStanding[]
}

/** Dependencies and limits of a ranking. */
export interface PeerRankingOptions {
  readonly clock: Clock
  /** Returns a number in [0, 1). */
  readonly random: () => number
  /** Milliseconds after which an old measurement counts half; default 5 minutes. */
  readonly halfLifeMs?: number
  /** Milliseconds for which a silent peer is not asked, at first and at most; default 2 s and 5 minutes. */
  readonly benchMs?: number
  readonly maxBenchMs?: number
  /** Milliseconds for which a peer that lied is not asked, doubled for each further lie, at most 16 times. */
  readonly dropMs?: number
  /** Maximum number of peers to remember; default 10,000. The one that was not used for the longest time is forgotten. */
  readonly maxPeers?: number
}

interface Entry {
  readonly nodeId: Uint8Array
  /** Decayed sums, as of `at`. */
  bytes: number
  ms: number
  at: number
  inFlight: number
  lies: number
  /** Time until which the peer is dropped because of a lie. */
  droppedUntil: number
  /** Silence, by chain. */
  readonly silence: Map<ChainAlias, { readonly failures: number; readonly until: number }>
}

const RANDOM_SHARE = 0.2
const UNTRIED_SHARE = 0.1
const MAX_LIES_COUNTED = 5

/**
 * Returns a ranking that knows no peer yet. Share it between the chains, because the requests in flight to a peer are
 * counted in it.
 *
 * @example
 * ```ts
 * import { systemClock } from '@firn/runtime'
 * import { createPeerRanking } from '@firn/sync'
 *
 * const ranking = createPeerRanking({ clock: systemClock, random: Math.random })
 * ranking.pick({ chain: 'P', connected: [], exclude: new Set(), maxInFlight: 1 }) // undefined
 * ```
 */
export function createPeerRanking(options: PeerRankingOptions): PeerRanking {
  const { clock, random, halfLifeMs = 300_000, benchMs = 2_000, maxBenchMs = 300_000 } = options
  const { dropMs = 600_000, maxPeers = 10_000 } = options
  const entries = new Map<string, Entry>()
  const listeners = new Set<() => void>()

  const decay = (entry: Entry, now: number) => {
    const share = 0.5 ** ((now - entry.at) / halfLifeMs)
    entry.bytes *= share
    entry.ms *= share
    entry.at = now
  }
  const find = (nodeId: Uint8Array, key: string) => {
    const known = entries.get(key)
    if (known !== undefined) {
      // The last one used is the last one in the map.
      entries.delete(key)
      entries.set(key, known)
      return known
    }
    const entry: Entry = {
      nodeId,
      bytes: 0,
      ms: 0,
      at: 0,
      inFlight: 0,
      lies: 0,
      droppedUntil: 0,
      silence: new Map(),
    }
    entries.set(key, entry)
    if (entries.size > maxPeers) {
      for (const [oldest, { inFlight }] of entries) {
        if (inFlight > 0 || oldest === key) continue
        entries.delete(oldest)
        break
      }
    }
    return entry
  }
  const count = (entry: Entry, chain: ChainAlias, conduct: Conduct, elapsedMs: number) => {
    const now = clock.now()
    decay(entry, now)
    // An answer that was not waited for counts as time without bytes, so that slow peers rank low.
    entry.ms += Math.max(elapsedMs, 1)
    switch (conduct.kind) {
      case 'useful':
        entry.bytes += conduct.bytes
        entry.droppedUntil = 0
        entry.silence.delete(chain)
        return
      case 'silent': {
        const failures = (entry.silence.get(chain)?.failures ?? 0) + 1
        const ms = backoff(failures, { random, first: benchMs, longest: maxBenchMs })
        entry.silence.set(chain, { failures, until: now + ms })
        return
      }
      case 'lied':
        entry.lies = Math.min(entry.lies + 1, MAX_LIES_COUNTED)
        entry.droppedUntil = now + dropMs * 2 ** (entry.lies - 1)
        return
      case 'none':
        return
    }
  }

  return {
    pick(options) {
      const { free, soonest, hasBusy } = sortOut(entries, options, clock.now())
      if (free.length === 0) return hasBusy ? undefined : soonest
      return choose(free, random)
    },
    begin(nodeId, chain) {
      const entry = find(nodeId, Hex.encodeBare(nodeId))
      const since = clock.now()
      entry.inFlight += 1
      return (conduct) => {
        entry.inFlight -= 1
        count(entry, chain, conduct, clock.now() - since)
        const waiting = [...listeners]
        listeners.clear()
        for (const listener of waiting) listener()
      }
    },
    onFreed(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    standings() {
      const now = clock.now()
      return [...entries.values()].map((entry) => ({
        nodeId: entry.nodeId,
        bandwidth: entry.ms === 0 ? undefined : (entry.bytes / entry.ms) * 1_000,
        inFlight: entry.inFlight,
        benchedMs: Math.max(0, ...CHAIN_ALIASES.map((chain) => benchedUntil(entry, chain) - now)),
      }))
    },
  }
}

/** A peer that can be asked, and its measurements. */
interface Candidate {
  readonly nodeId: Uint8Array
  readonly entry: Entry | undefined
}

function benchedUntil({ droppedUntil, silence }: Entry, chain: ChainAlias): number {
  return Math.max(droppedUntil, silence.get(chain)?.until ?? 0)
}

/**
 * Returns the peers that can be asked now, whether others are only busy, and the benched peer that is not busy and whose
 * bench ends first.
 */
function sortOut(
  entries: ReadonlyMap<string, Entry>,
  { chain, connected, exclude, maxInFlight }: PickOptions,
  now: number,
): {
  readonly free: readonly Candidate[]
  readonly soonest: Uint8Array | undefined
  readonly hasBusy: boolean
} {
  const free: Candidate[] = []
  let soonest: { readonly nodeId: Uint8Array; readonly until: number } | undefined
  let hasBusy = false
  for (const nodeId of connected) {
    const key = Hex.encodeBare(nodeId)
    if (exclude.has(key)) continue
    const entry = entries.get(key)
    const isBusy = (entry?.inFlight ?? 0) >= maxInFlight
    const until = entry === undefined ? 0 : benchedUntil(entry, chain)
    if (until > now) {
      if (!isBusy && (soonest === undefined || until < soonest.until)) soonest = { nodeId, until }
    } else if (isBusy) hasBusy = true
    else free.push({ nodeId, entry })
  }
  return { free, soonest: soonest?.nodeId, hasBusy }
}

/** Returns usually the fastest peer, and sometimes a random one or one that was never asked. */
function choose(free: readonly Candidate[], random: () => number): Uint8Array | undefined {
  const any = (some: readonly Candidate[]) => some[Math.floor(random() * some.length)]?.nodeId
  const untried = free.filter(({ entry }) => (entry?.ms ?? 0) === 0)
  const choice = random()
  if (choice < RANDOM_SHARE) return any(free)
  if (choice < RANDOM_SHARE + UNTRIED_SHARE && untried.length > 0) return any(untried)
  return fastest(free) ?? any(untried.length > 0 ? untried : free)
}

function fastest(free: readonly Candidate[]): Uint8Array | undefined {
  let best: Uint8Array | undefined
  let most = 0
  for (const { nodeId, entry } of free) {
    if (entry === undefined || entry.ms === 0) continue
    // Two requests at once share the peer's bandwidth.
    const bandwidth = entry.bytes / entry.ms / (1 + entry.inFlight)
    if (bandwidth > most) {
      best = nodeId
      most = bandwidth
    }
  }
  return best
}
