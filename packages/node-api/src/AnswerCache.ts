import { LRUCache } from 'lru-cache'
import type { Freshness } from './Context.ts'
import type { Remembered, ResultMemory } from './Service.ts'

/** What {@link createAnswerCache} needs. */
export interface AnswerCacheOptions {
  readonly maxBytes: number
  /** The snapshot that counts now; only its key is looked at. */
  readonly snapshot: () => Promise<{ readonly key: string }>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Answers kept in memory, for all services of a process: what never changes, and what holds until the snapshot moves. */
export interface AnswerCache {
  /** Returns the memory of one service. Methods that `freshness` doesn't name are asked each time. */
  of(service: string, freshness: Readonly<Record<string, Freshness>>): ResultMemory
  /** Forgets everything: names of chains, which stand in results, have changed. */
  clear(): void
  statistics(): Statistics
}

/** What an {@link AnswerCache} did since it was made, and holds now. */
export interface Statistics {
  readonly hits: number
  readonly misses: number
  readonly entries: number
  readonly bytes: number
}

interface Entry {
  readonly text: Remembered
  /** The key of the snapshot that the text holds for; undefined: for ever. */
  readonly at: string | undefined
  /** The second of the clock that it holds for; undefined: any. */
  readonly second: number | undefined
}

/** A single answer may take this part of the whole at most, so that one large range doesn't drive out all others. */
const LARGEST_PART = 8
/** Longer texts are kept in UTF-8: a socket takes bytes without looking at each of them. */
const LONG = 16_384
/** Of the map, per entry, measured roughly. */
const OVERHEAD = 200

/** Returns an empty cache. */
export function createAnswerCache({ maxBytes, snapshot, now }: AnswerCacheOptions): AnswerCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: Math.max(1, maxBytes),
    maxEntrySize: Math.max(1, Math.floor(maxBytes / LARGEST_PART)),
    sizeCalculation: ({ text }, key) => text.length + key.length + OVERHEAD,
  })
  /** Counts clearings: a result that began before one is not kept after it. */
  let era = 0
  let hits = 0
  let misses = 0
  const secondNow = () => Math.floor(now() / 1000)

  /** A database that can't be asked is told by the method that needs it, not here. */
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
      // Taken before the method runs: what it sees is as new as this or newer, never older.
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
