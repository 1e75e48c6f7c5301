import { describe, expect, it } from 'vitest'
import type { AggregationError } from './AggregationError.ts'
import type { AggregationRequest } from './AggregationRequest.ts'
import type { Report } from './Report.ts'
import type { Behaviour } from './testing/Behaviour.ts'
import * as Simulation from './testing/Simulation.ts'

const honest: Behaviour = { kind: 'honest' }
const silent: Behaviour = { kind: 'silent' }
const refuse = (code: number): Behaviour => ({ kind: 'refuse', code, message: 'no' })
const lag = (code: number, until: number): Behaviour => ({ kind: 'lag', code, until })

const simulate = (count: number, of: (validator: number) => Behaviour) =>
  Simulation.create({
    validators: Array.from({ length: count }, (_, validator) => ({
      weight: 1n,
      behaviours: [of(validator)],
    })),
  })

const ofPlatform = { message: Simulation.messageOf(0, new Uint8Array(32)) }

/** Returns the error code of a run that must fail, and the largest number of requests to one validator. */
async function fail(simulation: Simulation.Simulation, request: Partial<AggregationRequest> = {}) {
  const before = simulation.asked.length
  const error = (await simulation.run(request).catch((reason: unknown) => reason)) as AggregationError
  const counts = new Map<number, number>()
  for (const { validator } of simulation.asked.slice(before))
    counts.set(validator, (counts.get(validator) ?? 0) + 1)
  const { report } = error.details as unknown as { report: Report }
  return { code: error.code, most: Math.max(0, ...counts.values()), report, message: error.message }
}

const NOT_REACHED = 'AGGREGATION_QUORUM_NOT_REACHED'

describe('refusals because of the state of the P-chain', () => {
  it.each([6, 11, 12, 14, 16, 17])(
    'ends with one request for each validator if all refuse with code %d',
    async (code) => {
      const simulation = simulate(20, () => refuse(code))
      expect(await fail(simulation, ofPlatform)).toMatchObject({ code: NOT_REACHED, most: 1 })
      expect(simulation.clock.now()).toBeLessThan(100)
    },
  )

  it.each([0, -4])(
    'queries validators again if all refuse with code %d, which says nothing about the state',
    async (code) => {
      const simulation = simulate(5, () => lag(code, 900))
      await expect(simulation.run(ofPlatform)).resolves.toBeDefined()
    },
  )

  it('queries the others again if a validator has signed, because they may lag behind', async () => {
    const simulation = simulate(5, (i) => (i === 0 ? honest : lag(11, 900)))
    await expect(simulation.run(ofPlatform)).resolves.toBeDefined()
  })

  it('queries validators again for as long as the caller asks', async () => {
    const simulation = simulate(5, () => lag(11, 6_000))
    await expect(simulation.run({ ...ofPlatform, waitMs: 9_000 })).resolves.toBeDefined()
  })

  it('ends at once if enough weight has refused, although others are silent', async () => {
    const simulation = simulate(5, (i) => (i < 2 ? refuse(16) : silent))
    expect(await fail(simulation, ofPlatform)).toMatchObject({ code: NOT_REACHED, most: 1 })
    expect(simulation.clock.now()).toBeLessThan(1_500)
  })

  it('waits for silent validators as long as too little weight has refused', async () => {
    const simulation = simulate(5, (i) => (i < 1 ? refuse(16) : { kind: 'silent', until: 7_000 }))
    await expect(simulation.run({ ...ofPlatform, waitMs: 0 })).resolves.toBeDefined()
  })
})

describe('“not accepted yet” on an EVM chain', () => {
  it.each([400, 900, 2_500])('signs a message that validators accept after %d ms', async (until) => {
    const simulation = simulate(5, () => lag(2, until))
    await simulation.run()
    expect(simulation.clock.now()).toBeLessThan(3_100)
  })

  it.each([5, 100])(
    'gives up after 3 s and at most five requests to each of %d validators',
    async (count) => {
      const simulation = simulate(count, () => refuse(1))
      const { code, most, message } = await fail(simulation)
      expect([code, message]).toEqual([NOT_REACHED, expect.stringContaining('answered “not yet” (waitMs)')])
      expect(most).toBeLessThanOrEqual(5)
      expect(simulation.clock.now()).toBeGreaterThan(2_700)
      expect(simulation.clock.now()).toBeLessThan(3_100)
    },
  )

  it('sends each validator one request with waitMs 0', async () => {
    const simulation = simulate(100, () => refuse(1))
    expect(await fail(simulation, { waitMs: 0 })).toMatchObject({ code: NOT_REACHED, most: 1 })
    expect(simulation.clock.now()).toBeLessThan(200)
  })

  it('returns without the buffer when the time for “not yet” is over', async () => {
    const simulation = simulate(10, (i) => (i < 3 ? refuse(1) : honest))
    const { signedWeight } = await simulation.run({ bufferPercentage: 20 })
    expect(signedWeight).toBe(7n)
    expect(simulation.clock.now()).toBeLessThan(3_100)
  })
})

