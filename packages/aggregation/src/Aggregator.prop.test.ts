import { PublicKey, Signature } from '@firn/bls'
import { BitSet, Quorum, SignedMessage } from '@firn/warp'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AggregationError } from './AggregationError.ts'
import type { AggregationResult } from './AggregationResult.ts'
import type { Report } from './Report.ts'
import type { Behaviour } from './testing/Behaviour.ts'
import * as Simulation from './testing/Simulation.ts'

const DEADLINE_MS = 20_000

/** Behaviours of nodes that return a valid signature well before the deadline. */
const able: fc.Arbitrary<Behaviour> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Behaviour>({ kind: 'honest' }) },
  fc.integer({ min: 0, max: 4_000 }).map((ms): Behaviour => ({ kind: 'honest', ms })),
  fc.record<Behaviour & { kind: 'lag' }>({
    kind: fc.constant('lag'),
    code: fc.constantFrom(1, 2, 3, 4),
    until: fc.integer({ min: 0, max: 8_000 }),
  }),
  fc
    .integer({ min: 0, max: 4_500 })
    .map((until): Behaviour => ({ kind: 'unconnected', pending: true, until })),
)

const unable: fc.Arbitrary<Behaviour> = fc.oneof(
  fc.constantFrom<Behaviour[]>(
    { kind: 'silent' },
    { kind: 'blackhole' },
    { kind: 'refuse', code: -1, message: 'no' },
    { kind: 'refuse', code: 2, message: 'not yet' },
    { kind: 'wrong-signature' },
    { kind: 'other-message' },
    { kind: 'short' },
    { kind: 'long' },
    { kind: 'infinity' },
    { kind: 'off-curve' },
    { kind: 'garbage' },
    { kind: 'empty' },
    { kind: 'no-bytes' },
    { kind: 'cancelling', sign: 1 },
    { kind: 'cancelling', sign: -1 },
    { kind: 'disconnect' },
    { kind: 'throw' },
    { kind: 'unconnected' },
    { kind: 'unconnected', pending: true },
  ),
)

const validator = fc.record({
  weight: fc.oneof(
    fc.bigInt({ min: 1n, max: 20n }),
    fc.bigInt({ min: 1n, max: 2n ** 40n }),
    fc.constant(10n),
  ),
  behaviours: fc.array(fc.oneof({ weight: 3, arbitrary: able }, { weight: 1, arbitrary: unable }), {
    minLength: 1,
    maxLength: 2,
  }),
})

const scenario = fc
  .record({
    validators: fc.array(validator, { minLength: 1, maxLength: 14 }),
    keylessWeight: fc.constantFrom(0n, 0n, 5n, 100n),
    inactive: fc.array(fc.nat({ max: 13 }), { maxLength: 2 }),
    quorum: fc.integer({ min: 1, max: 100 }),
    buffer: fc.integer({ min: 0, max: 99 }),
    seed: fc.integer(),
  })
  .map((drawn) => ({ ...drawn, buffer: Math.min(drawn.buffer, 100 - drawn.quorum) }))

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never

const ableKinds = new Set(['honest', 'lag'])
const isAble = (behaviour: Behaviour) =>
  ableKinds.has(behaviour.kind) || (behaviour.kind === 'unconnected' && behaviour.until !== undefined)

function create({ validators, keylessWeight, inactive: drawn, quorum, buffer, seed }: Scenario) {
  const simulation = Simulation.create({ validators, keylessWeight, seed })
  const inactive = new Set(drawn.filter((index) => index < validators.length))
  const ableWeight = validators.reduce((sum, { weight, behaviours }, i) => {
    return behaviours.some(isAble) && !inactive.has(simulation.indexOf(i)) ? sum + weight : sum
  }, 0n)
  const request = {
    inactive,
    quorumPercentage: quorum,
    bufferPercentage: buffer,
    deadlineMs: DEADLINE_MS,
    waitMs: DEADLINE_MS,
  }
  return { simulation, ableWeight, request }
}

function run(drawn: Scenario) {
  const { simulation, ableWeight, request } = create(drawn)
  const outcome = simulation.run(request).then(
    (result) => ({ result }),
    (error: AggregationError) => ({ error }),
  )
  return { simulation, ableWeight, outcome, off: request.inactive }
}

/**
 * Checks the result by adding weights and computing one pairing, independently of the warp package's
 * verification.
 */
