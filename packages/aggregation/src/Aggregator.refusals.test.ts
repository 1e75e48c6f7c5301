import { describe, expect, it } from 'vitest'
import type { AggregationError } from './AggregationError.ts'
import type { AggregationRequest } from './AggregationRequest.ts'
import type { Report } from './Report.ts'
import type { Behaviour } from './testing/Behaviour.ts'
import * as Simulation from './testing/Simulation.ts'

const honest: Behaviour = { kind: 'honest' }
const final: Behaviour = { kind: 'refuse', code: -1, message: 'failed to parse' }
const never: Behaviour = { kind: 'refuse', code: 2, message: 'not accepted yet' }
const lag = (until: number): Behaviour => ({ kind: 'lag', code: 2, until })

const validators = (count: number, of: (validator: number) => Behaviour) =>
  Array.from({ length: count }, (_, validator) => ({ weight: 1n, behaviours: [of(validator)] }))

/** Returns the error and the report of a run that must fail. */
async function fail(simulation: Simulation.Simulation, request: Partial<AggregationRequest> = {}) {
  const error = (await simulation.run(request).catch((reason: unknown) => reason)) as AggregationError
  return { code: error.code, message: error.message, report: error.details['report'] as Report }
}

/** Returns the largest number of requests that one validator has received. */
function mostRequests({ asked }: Simulation.Simulation): number {
  const counts = new Map<number, number>()
  for (const { validator } of asked) counts.set(validator, (counts.get(validator) ?? 0) + 1)
  return Math.max(0, ...counts.values())
}

/** Returns the number of requests at each time at which requests were sent, in order. */
function waves({ asked }: Simulation.Simulation): { readonly at: number; readonly requests: number }[] {
  const times = [...new Set(asked.map(({ at }) => at))]
  return times.map((at) => ({ at, requests: asked.filter((one) => one.at === at).length }))
}

describe('final refusals', () => {
  it.each([5, 100])('ends at once, with one request for each of %d validators', async (count) => {
    const simulation = Simulation.create({ validators: validators(count, () => final), latencyMs: [5, 15] })
    expect((await fail(simulation)).code).toBe('AGGREGATION_QUORUM_IMPOSSIBLE')
    expect(mostRequests(simulation)).toBe(1)
    expect(simulation.clock.now()).toBeLessThan(50)
  })

  it('ends the aggregation although other requests still wait in queues of this process', async () => {
    const simulation = Simulation.create({
      validators: validators(10, (i) => (i < 4 ? final : honest)),
      queuedMs: (validator) => (validator < 4 ? 0 : 3_000),
    })
    const { code, report } = await fail(simulation)
    expect([code, report.counters.requests]).toEqual(['AGGREGATION_QUORUM_IMPOSSIBLE', 4])
    expect(simulation.clock.now()).toBeLessThan(100)
  })

  it('returns remembered refusals with their age to an equal request, without querying validators', async () => {
    const simulation = Simulation.create({ validators: validators(10, (i) => (i < 4 ? final : honest)) })
    await fail(simulation)
    const requests = simulation.asked.length
    await simulation.clock.advance(7_000)
    const { code, message, report } = await fail(simulation)
    expect([code, simulation.asked.length]).toEqual(['AGGREGATION_QUORUM_IMPOSSIBLE', requests])
    const entry = simulation.entryOf(report, 0)
    expect(entry).toMatchObject({ outcome: 'refused', code: -1, requests: 0 })
    expect(Math.round((entry.rememberedMs ?? 0) / 1_000)).toBe(7)
    expect(message).toMatch(/refused \(code -1\) “failed to parse” \(remembered, up to 7\d{3} ms old\)/)
    expect(simulation.entryOf(report, 9).rememberedMs).toBeUndefined()
  })

  it('queries validators again after the configured time, and for another message or justification', async () => {
    const simulation = Simulation.create({
      validators: validators(10, () => final),
      aggregator: { options: { finalRefusalMs: 20_000 } },
    })
    const requestsOf = async (request: Partial<AggregationRequest>) => {
      const before = simulation.asked.length
      await fail(simulation, request)
      return simulation.asked.length - before
    }
    const first = await requestsOf({})
    expect([await requestsOf({}), await requestsOf({ quorumPercentage: 50 })]).toEqual([0, 0])
    expect(await requestsOf({ message: Simulation.messageOf(1) })).toBe(first)
    expect(await requestsOf({ justification: Uint8Array.of(1) })).toBe(first)
    await simulation.clock.advance(20_000)
    expect(await requestsOf({})).toBe(first)
  })
})

