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

/** In-memory cache of method results, shared by all services of a process. */
export interface AnswerCache {
  /**
   * Returns the part of the cache that belongs to one service. Methods that `freshness` does not list are
   * never cached.
   */
  of(service: string, freshness: Readonly<Record<string, Freshness>>): ResultMemory
  /** Clears the cache. Must be called when chain aliases change, because results contain aliases. */
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
  /** Key of the snapshot for which the cached text is valid; undefined if the text is always valid. */
  readonly at: string | undefined
  /**
   * Unix second during which the cached text is valid; undefined if the text does not depend on the clock.
   */
  readonly second: number | undefined
}

/** A single result may use at most 1/8 of the cache, so that one large result does not evict all others. */
const LARGEST_PART = 8
/**
 * Minimum length in characters of texts that are stored as UTF-8 bytes, which a socket sends without conversion.
 */
const LONG = 16_384
/** Approximate memory overhead of each map entry, in bytes. */
const OVERHEAD = 200

/**
 * Creates an empty result cache.
 * @example
 * ```ts
 * import { createAnswerCache, type NodeContext } from '@firn/node-api'
 *
 * declare const context: NodeContext
 * const { snapshot, now } = context
 * const cache = createAnswerCache({ maxBytes: 64 * 1024 * 1024, snapshot, now })
 * const { hits, misses } = cache.statistics()
 * ```
 */
export function createAnswerCache({ maxBytes, snapshot, now }: AnswerCacheOptions): AnswerCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: Math.max(1, maxBytes),
    maxEntrySize: Math.max(1, Math.floor(maxBytes / LARGEST_PART)),
    sizeCalculation: ({ text }, key) => text.length + key.length + OVERHEAD,
  })
  /**
   * Number of times that the cache was cleared. A result is discarded if this number changed while the result
   * was computed.
   */
  let era = 0
  let hits = 0
  let misses = 0
  const secondNow = () => Math.floor(now() / 1000)

  /**
   * Returns the snapshot's key, or undefined if the snapshot cannot be read. The method itself reports the error when
   * it queries the database.
   */
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
      // The key is taken before the method runs, so the data that the method reads is never older than this
      // snapshot.
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
