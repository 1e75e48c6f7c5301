import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Replica } from './Replica.ts'

/** Returns a random generator of numbers in [0, 1) with this seed. For tests only. */
export const randomFrom = (seed: number): (() => number) => {
  let count = 0
  return () => createHash('sha256').update(`${seed} ${count++}`).digest().readUInt32BE() / 2 ** 32
}

/** Inputs of {@link disrupt}: the replicas of one kind and their callbacks. For tests only. */
export interface Chaos {
  readonly replicas: readonly Replica[]
  readonly random: () => number
  /** Returns the process id of the lease holder, which is disrupted more often than the others. */
  readonly writer: () => Promise<number | undefined>
  /** Called when a process exits unexpectedly. */
  readonly onEnd: (reason: string) => void
  readonly counts: Map<string, number>
}

const count = (counts: Map<string, number>, what: string): void =>
  void counts.set(what, (counts.get(what) ?? 0) + 1)

const ACTIONS = ['pause', 'kill', 'restart'] as const

/**
 * Kills, pauses and restarts replicas until the signal is aborted: first it kills one, then it draws from the actions that
 * it has not used since it used all. Disrupts one replica at a time, and only while another replica serves. Leaves no
 * replica stopped or paused. For tests only.
 */
export const disrupt = async (chaos: Chaos, signal: AbortSignal): Promise<void> => {
  const { replicas, random, writer, onEnd, counts } = chaos
  let unused: (typeof ACTIONS)[number][] = ['kill']
  while (!signal.aborted) {
    await sleep(200 + 800 * random())
    const serving = replicas.filter(({ url, isPaused }) => url !== undefined && !isPaused)
    if (serving.length < 2) continue
    const pid = random() < 0.6 ? await writer() : undefined
    const target = serving.find((one) => one.pid === pid) ?? serving[Math.floor(random() * serving.length)]
    if (target === undefined) continue
    const [action] = unused.splice(Math.floor(random() * unused.length), 1)
    if (unused.length === 0) unused = [...ACTIONS]
    count(counts, `${action}s`)
    if (action === 'pause') {
      target.pause()
      // The pause is randomly shorter or longer than the duration of the lease.
      await sleep(500 + 8_500 * random())
      target.resume()
    } else {
      const how = action === 'kill' ? 'SIGKILL' : 'SIGTERM'
      const code = await target.end(how)
      if (how === 'SIGTERM' && code !== 0 && code !== 130)
        onEnd(`${target.kind} stopped with ${code}:\n${target.lines}`)
      await sleep(500 * random())
      target.start(onEnd)
    }
  }
}

/** Inputs of {@link readAll}: how to read heights from replicas of one kind. For tests only. */
export interface Reading {
  readonly replicas: readonly Replica[]
  /**
   * Returns the height that a replica reports, or undefined if it responds with 503. Rejects for any other
   * unexpected response.
   */
  readonly read: (url: string) => Promise<bigint | undefined>
  /** Returns the current height in the database. */
  readonly stored: () => Promise<bigint>
  readonly onFault: (reason: string) => void
  readonly counts: Map<string, number>
}

/** Time in milliseconds after which a failed read is reported as an error. */
const PATIENCE_MS = 60_000

/**
 * Reads heights from random replicas until the signal is aborted, and reports errors that retries do not
 * resolve. For tests only.
 */
export const readAll = async (reading: Reading, random: () => number, signal: AbortSignal): Promise<void> => {
  const { replicas, read, stored, onFault, counts } = reading
  const seen = new Map<string, bigint>()
  while (!signal.aborted) {
    let height: bigint | undefined
    for (const until = Date.now() + PATIENCE_MS; height === undefined; ) {
      const up = replicas.filter(({ url }) => url !== undefined)
      const url = up[Math.floor(random() * up.length)]?.url
      try {
        height = url === undefined ? undefined : await read(url)
      } catch (error) {
        // A killed or paused process is not a fault; the read is repeated on another replica.
        if (!isGone(error)) onFault(`${url}: ${error}`)
      }
      if (height !== undefined && url !== undefined) {
        count(counts, 'reads')
        if (height < (seen.get(url) ?? 0n))
          onFault(`${url}: returned height ${height} after height ${seen.get(url)}`)
        seen.set(url, height)
        const now = await stored()
        if (height > now) onFault(`${url}: returned height ${height}, but the database is at height ${now}`)
      } else {
        count(counts, 'retries')
        if (Date.now() > until) return onFault('a read failed for a minute on all replicas')
        await sleep(100)
      }
    }
    await sleep(20)
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && ['TypeError', 'TimeoutError', 'AbortError'].includes(error.name)
