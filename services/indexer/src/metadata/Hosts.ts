import type { Clock } from '@firn/runtime'
import type { Failure } from './Failure.ts'

/** Maximum number of idle hosts that are remembered. */
const MOST_IDLE = 10_000
const FAILURES_UNTIL_REST = 3
const WAITING_PER_TURN = 2
const BUSY_MS = 60_000
const FIRST_REST_MS = 60_000
const LONGEST_REST_MS = 3_600_000

/** Permission for one request to a host. The caller must report the outcome. */
export interface Turn {
  /** Reports that the host answered. The HTTP status does not matter. */
  answered(): void
  /**
   * Reports that the host did not answer. After several consecutive failures, the host is paused, each time
   * for longer.
   */
  failed(failure: Failure): void
  /** Reports that the host requested a pause of `ms` milliseconds. */
  throttled(ms: number): void
}

/** Pause of a host: its end in milliseconds since the Unix epoch, and its reason. */
export interface Resting {
  readonly until: number
  readonly failure: Failure
}

/** Limits concurrent requests to each host, and pauses hosts that fail or request a pause. */
export interface Hosts {
  /**
   * Waits while `most` requests to the host are running. Resolves to `Resting` if too many callers are
   * waiting already, or if the host is paused or becomes paused.
   */
  enter(host: string, most: number): Promise<Turn | Resting>
}

interface State {
  out: number
  failures: number
  rest: Resting | undefined
  readonly waiting: (() => void)[]
}

/** Creates a registry that contains no hosts yet. */
export function createHosts(clock: Clock): Hosts {
  const states = new Map<string, State>()

  const stateOf = (host: string): State => {
    const known = states.get(host)
    if (known !== undefined) return known
    if (states.size >= MOST_IDLE) forgetOne(states)
    const state: State = { out: 0, failures: 0, rest: undefined, waiting: [] }
    states.set(host, state)
    return state
  }

  const turnAt = (state: State): Turn => {
    const leave = (failures: number, rest: Resting | undefined) => {
      state.out--
      state.failures = failures
      if (rest !== undefined) state.rest = rest
      // If the host is paused, all waiting callers are woken; otherwise only one is.
      for (const wake of state.waiting.splice(0, rest === undefined ? 1 : Number.POSITIVE_INFINITY)) wake()
    }
    const restFor = (ms: number, failure: Failure): Resting => ({
      until: clock.now() + Math.min(ms, LONGEST_REST_MS),
      failure,
    })
    return {
      answered: () => leave(0, undefined),
      throttled: (ms) => leave(0, restFor(ms, 'throttled')),
      failed(failure) {
        const failures = state.failures + 1
        const over = failures - FAILURES_UNTIL_REST
        leave(failures, over < 0 ? undefined : restFor(FIRST_REST_MS * 2 ** Math.min(over, 10), failure))
      },
    }
  }

  return {
    async enter(host, most) {
      const state = stateOf(host)
      for (;;) {
        if (state.rest !== undefined && state.rest.until > clock.now()) return state.rest
        if (state.out < most) {
          state.out++
          return turnAt(state)
        }
        // Requests to other hosts are preferred, because one slow host must not occupy all concurrent slots.
        if (state.waiting.length >= most * WAITING_PER_TURN)
          return { until: clock.now() + BUSY_MS, failure: 'host-busy' }
        await new Promise<void>((wake) => state.waiting.push(wake))
      }
    },
  }
}

function forgetOne(states: Map<string, State>): void {
  for (const [host, { out, waiting }] of states)
    if (out === 0 && waiting.length === 0) return void states.delete(host)
}
