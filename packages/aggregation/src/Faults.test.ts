import { Batch, PublicKey, Signature } from '@firn/bls'
import { Id } from '@firn/codec'
import { Acp118 } from '@firn/warp'
import { describe, expect, it } from 'vitest'
import type { AggregationError } from './AggregationError.ts'
import { defaults } from './Options.ts'
import type { Outcome, Report } from './Report.ts'
import * as SignatureCache from './SignatureCache.ts'
import { answer, type Behaviour } from './testing/Behaviour.ts'
import * as Random from './testing/Random.ts'
import * as Simulation from './testing/Simulation.ts'

/** Every kind of misbehaviour, with the outcome that the report must name. */
const faults: readonly (readonly [Behaviour, Outcome])[] = [
  [{ kind: 'silent' }, 'timed-out'],
  [{ kind: 'blackhole' }, 'timed-out'],
  [{ kind: 'refuse', code: -1, message: 'failed to parse' }, 'refused'],
  [{ kind: 'refuse', code: 1, message: 'unknown message' }, 'refused'],
  [{ kind: 'wrong-signature' }, 'bad-signature'],
  [{ kind: 'other-message' }, 'bad-signature'],
  [{ kind: 'short' }, 'bad-signature'],
  [{ kind: 'long' }, 'bad-signature'],
  [{ kind: 'infinity' }, 'bad-signature'],
  [{ kind: 'off-curve' }, 'bad-signature'],
  [{ kind: 'garbage' }, 'bad-signature'],
  [{ kind: 'empty' }, 'empty'],
  [{ kind: 'no-bytes' }, 'empty'],
  [{ kind: 'disconnect' }, 'disconnected'],
  [{ kind: 'throw' }, 'disconnected'],
  [{ kind: 'unconnected' }, 'not-connected'],
  [{ kind: 'unconnected', pending: true }, 'not-connected'],
]
const cancelling: readonly (readonly [Behaviour, Outcome])[] = [
  [{ kind: 'cancelling', sign: 1 }, 'bad-signature'],
  [{ kind: 'cancelling', sign: -1 }, 'bad-signature'],
]

/**
 * Creates a simulation of 100 validators. The culprits take the `kinds` in turn; the honest validators
 * respond later than the culprits.
 */
function create(culprits: readonly number[], kinds: readonly Behaviour[], slackPercentage = 100) {
  const turn = new Map(culprits.map((validator, i) => [validator, kinds[i % kinds.length] as Behaviour]))
  return Simulation.create({
    validators: Array.from({ length: 100 }, (_, validator) => ({
      weight: 1n,
      behaviours: [turn.get(validator) ?? { kind: 'honest', ms: 80 }],
    })),
    aggregator: { options: { slackPercentage } },
  })
}

const culpritsOf = (count: number) => Array.from({ length: count }, (_, i) => i * 3)

/**
 * A silent validator is reported as unanswered instead of timed out if the run was complete before the request timed
 * out.
 */
const called = (outcome: Outcome) => (outcome === 'timed-out' ? ['timed-out', 'unanswered'] : [outcome])

function expectNamed(
  simulation: Simulation.Simulation,
  report: Report,
  culprits: readonly number[],
  outcomes: readonly Outcome[],
) {
  for (const [i, validator] of culprits.entries()) {
    const { outcome, inSignedMessage } = simulation.entryOf(report, validator)
    expect(called(outcomes[i % outcomes.length] as Outcome), `validator ${validator}`).toContain(outcome)
    expect(inSignedMessage).toBe(false)
  }
}

const sets = [
  ...faults.map((fault) => ({ name: JSON.stringify(fault[0]), set: [fault] })),
  { name: 'errors that cancel in pairs', set: cancelling },
  { name: 'all kinds of faults at once', set: [...faults, ...cancelling] },
]