describe('“not yet”', () => {
  it('queries a third of the validators in each round, and all others as soon as one of them signs', async () => {
    const simulation = Simulation.create({ validators: validators(30, () => lag(3_000)) })
    await simulation.run({ quorumPercentage: 100, waitMs: 20_000 })
    const rounds = waves(simulation).filter(({ at }) => at > 250)
    expect(rounds.slice(0, -1).map(({ requests }) => requests)).toEqual(Array(rounds.length - 1).fill(10))
    const [canary, rest] = rounds.slice(-2)
    expect(rest?.requests).toBe(20)
    expect((rest?.at ?? 0) - (canary?.at ?? 0)).toBeLessThan(60)
    expect(simulation.clock.now()).toBeLessThan(5_200)
  })

  it.each([5, 100])('sends each of %d validators at most seven requests in 15 s', async (count) => {
    const simulation = Simulation.create({ validators: validators(count, () => never) })
    const { code } = await fail(simulation, { deadlineMs: 15_000, waitMs: 15_000 })
    expect(code).toBe('AGGREGATION_QUORUM_NOT_REACHED')
    expect(mostRequests(simulation)).toBeLessThanOrEqual(7)
    expect(simulation.clock.now()).toBeGreaterThan(13_000)
    expect(simulation.clock.now()).toBeLessThan(15_000)
  })

  it('sends few more requests if the deadline is much later', async () => {
    const simulation = Simulation.create({ validators: validators(30, () => never) })
    await fail(simulation, { deadlineMs: 600_000, waitMs: 600_000 })
    expect(mostRequests(simulation)).toBeLessThanOrEqual(25)
  })

  it('queries every validator once more shortly before the deadline', async () => {
    const simulation = Simulation.create({ validators: validators(30, () => never) })
    await fail(simulation, { deadlineMs: 15_000, waitMs: 15_000 })
    expect(waves(simulation).at(-1)).toMatchObject({ requests: 30, at: expect.any(Number) })
  })

  it('starts no round before the validators of the previous round have responded', async () => {
    const simulation = Simulation.create({
      validators: validators(30, () => never),
      latencyMs: [400, 400],
      aggregator: { options: { hedgeDelayMs: 1_000, minRetryDelayMs: 50, maxRetryDelayMs: 100 } },
    })
    await fail(simulation, { deadlineMs: 5_000, waitMs: 5_000, quorumPercentage: 100 })
    const times = waves(simulation).map(({ at }) => at)
    const waits = times.slice(1).map((at, i) => at - (times[i] ?? 0))
    expect(waits.length).toBeGreaterThan(5)
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(400)
  })

  it('returns the remembered refusal at once to a caller without time for a retry', async () => {
    const simulation = Simulation.create({ validators: validators(10, () => never) })
    await fail(simulation, { deadlineMs: 300 })
    const [requests, before] = [simulation.asked.length, simulation.clock.now()]
    const { code, report } = await fail(simulation, { deadlineMs: 300 })
    expect([code, simulation.asked.length]).toEqual(['AGGREGATION_QUORUM_NOT_REACHED', requests])
    expect(simulation.clock.now()).toBe(before)
    expect(report.validators.every(({ rememberedMs }) => rememberedMs !== undefined)).toBe(true)
  })

  it('is remembered: a caller with time gets the signed message after a retry when it is due', async () => {
    const simulation = Simulation.create({ validators: validators(9, () => lag(400)) })
    await fail(simulation, { deadlineMs: 300 })
    const requests = simulation.asked.length
    await simulation.run()
    expect(simulation.asked[requests]?.at).toBeGreaterThan(400)
    expect(waves(simulation).filter(({ at }) => at > 400)).toMatchObject([{ requests: 3 }, { requests: 6 }])
    expect(simulation.clock.now()).toBeLessThan(1_300)
  })

  it('queries validators at most once a second on average, however often callers ask', async () => {
    const simulation = Simulation.create({ validators: validators(30, () => never) })
    while (simulation.clock.now() < 15_000) {
      await fail(simulation, { deadlineMs: 150 })
      await simulation.clock.advance(50)
    }
    expect(simulation.asked.length / 30).toBeLessThanOrEqual(15)
  })
})

describe('onRequestSent', () => {
  it('is called for each request, but only for the first of several equal concurrent callers', async () => {
    const simulation = Simulation.create({ validators: validators(10, (i) => (i < 5 ? lag(2_000) : honest)) })
    const sent: string[] = []
    const as = (caller: string) => ({ onRequestSent: () => void sent.push(caller) })
    const both = Promise.all([simulation.aggregate(as('first')), simulation.aggregate(as('second'))])
    const [{ report }] = await simulation.clock.run(both)
    expect(report.counters.requests).toBeGreaterThan(10)
    expect(sent).toEqual(Array(report.counters.requests).fill('first'))
    expect(report.counters.requests).toBe(simulation.asked.length)
  })
})
