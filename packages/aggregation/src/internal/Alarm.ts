import type { Clock } from '@firn/runtime'

/** A timer whose time can be moved; created by {@link create}. */
export interface Alarm {
  /**
   * Makes the alarm ring at `at` (milliseconds as returned by `clock.now()`) or earlier. It may ring early, because
   * an early ring is harmless and moving a timer is costly.
   */
  set(at: number): void
  stop(): void
}

/** Longest delay of a platform timer in milliseconds. A timer with a longer delay fires at once. */
const LONGEST = 2 ** 31 - 1

/**
 * Returns an alarm that calls `ring` when its time has come. If the process was busy until then, some responses may
 * not be read yet, so the event loop reads them first.
 */
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
    const { signal } = mine.controller
    clock
      .sleep(wait, signal)
      .then(() => clock.sleep(0, signal))
      .then(
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