describe('33 % misbehaving validators', () => {
  it.each(sets)('reaches the quorum despite 33 % misbehaving validators: $name', async ({ set }) => {
    const culprits = culpritsOf(33)
    const simulation = create(
      culprits,
      set.map(([behaviour]) => behaviour),
    )
    const { report, signedWeight, signers } = await simulation.run()
    expect([signedWeight, signers.length]).toEqual([67n, 67])
    expectNamed(
      simulation,
      report,
      culprits,
      set.map(([, outcome]) => outcome),
    )
    expect(simulation.clock.now()).toBeLessThan(500)
  })

  it.each(sets)(
    'reaches the quorum despite 33 % misbehaving validators when the first wave queries only some validators: $name',
    async ({ set }) => {
      const simulation = create(
        culpritsOf(33),
        set.map(([behaviour]) => behaviour),
        defaults.slackPercentage,
      )
      expect((await simulation.run()).signedWeight).toBe(67n)
      expect(simulation.clock.now()).toBeLessThan(1_000)
    },
  )
})

describe('34 % misbehaving validators', () => {
  // These validators are known to be unreachable before the first request, so no request is sent.
  const isKnown = ({ set }: (typeof sets)[number]) =>
    set.every(([behaviour]) => behaviour.kind === 'unconnected' && behaviour.pending !== true)

  it.each(sets.filter((one) => !isKnown(one)))(
    'fails with an error that names the 34 % misbehaving validators and their weight: $name',
    async ({ set }) => {
      const culprits = culpritsOf(34)
      const simulation = create(
        culprits,
        set.map(([behaviour]) => behaviour),
      )
      const error = (await simulation.run().catch((reason: unknown) => reason)) as AggregationError
      expect(error.code).toMatch(/^AGGREGATION_QUORUM_(NOT_REACHED|IMPOSSIBLE)$/)
      expect(error.message).toContain(
        'needed signatures of 67.00 % (67 of 100) of the weight, got 66.00 % (66 of 100)',
      )
      const report = error.details['report'] as Report
      expect([report.signedWeight, report.neededWeight, report.totalWeight]).toEqual([66n, 67n, 100n])
      expectNamed(
        simulation,
        report,
        culprits,
        set.map(([, outcome]) => outcome),
      )
      expect(report.reasons.reduce((sum, { weight }) => sum + weight, 0n)).toBe(34n)
      expect(simulation.clock.now()).toBeLessThanOrEqual(20_000)
    },
  )

  it('fails without sending a request when 34 % of the validators are not connected', async () => {
    const simulation = create(culpritsOf(34), [{ kind: 'unconnected' }])
    await expect(simulation.run()).rejects.toMatchObject({
      code: 'AGGREGATION_QUORUM_IMPOSSIBLE',
      message: expect.stringContaining(
        'missing: not-connected “address unknown” 34.00 % (34 of 100) by 34 validators, not-asked',
      ),
    })
    expect(simulation.asked).toEqual([])
  })

  it('fails early when no pending response can change the outcome', async () => {
    const simulation = create(culpritsOf(34), [{ kind: 'refuse', code: -1, message: 'failed to parse' }])
    await expect(simulation.run()).rejects.toMatchObject({
      code: 'AGGREGATION_QUORUM_IMPOSSIBLE',
      message: expect.stringContaining(
        'refused (code -1) “failed to parse” 34.00 % (34 of 100) by 34 validators',
      ),
    })
    expect(simulation.clock.now()).toBeLessThan(100)
  })
})

describe('errors that cancel out', () => {
  const pair: Behaviour[] = [
    { kind: 'cancelling', sign: 1 },
    { kind: 'cancelling', sign: -1 },
  ]

  it('rejects invalid signatures whose errors cancel in the aggregate, and never caches them', async () => {
    const cache = SignatureCache.create({ maxBytes: 1_000_000 })
    const simulation = Simulation.create({
      validators: [...pair, ...Array<Behaviour>(8).fill({ kind: 'honest' })].map((behaviour) => ({
        weight: 1n,
        behaviours: [behaviour],
      })),
      aggregator: { cache },
    })
    const entries = pair.map((behaviour, validator) => ({
      publicKey: simulation.validatorSet.validators[simulation.indexOf(validator)]
        ?.publicKey as PublicKey.PublicKey,
      signature: signatureOf(behaviour, validator, simulation.message),
    }))
    expect(Batch.verify(simulation.message, entries, 'none')).toBe(true)

    // The plain aggregate of all ten signatures would verify; only the random weights reveal the two invalid
    // ones.
    await expect(simulation.run({ quorumPercentage: 100 })).rejects.toMatchObject({
      code: 'AGGREGATION_QUORUM_IMPOSSIBLE',
    })
    expect(cache.signatures).toBe(8)
    for (const { publicKey } of entries)
      expect(cache.get(Id.hash(simulation.message), publicKey)).toBeUndefined()
    const { signers } = await simulation.run({ quorumPercentage: 80 })
    expect(signers).not.toContain(simulation.indexOf(0))
    expect(signers).not.toContain(simulation.indexOf(1))
  })
})

