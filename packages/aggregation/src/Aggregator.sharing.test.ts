import { ValidatorSet } from '@firn/warp'
import { describe, expect, it } from 'vitest'
import type { AggregationRequest } from './AggregationRequest.ts'
import * as Prover from './Prover.ts'
import type { Behaviour } from './testing/Behaviour.ts'
import * as Simulation from './testing/Simulation.ts'

const honest: Behaviour = { kind: 'honest' }
const silent: Behaviour = { kind: 'silent' }

const validators = (count: number, of: (validator: number) => Behaviour = () => honest, weight = 1n) =>
  Array.from({ length: count }, (_, validator) => ({ weight, behaviours: [of(validator)] }))

describe('concurrent equal requests', () => {
  it('runs one aggregation for equal concurrent requests', async () => {
    const simulation = Simulation.create({ validators: validators(10) })
    const both = Promise.all([simulation.aggregate(), simulation.aggregate(), simulation.aggregate()])
    expect(simulation.aggregator.inFlight).toBe(1)
    const [first, second, third] = await simulation.clock.run(both)
    expect(second).toBe(first)
    expect(third).toBe(first)
    expect(new Set(simulation.asked.map(({ validator }) => validator)).size).toBe(simulation.asked.length)
    expect(simulation.aggregator.inFlight).toBe(0)
  })

  it('adds and verifies the same signatures only once', async () => {
    const own = Prover.create({ now: () => 0, sleep: async () => undefined })
    const sums: number[] = []
    const aggregate: Prover.Prover['aggregate'] = (message, signers) => {
      sums.push(signers.length)
      return own.aggregate(message, signers)
    }
    const simulation = Simulation.create({
      validators: validators(10),
      aggregator: { prover: { ...own, aggregate } },
    })
    const { signedMessage } = await simulation.run()
    expect((await simulation.run()).signedMessage).toEqual(signedMessage)
    expect(sums).toEqual([7])
    await simulation.run({ quorumPercentage: 80 })
    expect(sums).toEqual([7, 8])
  })

  it('runs separate aggregations for requests that differ in any field that affects the result', async () => {
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

  it('compares validator sets by content when it looks for an equal request in progress', async () => {
    const simulation = Simulation.create({ validators: validators(10) })
    const { validatorSet } = Simulation.create({ validators: validators(10) })
    const both = Promise.all([simulation.aggregate(), simulation.aggregate({ validatorSet })])
    expect(simulation.aggregator.inFlight).toBe(1)
    await simulation.clock.run(both)
  })

  it('continues the run for the other callers when one caller aborts', async () => {
    const simulation = Simulation.create({ validators: validators(10) })
    const controller = new AbortController()
    const aborted = simulation.aggregate({ signal: controller.signal })
    const other = simulation.aggregate()
    const reason = new RangeError('changed my mind')
    controller.abort(reason)
    await expect(aborted).rejects.toMatchObject({ code: 'AGGREGATION_ABORTED', cause: reason })
    await expect(simulation.clock.run(other)).resolves.toMatchObject({ signedWeight: 7n })
  })

  it('keeps retrying until the latest deadline among the callers of a shared run', async () => {
    const lag: Behaviour = { kind: 'lag', code: 1, until: 3_000 }
    const simulation = Simulation.create({ validators: validators(10, () => lag) })
    const hasty = simulation.aggregate({ deadlineMs: 1_000 })
    const patient = simulation.aggregate({ deadlineMs: 9_000, waitMs: 9_000 })
    await expect(simulation.clock.run(hasty)).rejects.toMatchObject({
      code: 'AGGREGATION_QUORUM_NOT_REACHED',
    })
    await expect(simulation.clock.run(patient)).resolves.toMatchObject({ signedWeight: 7n })
  })

  it("fails each caller of a shared run at that caller's own deadline", async () => {
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

describe('cancellation', () => {
  it('stops the run and cancels all requests when the last caller aborts', async () => {
    const simulation = Simulation.create({ validators: validators(10, () => silent) })
    const controller = new AbortController()
    const promise = simulation.aggregate({ signal: controller.signal })
    simulation.clock.after(100, () => controller.abort())
    await expect(simulation.clock.run(promise)).rejects.toMatchObject({ code: 'AGGREGATION_ABORTED' })
    expect([simulation.clock.now(), simulation.aggregator.inFlight]).toEqual([100, 0])
    expect(simulation.cancelled).toHaveLength(simulation.asked.length)
  })

  it('sends no requests for a caller whose signal has already aborted', async () => {
    const simulation = Simulation.create({ validators: validators(10) })
    await expect(simulation.aggregate({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'AGGREGATION_ABORTED',
    })
    expect(simulation.asked).toEqual([])
  })

  it('fails only the caller whose onProgress throws, not the other callers of the run', async () => {
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

describe('requests for several validator sets', () => {
  it('queries each validator once for all sets if none is queried in reserve', async () => {
    const simulation = Simulation.create({ validators: validators(20) })
    const nodes = simulation.validatorSet.validators.map(({ publicKey, weight, nodeIds }) => {
      return { publicKey: publicKey.compressed, weight, nodeId: nodeIds[0] as Uint8Array }
    })
    const run = async (skip: number) => {
      const validatorSet = ValidatorSet.create(nodes.slice(skip, skip + 12))
      return simulation.run({ validatorSet, slackPercentage: 0 })
    }
    for (const skip of [0, 3, 8]) expect((await run(skip)).signers.length).toBeGreaterThanOrEqual(9)
    const asked = simulation.asked.map(({ validator }) => validator)
    expect(asked.length).toBeGreaterThan(9)
    expect(new Set(asked).size).toBe(asked.length)
  })

  it('rejects a slack that is not a percentage', async () => {
    const simulation = Simulation.create({ validators: validators(3) })
    await expect(simulation.run({ slackPercentage: -1 })).rejects.toMatchObject({ code: 'AGGREGATION_INPUT' })
  })
})