function verify(result: AggregationResult, simulation: Simulation.Simulation): bigint {
  const { signature } = SignedMessage.decode(result.signedMessage)
  const signers = BitSet.decode(signature.signers)
  expect(signers).toEqual(result.signers)
  const chosen = signers.map((index) => simulation.validatorSet.validators[index])
  const keys = chosen.flatMap((one) => one?.publicKey ?? [])
  expect(
    Signature.verify(PublicKey.aggregate(keys), simulation.message, Signature.decode(signature.signature)),
  ).toBe(true)
  return chosen.reduce((sum, one) => sum + (one?.weight ?? 0n), 0n)
}

it('returns a message that passes verification with the required quorum, or an error with a correct report', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (drawn) => {
      const { simulation, ableWeight, outcome, off } = run(drawn)
      const settled = await outcome
      const { totalWeight } = simulation.validatorSet
      const needed = Quorum.needed(totalWeight, drawn.quorum)
      const target = Quorum.needed(totalWeight, drawn.quorum + drawn.buffer)
      expect(simulation.clock.now()).toBeLessThanOrEqual(DEADLINE_MS)

      if ('error' in settled) {
        expect(settled.error.code).toMatch(/^AGGREGATION_QUORUM_/)
        const report = settled.error.details['report'] as Report
        expect(ableWeight < needed).toBe(true)
        expect(report.signedWeight < needed).toBe(true)
        expectTrue(report, drawn, simulation, off)
        return
      }
      const { result } = settled
      const weight = verify(result, simulation)
      expect(weight).toBe(result.signedWeight)
      expect(weight >= needed).toBe(true)
      // The message must contain the whole buffer, or as much of it as could be collected.
      expect(weight >= target || weight === ableWeight).toBe(true)
      expectTrue(result.report, drawn, simulation, off)
      const lightest = result.signers.map((index) => simulation.validatorSet.validators[index]?.weight ?? 0n)
      if (weight >= target) for (const one of lightest) expect(weight - one < target).toBe(true)
    }),
    { numRuns: 150 },
  )
})

/** Checks that every reported signer is able to sign and that each weight is counted once. */
function expectTrue(
  report: Report,
  drawn: Scenario,
  simulation: Simulation.Simulation,
  off: ReadonlySet<number>,
) {
  for (const [i, { behaviours, weight }] of drawn.validators.entries()) {
    const entry = simulation.entryOf(report, i)
    expect(entry.weight).toBe(weight)
    if (entry.outcome === 'signed') expect(behaviours.some(isAble)).toBe(true)
    expect(entry.outcome === 'inactive').toBe(off.has(entry.index))
    if (entry.inSignedMessage) expect(entry.outcome).toBe('signed')
  }
  const missing = report.reasons.reduce((sum, { weight }) => sum + weight, 0n)
  expect(missing + report.signedWeight + drawn.keylessWeight).toBe(report.totalWeight)
}

it('misses no validator that can sign because of what it remembers from callers with little time', async () => {
  const hasty = fc.array(
    fc.record({ deadlineMs: fc.integer({ min: 1, max: 2_000 }), pauseMs: fc.nat(2_000) }),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  await fc.assert(
    fc.asyncProperty(scenario, hasty, async (drawn, earlier) => {
      const { simulation, ableWeight, request } = create(drawn)
      for (const { deadlineMs, pauseMs } of earlier) {
        await simulation.run({ ...request, deadlineMs }).catch(() => undefined)
        await simulation.clock.advance(pauseMs)
      }
      const weight = await simulation.run(request).then(
        (result) => verify(result, simulation),
        () => undefined,
      )
      const { totalWeight } = simulation.validatorSet
      if (weight === undefined) expect(ableWeight < Quorum.needed(totalWeight, drawn.quorum)).toBe(true)
      else {
        const target = Quorum.needed(totalWeight, drawn.quorum + drawn.buffer)
        expect(weight >= target || weight === ableWeight).toBe(true)
      }
    }),
    { numRuns: 40 },
  )
})

it('returns the same result when the simulation is repeated with the same seed', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (drawn) => {
      const [first, second] = [run(drawn), run(drawn)]
      expect(await second.outcome).toEqual(await first.outcome)
      expect(second.simulation.asked).toEqual(first.simulation.asked)
    }),
    { numRuns: 30 },
  )
})