describe('callers of one run', () => {
  it('fails each caller after its own waitMs, counted from its own request', async () => {
    const simulation = simulate(10, () => lag(1, 4_000))
    const ended: (readonly [string, string, number])[] = []
    const ask = (name: string, waitMs: number) =>
      simulation.aggregate({ waitMs }).then(
        () => ended.push([name, 'signed', simulation.clock.now()]),
        ({ code }: AggregationError) => ended.push([name, code, simulation.clock.now()]),
      )
    const first = [ask('none', 0), ask('short', 2_000), ask('long', 8_000)]
    await simulation.clock.advance(1_500)
    const all = Promise.all([...first, ask('later', 2_000)])
    expect(simulation.aggregator.inFlight).toBe(1)
    await simulation.clock.run(all)
    expect(ended.map(([name, code]) => [name, code])).toEqual([
      ['none', NOT_REACHED],
      ['short', NOT_REACHED],
      ['later', NOT_REACHED],
      ['long', 'signed'],
    ])
    const [none = 0, short = 0, later = 0] = ended.map(([, , at]) => at)
    expect([none < 200, short < 2_100, later > 2_000, later < 3_600]).toEqual([true, true, true, true])
  })

  it('tells its callers while nobody is being queried', async () => {
    const simulation = simulate(5, () => refuse(1))
    const seen: number[] = []
    await fail(simulation, { onWaiting: () => seen.push(simulation.aggregator.requests.inFlight) })
    expect(seen.length).toBeGreaterThan(2)
    expect(new Set(seen)).toEqual(new Set([0]))
  })
})

describe('remembered refusals', () => {
  it('decides for a caller whose deadline is before the next round, and queries each validator once', async () => {
    const simulation = simulate(10, () => lag(11, 1_000))
    await fail(simulation, ofPlatform)
    expect(await fail(simulation, ofPlatform)).toMatchObject({ code: NOT_REACHED, most: 0 })
    await simulation.clock.advance(600)
    expect(await fail(simulation, ofPlatform)).toMatchObject({ code: NOT_REACHED, most: 1 })
    await simulation.clock.advance(1_200)
    await expect(simulation.run(ofPlatform)).resolves.toBeDefined()
  })

  it('delays a waiting caller by at most the time until the next round', async () => {
    const simulation = simulate(10, () => lag(11, 200))
    await fail(simulation, ofPlatform)
    await simulation.run({ ...ofPlatform, waitMs: 3_000 })
    expect(simulation.clock.now()).toBeLessThan(700)
  })
})

describe('a refusal that the caller knows', () => {
  const refusal = { code: 16, text: 'the nonce is used', reportedBy: 'the P-chain' }

  it('fails at once without querying anybody, and says who reports it', async () => {
    const simulation = simulate(5, () => honest)
    const { code, most, report } = await fail(simulation, { ...ofPlatform, refusal })
    expect([code, most, simulation.clock.now()]).toEqual(['AGGREGATION_QUORUM_IMPOSSIBLE', 0, 0])
    expect(report.validators).toHaveLength(5)
    for (const one of report.validators)
      expect(one).toMatchObject({ outcome: 'refused', requests: 0, ...refusal })
    const plan = { ...ofPlatform, validatorSet: simulation.validatorSet, quorumPercentage: 67, deadlineMs: 1 }
    expect(simulation.aggregator.plan(plan).queries).toBe(5)
    expect(simulation.aggregator.plan({ ...plan, refusal }).queries).toBe(0)
    await expect(simulation.run(ofPlatform)).resolves.toBeDefined()
  })

  it('does not prevent a message whose signatures are cached', async () => {
    const simulation = simulate(5, () => honest)
    await simulation.run(ofPlatform)
    const { report } = await simulation.run({ ...ofPlatform, refusal })
    expect(report.counters).toMatchObject({ requests: 0, fromCache: 4 })
  })
})

it.each([-1, Number.NaN])('rejects a waitMs of %d', async (waitMs) => {
  const simulation = simulate(1, () => honest)
  await expect(simulation.run({ waitMs })).rejects.toMatchObject({ code: 'AGGREGATION_INPUT' })
})
