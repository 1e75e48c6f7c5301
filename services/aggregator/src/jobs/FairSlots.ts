import { abortable } from '../internal/flights.ts'

/** Identifies the work that takes turns: its caller, and the request or job of the caller. */
export interface Share {
  readonly caller: string
  readonly request: string
}

/**
 * A limit on concurrent work. Waiting work starts in turns: one piece for each caller, and of a caller, one piece for
 * each request. So neither many requests nor a large one starve the work of others.
 */
export interface FairSlots {
  /** Runs `work` as soon as a slot is free. Rejects with the signal's reason if it aborts before the start. */
  run<T>(share: Share, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

type Wake = () => void

/** Creates {@link FairSlots} for at most `max` concurrent pieces of work. */
export function createFairSlots(max: number): FairSlots {
  let running = 0
  /** The waiting work by caller and request. The first caller has the next turn, and uses it for its first request. */
  const waiting = new Map<string, Map<string, Set<Wake>>>()
  const add = ({ caller, request }: Share, wake: Wake) => {
    const requests = getOrCreate(waiting, caller, () => new Map<string, Set<Wake>>())
    getOrCreate(requests, request, () => new Set<Wake>()).add(wake)
  }
  /** Returns whether the work was still waiting. */
  const remove = ({ caller, request }: Share, wake: Wake): boolean => {
    const requests = waiting.get(caller)
    const wakes = requests?.get(request)
    if (requests === undefined || wakes === undefined || !wakes.delete(wake)) return false
    if (wakes.size === 0) requests.delete(request)
    if (requests.size === 0) waiting.delete(caller)
    return true
  }
  const wakeNext = () => {
    for (const [caller, requests] of waiting) {
      for (const [request, [wake]] of requests) {
        if (wake === undefined) continue
        remove({ caller, request }, wake)
        moveToEnd(requests, request)
        moveToEnd(waiting, caller)
        return wake()
      }
    }
  }
  const release = () => {
    running--
    wakeNext()
  }
  const acquire = async (share: Share, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted()
    if (running < max) {
      running++
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => {
      running++
      resolve()
    }
    add(share, wake)
    try {
      await abortable(promise, signal)
    } catch (error) {
      // A slot that was granted at the moment of the abort goes to the next.
      if (!remove(share, wake)) release()
      throw error
    }
  }
  return {
    run: async (share, signal, work) => {
      await acquire(share, signal)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}

function getOrCreate<V>(map: Map<string, V>, key: string, create: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = create()
  map.set(key, created)
  return created
}

function moveToEnd<V>(map: Map<string, V>, key: string): void {
  const value = map.get(key)
  if (value === undefined) return
  map.delete(key)
  map.set(key, value)
}
