import { isFirnError } from '@firn/codec'
import { createPool } from '@firn/rpc'
import { type Clock, pause } from '@firn/runtime'
import type { NodeSourceOptions } from '../node/NodeSource.ts'

/** The nodes to ask, and the clock and randomness of the pauses between attempts. */
export interface Nodes {
  readonly upstreams?: readonly NodeSourceOptions[]
  readonly clock: Clock
  readonly random: () => number
}

type Question<T> = (node: NodeSourceOptions) => Promise<T>

/** Timeout in milliseconds for a node whose answer is not required at startup. */
const IMPATIENT_MS = 2_000

/** Returns the options with a short timeout for each node. */
export function impatient<T extends Nodes>(options: T): T {
  const { upstreams = [] } = options
  return { ...options, upstreams: upstreams.map((node) => ({ ...node, timeoutMs: IMPATIENT_MS })) }
}

/** Returns the first successful answer of any node. After the answer undefined, the next node is asked. */
export async function first<T extends object | undefined>(
  upstreams: readonly NodeSourceOptions[],
  signal: AbortSignal,
  question: Question<T>,
): Promise<T> {
  const pool = createPool({ values: upstreams, now: () => 0 })
  return (await pool.attempt(question, { signal, isFinal: () => false })) as T
}

/**
 * Asks the nodes up to `attempts` times until one of them answers. Returns undefined if there are no nodes,
 * or if none fails and all answer undefined.
 * @throws the error of the last attempt; the signal's reason
 */
export async function ask<T extends object | undefined>(
  options: Nodes,
  attempts: number,
  signal: AbortSignal,
  question: Question<T>,
): Promise<T | undefined> {
  const { upstreams = [] } = options
  if (upstreams.length === 0) return undefined
  for (let attempt = 1; ; attempt++) {
    try {
      return await first(upstreams, signal, question)
    } catch (error) {
      if (!isFirnError(error) || signal.aborted || attempt >= attempts) throw error
      await pause(attempt, options, signal)
      signal.throwIfAborted()
    }
  }
}
