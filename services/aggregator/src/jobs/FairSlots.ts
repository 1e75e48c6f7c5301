import { abortable } from '../internal/flights.ts'

/** A limit on concurrent work. Waiting work starts in turns, one piece for each key, so no key starves others. */
export interface FairSlots {
  /** Runs `work` as soon as a slot is free. Rejects with the signal's reason if it aborts before the start. */
  run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** Creates {@link FairSlots} for at most `max` concurrent pieces of work. */
export function createFairSlots(max: number): FairSlots {
  let running = 0
  /** The waiting work by key. The first key has the next turn. */
  const waiting = new Map<string, Set<() => void>>()
  const wakeNext = () => {
    const [next] = waiting
    if (next === undefined) return
    const [key, turns] = next
    const [wake] = turns
    waiting.delete(key)
    if (wake === undefined) return
    turns.delete(wake)
    if (turns.size > 0) waiting.set(key, turns)
    wake()
  }
  const release = () => {
    running--
    wakeNext()
  }
  const acquire = async (key: string, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted()
    if (running < max) {
      running++
      return
    }
    const turns = waiting.get(key) ?? new Set()
    waiting.set(key, turns)
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => {
      running++
      resolve()
    }
    turns.add(wake)
    try {
      await abortable(promise, signal)
    } catch (error) {
      // A slot that was granted at the moment of the abort goes to the next.
      if (!turns.delete(wake)) release()
      else if (turns.size === 0) waiting.delete(key)
      throw error
    }
  }
  return {
    run: async (key, signal, work) => {
      await acquire(key, signal)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
