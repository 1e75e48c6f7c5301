import type { Clock } from '../Clock.ts'

/** One movable timer; made by {@link create}. */
export interface Alarm {
  /**
   * Rings at `at` (clock's milliseconds) or earlier: an early ring is harmless, but moving a timer has a
   * cost.
   */
  set(at: number): void
  stop(): void
}

/** Platform timers count milliseconds in 31 bits and fire at once beyond that. */
const LONGEST = 2 ** 31 - 1

/** Returns an alarm that calls `ring`. */
export function create(clock: Clock, ring: () => void): Alarm {
  let armed: { at: number; controller: AbortController } | undefined
  const stop = () => {
    armed?.controller.abort()
    armed = undefined
  }
  const set = (at: number) => {
    if (armed !== undefined && armed.at <= at) return
    stop()
    const mine = { at, controller: new AbortController() }
    armed = mine
    const wait = Math.min(LONGEST, Math.max(0, at - clock.now()))
    clock.sleep(wait, mine.controller.signal).then(
      () => {
        if (armed !== mine) return
        armed = undefined
        ring()
      },
      () => undefined,
    )
  }
  return { set, stop }
}