it('replaces an invalid cached signature and completes the run', async () => {
  const good = SignatureCache.create({ maxBytes: 1_000_000 })
  const validators = Array.from({ length: 10 }, () => ({
    weight: 1n,
    behaviours: [{ kind: 'honest' } as const],
  }))
  const keys = Simulation.create({ validators }).validatorSet.validators.map(({ publicKey }) => publicKey)
  // This cache returns another validator's signature for the first key, like a corrupt shared cache.
  const removed: PublicKey.PublicKey[] = []
  const cache: SignatureCache.SignatureCache = {
    ...good,
    get(messageId, publicKey) {
      const isPoisoned =
        removed.length === 0 && PublicKey.compare(publicKey, keys[0] as PublicKey.PublicKey) === 0
      return good.get(messageId, isPoisoned ? (keys[1] as PublicKey.PublicKey) : publicKey)
    },
    remove(messageId, publicKey) {
      removed.push(publicKey)
      good.remove(messageId, publicKey)
    },
  }
  const simulation = Simulation.create({ validators, aggregator: { cache } })
  await simulation.run({ quorumPercentage: 100 })
  // Another object of the same set, so that the aggregate signature of the first run is not known.
  const validatorSet = { ...simulation.validatorSet }
  const request = { validatorSet, quorumPercentage: 90, bufferPercentage: 10 }
  const { signedWeight, report } = await simulation.run(request)
  expect(removed).toHaveLength(1)
  expect([signedWeight, report.validators[0]?.fromCache, report.validators[1]?.fromCache]).toEqual([
    10n,
    undefined,
    true,
  ])
})

it('rethrows errors of a broken transport or cache, and leaves no run in progress', async () => {
  const cause = new RangeError('no route table')
  const fail = () => {
    throw cause
  }
  const validators = [{ weight: 1n, behaviours: [{ kind: 'honest' } as const] }]
  const cache = { ...SignatureCache.create({ maxBytes: 0 }), get: fail }
  const transport = { connection: fail, request: fail }
  for (const aggregator of [{ cache }, { transport }]) {
    const simulation = Simulation.create({ validators, aggregator })
    await expect(simulation.run()).rejects.toBe(cause)
    expect(simulation.aggregator.inFlight).toBe(0)
  }
})

describe('many validators', () => {
  it('reaches the quorum among 1,000 validators with many kinds of faults, and reports no faulty validator as signed', async () => {
    const random = Random.create(7)
    const behaviours = [...faults, ...cancelling].map(([behaviour]) => behaviour)
    // Few of the faults are invalid signatures, because creating and bisecting these takes most of the time.
    const cheap = behaviours.filter(
      ({ kind }) => !['wrong-signature', 'other-message', 'cancelling', 'infinity'].includes(kind),
    )
    const isCulprit = Array.from({ length: 1_000 }, () => random() < 0.3)
    const validators = isCulprit.map((isBad, i) => ({
      weight: 1n + BigInt(Math.floor(random() * 1_000)),
      behaviours: [
        isBad
          ? ((i % 100 === 0 ? behaviours : cheap)[i % cheap.length] as Behaviour)
          : ({ kind: 'honest' } as const),
      ],
    }))
    const simulation = Simulation.create({ validators })
    const { signedWeight, neededWeight, report } = await simulation.run({ quorumPercentage: 60 })
    expect(signedWeight >= neededWeight).toBe(true)
    expect(simulation.clock.now()).toBeLessThan(1_000)
    for (const [validator, isBad] of isCulprit.entries()) {
      if (isBad) expect(simulation.entryOf(report, validator).outcome).not.toBe('signed')
    }
  })
})

function signatureOf(behaviour: Behaviour, validator: number, message: Uint8Array): Signature.Signature {
  const reply = answer(behaviour, validator, message, 0)
  if (reply?.kind !== 'response') throw new RangeError('expected a behaviour that responds')
  return Signature.decode(Acp118.decodeResponse(reply.bytes).signature)
}
