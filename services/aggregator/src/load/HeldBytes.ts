import { Counter, Gauge, type Registry } from 'prom-client'
import { AggregatorError } from '../errors/AggregatorError.ts'

/** Limits the memory for the bodies of all requests in progress; created by {@link createHeldBytes}. */
export interface HeldBytes {
  /**
   * Counts the bytes of a request until the returned function is called. Repeated calls of it have no effect.
   * @throws AggregatorError `AGGREGATOR_BUSY` if the bytes exceed the limit together with those already held
   */
  hold(bytes: number): () => void
}

/** Options of {@link createHeldBytes}. */
export interface HeldBytesDependencies {
  readonly maxBytes: number
  readonly register: Registry
  /** Returns a number in [0, 1), which spreads the retries of refused callers. */
  readonly random?: () => number
}

/** Bytes that are counted for every request, in addition to its body. */
const OVERHEAD_BYTES = 16_384
const LONGEST_RETRY_SECONDS = 5

/** Returns a limit without any bytes held. A request larger than the limit is accepted when nothing else is held. */
export function createHeldBytes({
  maxBytes,
  register,
  random = Math.random,
}: HeldBytesDependencies): HeldBytes {
  let held = 0
  const refusals = createMetrics(register, () => held)
  return {
    hold(body) {
      const bytes = body + OVERHEAD_BYTES
      if (held > 0 && held + bytes > maxBytes) {
        refusals.inc()
        const retryAfterSeconds = 1 + Math.floor(random() * LONGEST_RETRY_SECONDS)
        throw new AggregatorError(
          'AGGREGATOR_BUSY',
          `requests in progress hold too much memory; try again in ${retryAfterSeconds} s`,
          { details: { headers: { 'retry-after': String(retryAfterSeconds) } } },
        )
      }
      held += bytes
      let isHeld = true
      return () => {
        if (isHeld) held -= bytes
        isHeld = false
      }
    },
  }
}

function createMetrics(register: Registry, held: () => number): Counter {
  const registers = [register]
  new Gauge({
    name: 'signature_aggregator_held_bytes',
    help: 'Bytes held for the bodies of requests in progress',
    registers,
    collect() {
      this.set(held())
    },
  })
  return new Counter({
    name: 'signature_aggregator_memory_refused_total',
    help: 'Number of requests that were refused because requests in progress held too much memory',
    registers,
  })
}
