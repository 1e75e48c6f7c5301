import { type Clock, createPace } from '@firn/runtime'
import type { Signatures } from './Signatures.ts'

/** Number of requests that start in one turn of the event loop. Each takes about half a millisecond. */
const PER_TURN = 8

/** Returns a collector that starts the requests of a burst in several turns of the event loop. */
export function createPaced(signatures: Signatures, clock: Clock): Signatures {
  const pace = createPace(clock, PER_TURN)
  return {
    collect: async (request, limits) => {
      const turn = pace.take(1)
      if (turn !== undefined) await turn
      return signatures.collect(request, limits)
    },
  }
}
