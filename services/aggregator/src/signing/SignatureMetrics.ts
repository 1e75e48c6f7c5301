import type { Report } from '@firn/aggregation'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { createWrongSignatures } from './WrongSignatures.ts'

/** Creates the metrics of requests for signatures. */
export function createSignatureMetrics(register: Registry) {
  return { start: createTiming(register), count: createCounting(register) }
}

/**
 * Returns a function that records the start of a request. This function returns another one, which records
 * the outcome.
 */
function createTiming(register: Registry) {
  const registers = [register]
  const requests = counter(register, 'agg_sigs_req_count', 'Number of requests for signed messages')
  const seconds = new Histogram({
    name: 'signature_aggregator_agg_sigs_latency_seconds',
    help: 'Seconds from a request to its signed message or error, by outcome',
    labelNames: ['outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  })
  const inFlight = new Gauge({
    name: 'signature_aggregator_in_flight',
    help: 'Number of requests in progress',
    registers,
  })
  return () => {
    requests.inc()
    inFlight.inc()
    const end = seconds.startTimer()
    return (outcome: string) => {
      inFlight.dec()
      end({ outcome })
    }
  }
}

/** Returns a function that adds the numbers in a report to the metrics. */
function createCounting(register: Registry) {
  const count = (name: string, help: string) => counter(register, name, help)
  const hits = count('signature_cache_hits', 'Number of signatures found in the cache')
  const misses = count('signature_cache_misses', 'Number of signatures requested from validators')
  const timeouts = count('validator_timeouts', 'Number of validators that timed out')
  const invalid = count(
    'invalid_signature_responses',
    'Number of responses with a malformed or wrong signature',
  )
  const unreached = count(
    'failures_to_connect_to_sufficient_stake',
    'Number of requests that missed the quorum because of missing connections',
  )
  const addWrong = createWrongSignatures(register)
  return (report: Report, subnetId: Uint8Array) => {
    addWrong(report, subnetId)
    const { counters, reasons, validators } = report
    hits.inc(counters.fromCache)
    misses.inc(validators.filter(({ requests: sent }) => sent > 0).length)
    timeouts.inc(validators.filter(({ outcome }) => outcome === 'timed-out').length)
    invalid.inc(counters.malformed + counters.wrongSignatures)
    if (report.signedWeight < report.neededWeight && reasons[0]?.outcome === 'not-connected') unreached.inc()
  }
}

function counter(register: Registry, name: string, help: string): Counter {
  return new Counter({ name: `signature_aggregator_${name}`, help, registers: [register] })
}
