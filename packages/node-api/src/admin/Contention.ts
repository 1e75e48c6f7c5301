import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'

/** A cause that blocked the process, and the total time for which the process was blocked. */
export interface Wait {
  /** Description such as `event loop, 4 ms each` or `garbage collection, major`. */
  readonly cause: string
  readonly count: number
  /** Total duration of the waits. */
  readonly nanoseconds: number
}

/** Milliseconds between two samples of the event loop. */
const RESOLUTION_MS = 20
/** Resolution of the sampler's clock in nanoseconds. Shorter delays are ignored. */
const CLOCK_NS = 1_000_000

/** Names of the kinds of garbage collection, by the constants of `perf_hooks`. */
const COLLECTIONS: Readonly<Record<number, string>> = {
  1: 'minor',
  2: 'minor, mark and sweep',
  4: 'major',
  8: 'incremental marking',
  16: 'weak callbacks',
}

/**
 * Measures event loop delays and blocking garbage collections, which take the place of lock contention in
 * this runtime. Measuring starts when the object is created.
 */
export class Contention {
  readonly #loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  readonly #collections = new Map<string, { count: number; nanoseconds: number }>()
  readonly #observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) this.#count(entry)
  })

  constructor() {
    this.#loop.enable()
    this.#observer.observe({ entryTypes: ['gc'] })
  }

  /** Returns all waits since creation, longest first. */
  waits(): Wait[] {
    for (const entry of this.#observer.takeRecords()) this.#count(entry)
    const collections = [...this.#collections].map(([cause, wait]) => ({ cause, ...wait }))
    return [...loopWaits(this.#loop), ...collections].sort((a, b) => b.nanoseconds - a.nanoseconds)
  }

  close(): void {
    this.#loop.disable()
    this.#observer.disconnect()
  }

  #count({ duration, detail }: { readonly duration: number; readonly detail?: unknown }): void {
    const kind = COLLECTIONS[(detail as { readonly kind?: number } | undefined)?.kind ?? 0] ?? 'other'
    const cause = `garbage collection, ${kind}`
    const wait = this.#collections.get(cause) ?? { count: 0, nanoseconds: 0 }
    wait.count += 1
    wait.nanoseconds += Math.round(duration * 1e6)
    this.#collections.set(cause, wait)
  }
}

/**
 * Computes event loop delays from a histogram of the nanoseconds between samples. Values between two
 * percentiles of the histogram count as the upper percentile.
 */
export function loopWaits(loop: {
  readonly count: number
  readonly percentiles: ReadonlyMap<number, number>
}): Wait[] {
  const waits = new Map<string, Wait>()
  let below = 0
  for (const [percentile, bound] of [...loop.percentiles].sort(([a], [b]) => a - b)) {
    const upTo = Math.round((percentile / 100) * loop.count)
    const [count, each] = [upTo - below, bound - RESOLUTION_MS * 1e6]
    below = upTo
    if (count <= 0 || each < CLOCK_NS) continue
    const cause = `event loop, ${Math.round(each / 1e6)} ms each`
    const sum = waits.get(cause) ?? { count: 0, nanoseconds: 0 }
    waits.set(cause, {
      cause,
      count: sum.count + count,
      nanoseconds: sum.nanoseconds + Math.round(each * count),
    })
  }
  return [...waits.values()]
}

/**
 * Formats waits as a mutex profile in text form, which `go tool pprof` can read. One cycle is one nanosecond,
 * and each cause has its own address.
 */
export function formatMutexProfile(waits: readonly Wait[]): string {
  const lines = ['--- mutex:', 'cycles/second=1000000000', 'sampling period=1']
  for (const [index, { cause, count, nanoseconds }] of waits.entries()) {
    const address = `0x${(index + 1).toString(16)}`
    lines.push(`${nanoseconds} ${count} @ ${address}`, `#\t${address}\t${cause}`, '')
  }
  return `${lines.join('\n')}\n`
}
