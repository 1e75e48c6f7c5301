import { describe, expect, it } from 'vitest'
import type { AggregationError } from './AggregationError.ts'
import type { Report } from './Report.ts'
import * as SignatureCache from './SignatureCache.ts'
import type { Behaviour } from './testing/Behaviour.ts'
import * as Simulation from './testing/Simulation.ts'

const honest: Behaviour = { kind: 'honest' }
const silent: Behaviour = { kind: 'silent' }

const validators = (count: number, of: (validator: number) => Behaviour = () => honest) =>
  Array.from({ length: count }, (_, validator) => ({ weight: 1n, behaviours: [of(validator)] }))

describe('silence and queues', () => {
  it('does not count time in the queues of this process as silence of the validators', async () => {
    const simulation = Simulation.create({
      validators: validators(20),
      queuedMs: 8_000,
      aggregator: { options: { requestTimeoutMs: 1_000 } },
    })
    const { report } = await simulation.run({ quorumPercentage: 100 })
    expect(report.counters).toMatchObject({ requests: 20, hedges: 0, retries: 0 })
    expect(report.validators.every(({ latencyMs = 0 }) => latencyMs < 100)).toBe(true)
  })

  it('learns the latency of half of the validators only when half of all requests have responses', async () => {
    const simulation = Simulation.create({
      validators: validators(20, (i) => ({ kind: 'honest', ms: i < 2 ? 5 : 80 })),
      queuedMs: (validator) => (validator < 2 ? 0 : 50),
    })
    expect((await simulation.run()).report.counters).toMatchObject({ hedges: 0 })
  })

  it('reports requests that were still queued at the deadline as not sent, and blames no validator', async () => {
    const simulation = Simulation.create({ validators: validators(10), queuedMs: 3_000 })
    const error = (await simulation.run({ deadlineMs: 2_000 }).catch((reason) => reason)) as AggregationError
    expect(error.message).toContain('missing: not-sent 80.00 % (8 of 10) by 8 validators, not-asked')
    const report = error.details['report'] as Report
    expect(report.counters.requests).toBe(0)
    expect(simulation.entryOf(report, 0)).toMatchObject({
      outcome: 'not-sent',
      text: 'queued here for 2000 ms',
      requests: 0,
    })
    const second = await simulation.run({ message: Simulation.messageOf(1) })
    expect(second.report.validators.some(({ lately }) => lately !== undefined)).toBe(false)
  })

  it('retries a request that this side could not send, and blames no validator', async () => {
    const unsent: Behaviour = { kind: 'unsent', until: 2_000 }
    const simulation = Simulation.create({ validators: validators(10, () => unsent) })
    const error = (await simulation.run({ deadlineMs: 1_000 }).catch((reason) => reason)) as AggregationError
    expect(error.message).toContain('not-sent')
    const { report, signedWeight } = await simulation.run({ message: Simulation.messageOf(1) })
    expect(signedWeight).toBe(7n)
    expect(report.validators.some(({ lately }) => lately !== undefined)).toBe(false)
  })

  it('queries silent validators again until the deadline', async () => {
    const lost: Behaviour = { kind: 'silent', until: 6_000 }
    const simulation = Simulation.create({ validators: validators(10, (i) => (i < 5 ? lost : honest)) })
    const { report, signedWeight } = await simulation.run()
    expect(signedWeight).toBe(7n)
    expect(simulation.clock.now()).toBeGreaterThan(6_000)
    expect(simulation.clock.now()).toBeLessThan(12_000)
    expect(report.counters.retries).toBeGreaterThan(0)
  })

  it('returns without the full buffer once the missing validators have timed out', async () => {
    const simulation = Simulation.create({ validators: validators(10, (i) => (i < 3 ? silent : honest)) })
    const { signedWeight } = await simulation.run({ bufferPercentage: 10 })
    expect(signedWeight).toBe(7n)
    expect(simulation.clock.now()).toBeLessThan(5_100)
  })

  it('accepts a signature that arrives after its time-out', async () => {
    const slow: Behaviour = { kind: 'honest', ms: 5_200 }
    const simulation = Simulation.create({ validators: validators(10, () => slow) })
    const { report, signedWeight } = await simulation.run({ quorumPercentage: 80 })
    expect(signedWeight).toBe(8n)
    expect(simulation.clock.now()).toBe(5_200)
    expect(report.counters.lateResponses).toBeGreaterThanOrEqual(8)
  })

  it('caches the signatures that arrive after the run has failed', async () => {
    const slow: Behaviour = { kind: 'honest', ms: 4_500 }
    const wrong: Behaviour = { kind: 'wrong-signature', ms: 4_500 }
    const cache = SignatureCache.create({ maxBytes: 1_000_000 })
    const simulation = Simulation.create({
      validators: validators(10, (i) => (i < 3 ? wrong : slow)),
      aggregator: { cache },
    })
    await expect(simulation.run({ deadlineMs: 4_000 })).rejects.toMatchObject({
      code: 'AGGREGATION_QUORUM_NOT_REACHED',
    })
    await simulation.clock.run(simulation.clock.sleep(1_000))
    expect(cache.signatures).toBe(7)
    const { report, signedWeight } = await simulation.run()
    expect([signedWeight, report.counters.fromCache, report.counters.requests]).toEqual([7n, 7, 0])
  })

  it('ignores late signatures after the message was signed', async () => {
    const slow: Behaviour = { kind: 'honest', ms: 4_500 }
    const cache = SignatureCache.create({ maxBytes: 1_000_000 })
    const simulation = Simulation.create({
      validators: validators(10, (i) => (i < 3 ? slow : honest)),
      aggregator: { cache },
    })
    await simulation.run()
    await simulation.clock.run(simulation.clock.sleep(10_000))
    expect(cache.signatures).toBe(7)
  })

  it('blames no validator for responses that arrived while the process was busy', async () => {
    // The responses are due after the hedge delay, and after the process was blocked for longer than the time-out.
    const simulation = Simulation.create({ validators: validators(100), latencyMs: [300, 400] })
    simulation.clock.after(1, () => simulation.clock.block(7_000))
    const { report } = await simulation.run({ quorumPercentage: 90 })
    expect(report.counters).toMatchObject({ requests: 100, hedges: 0, retries: 0 })
    expect(report.validators.filter(({ outcome }) => outcome === 'timed-out')).toEqual([])
  })
})
