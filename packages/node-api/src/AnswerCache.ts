import { LRUCache } from 'lru-cache'
import type { Freshness } from './Context.ts'
import type { Remembered, ResultMemory } from './Service.ts'

/** Options of {@link createAnswerCache}. */
export interface AnswerCacheOptions {
  readonly maxBytes: number
  /** Returns the current snapshot; only its key is used. */
  readonly snapshot: () => Promise<{ readonly key: string }>
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Results cached in memory for all services of a process: immutable ones, and ones that hold until the
 * snapshot changes.
 */
export interface AnswerCache {
  /** Returns the cache of one service. Methods that `freshness` does not list are never cached. */
  of(service: string, freshness: Readonly<Record<string, Freshness>>): ResultMemory
  /** Clears the cache. Called when aliases of chains change, because results contain them. */
  clear(): void
  statistics(): Statistics
}

/** Statistics of an {@link AnswerCache}: totals since its creation, and its current size. */
export interface Statistics {
  readonly hits: number
  readonly misses: number
  readonly entries: number
  readonly bytes: number
}

interface Entry {
  readonly text: Remembered
  /** The key of the snapshot that the text is valid for; undefined if it is always valid. */
  readonly at: string | undefined
  /** The second of the clock that the text is valid for; undefined for any. */
  readonly second: number | undefined
}

/** Maximum share of the cache for a single result, so that one large range does not evict all others. */
const LARGEST_PART = 8
/** Longer texts are stored as UTF-8, which a socket can send without converting them. */
const LONG = 16_384
/** Rough memory overhead of the map per entry. */
const OVERHEAD = 200

/** Returns an empty cache. */
export function createAnswerCache({ maxBytes, snapshot, now }: AnswerCacheOptions): AnswerCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: Math.max(1, maxBytes),
    maxEntrySize: Math.max(1, Math.floor(maxBytes / LARGEST_PART)),
    sizeCalculation: ({ text }, key) => text.length + key.length + OVERHEAD,
  })
  /**
   * Number of times the cache was cleared: a result is discarded if the cache was cleared while it was
   * computed.
   */
  let era = 0
  let hits = 0
  let misses = 0
  const secondNow = () => Math.floor(now() / 1000)

  /** If the database is unavailable, the method that queries it reports the error, not the cache. */
  const keyNow = () =>
    snapshot().then(
      ({ key }) => key,
      () => undefined,
    )

  const checked = async (entry: Entry): Promise<Remembered | undefined> => {
    const key = await keyNow()
    if (entry.at !== key || (entry.second ?? secondNow()) !== secondNow()) {
      misses += 1
      return undefined
    }
    hits += 1
    return entry.text
  }

  const of = (service: string, freshness: Readonly<Record<string, Freshness>>): ResultMemory => ({
    find(key) {
      const entry = entries.get(service + key)
      if (entry === undefined) {
        misses += 1
        return undefined
      }
      if (entry.at !== undefined) return checked(entry)
      hits += 1
      return entry.text
    },
    async begin(key, method) {
      const fresh = Object.hasOwn(freshness, method) ? freshness[method] : 'volatile'
      if (fresh === 'volatile' || fresh === undefined) return undefined
      // Taken before the method runs, so that the data the method sees is never older than this snapshot.
      const at = fresh === 'forever' ? undefined : await keyNow()
      if (fresh !== 'forever' && at === undefined) return undefined
      const second = fresh === 'second' ? secondNow() : undefined
      const begun = era
      return (text) => {
        if (begun === era) entries.set(service + key, { text: toKeep(text), at, second })
      }
    },
  })

  return {
    of,
    clear() {
      era += 1
      entries.clear()
    },
    statistics: () => ({ hits, misses, entries: entries.size, bytes: entries.calculatedSize }),
  }
}

function toKeep(text: string): Remembered {
  return text.length > LONG ? Buffer.from(text) : text
}
