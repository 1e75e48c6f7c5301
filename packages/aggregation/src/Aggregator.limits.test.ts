import { ValidatorSet } from '@firn/warp'
import { describe, expect, it } from 'vitest'
import type { AggregationError } from './AggregationError.ts'
import type { Report } from './Report.ts'
import type { Behaviour } from './testing/Behaviour.ts'
import * as Simulation from './testing/Simulation.ts'

const honest: Behaviour = { kind: 'honest', ms: 10 }
const silent: Behaviour = { kind: 'silent' }

const validators = (count: number, of: (validator: number) => Behaviour = () => honest) =>
  Array.from({ length: count }, (_, validator) => ({ weight: 1n, behaviours: [of(validator)] }))

/** Returns the set of only some of a simulation's validators. */
function subset({ validatorSet, indexOf }: Simulation.Simulation, from: number, to: number) {
  const indices = new Set(Array.from({ length: to - from }, (_, i) => indexOf(from + i)))
  const chosen = validatorSet.validators.filter((_, index) => indices.has(index))
  return ValidatorSet.create(
    chosen.flatMap(({ publicKey, weight, nodeIds }) =>
      nodeIds.map((nodeId) => ({ nodeId, publicKey: publicKey.compressed, weight })),
    ),
  )
}

describe('limits of requests', () => {
  it('signs all messages with no more requests in flight than the limits allow', async () => {
    const simulation = Simulation.create({
      validators: validators(20),
      aggregator: { options: { maxRequests: 12, maxRequestsPerRun: 4, maxRequestsPerNode: 2 } },
    })
    let most = 0
    const onProgress = () => {
      most = Math.max(most, simulation.aggregator.requests.inFlight)
    }
    const messages = Array.from({ length: 5 }, (_, i) => Simulation.messageOf(i))
    const runs = messages.map((message) => simulation.aggregate({ message, onProgress }))
    const results = await simulation.clock.run(Promise.all(runs))
    expect(results.map(({ signedWeight }) => signedWeight)).toEqual([14n, 14n, 14n, 14n, 14n])
    expect(results.every(({ report }) => report.counters.retries === 0)).toBe(true)
    expect(most).toBeGreaterThan(6)
    expect(most).toBeLessThanOrEqual(12)
    expect(simulation.aggregator.requests).toEqual({ inFlight: 0, queued: 0 })
  })

  it('signs a message at once although silent validators of other messages occupy their slots', async () => {
    const simulation = Simulation.create({
      validators: validators(50, (i) => (i < 40 ? silent : honest)),
      aggregator: { options: { maxRequests: 60 } },
    })
    const hopeless = Array.from({ length: 10 }, (_, i) =>
      simulation.aggregate({ message: Simulation.messageOf(i), validatorSet: subset(simulation, 0, 40) }),
    )
    const failed = Promise.allSettled(hopeless)
    await simulation.clock.advance(100)
    const { inFlight, queued } = simulation.aggregator.requests
    expect([inFlight > 50, inFlight < 60, queued > 200]).toEqual([true, true, true])
    const message = Simulation.messageOf(10)
    await simulation.run({ message, validatorSet: subset(simulation, 40, 50) })
    expect(simulation.clock.now()).toBeLessThan(250)
    for (const result of await simulation.clock.run(failed)) expect(result.status).toBe('rejected')
    expect(simulation.aggregator.requests).toEqual({ inFlight: 0, queued: 0 })
  })

  it('queries others in place of a validator that has too many requests in flight, and reports none of them as silent', async () => {
    const simulation = Simulation.create({
      validators: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => ({
        weight: i < 2 ? 2n : 1n,
        behaviours: [i < 2 ? silent : honest],
      })),
      aggregator: { options: { maxRequestsPerNode: 1, slackPercentage: 0 } },
    })
    const validatorSet = subset(simulation, 0, 2)
    const first = simulation.aggregate({ validatorSet, quorumPercentage: 100, deadlineMs: 3_000 })
    first.catch(() => undefined)
    await simulation.clock.advance(1)
    const { report } = await simulation.run({ message: Simulation.messageOf(1), quorumPercentage: 66 })
    expect(simulation.clock.now()).toBeLessThan(200)
    expect(report.counters).toMatchObject({ requests: 8, hedges: 1 })
    for (const validator of [0, 1]) {
      const { outcome, requests, lately } = simulation.entryOf(report, validator)
      expect([outcome, requests, lately]).toEqual(['not-sent', 0, undefined])
    }
    const error = (await simulation.clock.run(first.catch((reason) => reason))) as AggregationError
    const { outcome } = (error.details['report'] as Report).validators[0] ?? {}
    expect(outcome).toBe('timed-out')
  })

  it('removes the requests of a cancelled run at once', async () => {
    const simulation = Simulation.create({
      validators: validators(10),
      aggregator: { options: { maxRequestsPerRun: 2 } },
    })
    const caller = new AbortController()
    const run = simulation.aggregate({ signal: caller.signal })
    run.catch(() => undefined)
    await simulation.clock.advance(1)
    expect(simulation.aggregator.requests).toEqual({ inFlight: 2, queued: 6 })
    caller.abort()
    expect(simulation.aggregator.requests).toEqual({ inFlight: 0, queued: 0 })
    await expect(run).rejects.toMatchObject({ code: 'AGGREGATION_ABORTED' })
  })
})

describe('plan', () => {
  it('returns the number of validators to query, and one key for equal requests', async () => {
    const { aggregator, message, run, validatorSet } = Simulation.create({ validators: validators(10) })
    const request = { message, validatorSet, quorumPercentage: 70, deadlineMs: 1_000 }
    const { key, queries } = aggregator.plan({ ...request, inactive: new Set([3]) })
    expect(queries).toBe(9)
    await run({ quorumPercentage: 70 })
    expect(aggregator.plan(request).queries).toBe(0)
    expect(aggregator.plan({ ...request, bufferPercentage: 30 }).queries).toBe(3)
    expect(aggregator.plan({ ...request, deadlineMs: 5 }).key).toBe(aggregator.plan(request).key)
    expect(aggregator.plan(request).key).not.toBe(key)
    expect(() => aggregator.plan({ ...request, quorumPercentage: 0 })).toThrow('quorumPercentage')
  })

  it('returns that no validator is to be queried if remembered refusals put the quorum out of reach', async () => {
    const refusing: Behaviour = { kind: 'refuse', code: -1, message: 'no' }
    const simulation = Simulation.create({ validators: validators(10, (i) => (i < 4 ? refusing : silent)) })
    const { aggregator, message, validatorSet } = simulation
    const request = { message, validatorSet, quorumPercentage: 67, deadlineMs: 1_000 }
    expect(aggregator.plan(request).queries).toBe(10)
    await expect(simulation.run()).rejects.toMatchObject({ code: 'AGGREGATION_QUORUM_IMPOSSIBLE' })
    expect(aggregator.plan(request).queries).toBe(0)
  })
})
