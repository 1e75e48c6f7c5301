import { describe, expect, it } from 'vitest'
import type { AggregationRequest } from './AggregationRequest.ts'
import type { Behaviour } from './testing/Behaviour.ts'
import * as Simulation from './testing/Simulation.ts'

const honest: Behaviour = { kind: 'honest' }
const silent: Behaviour = { kind: 'silent' }

const validators = (count: number, of: (validator: number) => Behaviour = () => honest, weight = 1n) =>
  Array.from({ length: count }, (_, validator) => ({ weight, behaviours: [of(validator)] }))

describe('equal requests in flight', () => {
  it('share one run', async () => {
    const simulation = Simulation.create({ validators: validators(10) })
    const both = Promise.all([simulation.aggregate(), simulation.aggregate(), simulation.aggregate()])
    expect(simulation.aggregator.inFlight).toBe(1)
    const [first, second, third] = await simulation.clock.run(both)
    expect(second).toBe(first)
    expect(third).toBe(first)
    expect(new Set(simulation.asked.map(({ validator }) => validator)).size).toBe(simulation.asked.length)
    expect(simulation.aggregator.inFlight).toBe(0)
  })

  it('are kept apart by everything that changes the result', async () => {
    const simulation = Simulation.create({ validators: validators(10) })
    const requests: Partial<AggregationRequest>[] = [
      {},
      { quorumPercentage: 68 },
      { bufferPercentage: 1 },
      { message: Simulation.messageOf(1) },
      { justification: Uint8Array.of(1) },
      { inactive: new Set([1]) },
      { chainKind: 'p-chain' },
      { validatorSet: Simulation.create({ validators: validators(9) }).validatorSet },
    ]
    const all = Promise.all(requests.map((request) => simulation.aggregate(request)))
    expect(simulation.aggregator.inFlight).toBe(requests.length)
    await simulation.clock.run(all)
  })

  it('are compared by content: a validator set fetched twice is the same', async () => {
    const simulation = Simulation.create({ validators: validators(10) })
    const { validatorSet } = Simulation.create({ validators: validators(10) })
    const both = Promise.all([simulation.aggregate(), simulation.aggregate({ validatorSet })])
    expect(simulation.aggregator.inFlight).toBe(1)
    await simulation.clock.run(both)
  })

  it('continue when one caller gives up', async () => {
    const simulation = Simulation.create({ validators: validators(10) })
    const controller = new AbortController()
    const aborted = simulation.aggregate({ signal: controller.signal })
    const other = simulation.aggregate()
    const reason = new RangeError('changed my mind')
    controller.abort(reason)
    await expect(aborted).rejects.toMatchObject({ code: 'AGGREGATION_ABORTED', cause: reason })
    await expect(simulation.clock.run(other)).resolves.toMatchObject({ signedWeight: 7n })
  })

  it('continue as long as the most patient caller, retries included', async () => {
    const lag: Behaviour = { kind: 'lag', code: 1, until: 3_000 }
    const simulation = Simulation.create({ validators: validators(10, () => lag) })
    const hasty = simulation.aggregate({ deadlineMs: 1_000 })
    const patient = simulation.aggregate({ deadlineMs: 9_000 })
    await expect(simulation.clock.run(hasty)).rejects.toMatchObject({
      code: 'AGGREGATION_QUORUM_NOT_REACHED',
    })
    await expect(simulation.clock.run(patient)).resolves.toMatchObject({ signedWeight: 7n })
  })

  it("keep each caller's own deadline", async () => {
    const slow: Behaviour = { kind: 'honest', ms: 2_000 }
    const simulation = Simulation.create({ validators: validators(10, () => slow) })
    const hasty = simulation.aggregate({ deadlineMs: 1_000 })
    const patient = simulation.aggregate({ deadlineMs: 5_000 })
    await expect(simulation.clock.run(hasty)).rejects.toMatchObject({
      code: 'AGGREGATION_QUORUM_NOT_REACHED',
    })
    expect(simulation.clock.now()).toBe(1_000)
    await expect(simulation.clock.run(patient)).resolves.toMatchObject({ signedWeight: 7n })
  })
})

describe('giving up', () => {
  it('stops the run with its last caller', async () => {
    const simulation = Simulation.create({ validators: validators(10, () => silent) })
    const controller = new AbortController()
    const promise = simulation.aggregate({ signal: controller.signal })
    simulation.clock.after(100, () => controller.abort())
    await expect(simulation.clock.run(promise)).rejects.toMatchObject({ code: 'AGGREGATION_ABORTED' })
    expect([simulation.clock.now(), simulation.aggregator.inFlight]).toEqual([100, 0])
    expect(simulation.cancelled).toHaveLength(simulation.asked.length)
  })

  it('asks no validator for a caller that gave up before', async () => {
    const simulation = Simulation.create({ validators: validators(10) })
    await expect(simulation.aggregate({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'AGGREGATION_ABORTED',
    })
    expect(simulation.asked).toEqual([])
  })

  it('fails only the caller whose onProgress throws', async () => {
    const simulation = Simulation.create({ validators: validators(10) })
    const cause = new RangeError('broken pipe')
    const onProgress = () => {
      throw cause
    }
    const broken = simulation.aggregate({ onProgress })
    const other = simulation.aggregate()
    const settled = simulation.clock.run(Promise.allSettled([broken, other]))
    expect(await settled).toMatchObject([
      { reason: { code: 'AGGREGATION_ABORTED', cause } },
      { status: 'fulfilled' },
    ])
  })
})
