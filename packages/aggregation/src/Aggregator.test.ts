import { SignedMessage } from '@firn/warp'
import { describe, expect, it } from 'vitest'
import type { AggregationError } from './AggregationError.ts'
import type { AggregationRequest } from './AggregationRequest.ts'
import type { Progress } from './Progress.ts'
import type { Behaviour } from './testing/Behaviour.ts'
import * as Simulation from './testing/Simulation.ts'

const honest: Behaviour = { kind: 'honest' }
const silent: Behaviour = { kind: 'silent' }

const validators = (count: number, of: (validator: number) => Behaviour = () => honest, weight = 1n) =>
  Array.from({ length: count }, (_, validator) => ({ weight, behaviours: [of(validator)] }))

describe('selection of validators to query', () => {
  it('queries the heaviest validators first, up to the weight of quorum, buffer and slack', async () => {
    const weights = [400n, 300n, 200n, 60n, 40n]
    const simulation = Simulation.create({
      validators: weights.map((weight) => ({ weight, behaviours: [honest] })),
    })
    const { signers, report } = await simulation.run()
    expect(simulation.asked.map(({ validator }) => validator)).toEqual([0, 1, 2])
    expect(signers).toEqual([0, 1].map(simulation.indexOf).sort((a, b) => a - b))
    expect(simulation.entryOf(report, 3)).toMatchObject({
      outcome: 'not-asked',
      requests: 0,
      inSignedMessage: false,
    })
  })

  it('queries more validators when a third never responds, instead of waiting for the time-out', async () => {
    const simulation = Simulation.create({
      validators: validators(100, (i) => (i % 3 === 0 ? silent : honest)),
    })
    const { report } = await simulation.run({ quorumPercentage: 66 })
    expect(simulation.clock.now()).toBeLessThan(400)
    expect(report.counters.hedges).toBeGreaterThan(0)
  })

  it('learns response latencies, so that later runs send hedged requests sooner', async () => {
    const heavy = validators(4, () => silent, 150n)
    const simulation = Simulation.create({
      validators: [...heavy, ...validators(40, undefined, 10n)],
      aggregator: { options: { lowStandingMs: 0 } },
    })
    const took: number[] = []
    for (const number of [1, 2]) {
      const before = simulation.clock.now()
      await simulation.run({ quorumPercentage: 30, message: Simulation.messageOf(number) })
      took.push(simulation.clock.now() - before)
    }
    const [first = 0, second = 0] = took
    expect(second).toBeLessThan(first - 100)
  })

  it('queries recently silent or misbehaving validators last, until they sign again', async () => {
    const kinds: Behaviour[] = [silent, { kind: 'wrong-signature' }]
    const simulation = Simulation.create({
      validators: validators(30, (i) => (i < 10 ? (kinds[i % 2] as Behaviour) : { kind: 'honest', ms: 300 })),
    })
    const lowest = () => simulation.asked.filter(({ validator }) => validator < 10).length
    await simulation.run({ quorumPercentage: 66 })
    expect(lowest()).toBe(10)
    simulation.asked.length = 0
    const before = simulation.clock.now()
    const { report } = await simulation.run({ quorumPercentage: 50, message: Simulation.messageOf(1) })
    expect([lowest(), report.counters.hedges, simulation.clock.now() - before]).toEqual([0, 0, 300])
    const named = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? 'unanswered' : 'bad-signature'))
    const lately = (validator: number) => simulation.entryOf(report, validator).lately?.outcome
    expect(named.map((_, validator) => lately(validator))).toEqual(named)
    expect(lately(29)).toBeUndefined()
    await simulation.clock.run(simulation.clock.sleep(30_000))
    await simulation.run({ quorumPercentage: 60, message: Simulation.messageOf(2) })
    expect(lowest()).toBeGreaterThan(0)
  })

  it('reports a silent validator as unanswered when another validator was queried instead', async () => {
    const simulation = Simulation.create({ validators: validators(10, (i) => (i < 3 ? silent : honest)) })
    const { report } = await simulation.run()
    for (const validator of [0, 1, 2]) {
      const { outcome, text } = simulation.entryOf(report, validator)
      expect([outcome, text]).toEqual(['unanswered', expect.stringMatching(/^silent for \d+ ms$/)])
    }
  })

  it('queries a replacement at once when a validator refuses', async () => {
    const refuse: Behaviour = { kind: 'refuse', code: -2, message: 'unregistered handler' }
    const simulation = Simulation.create({ validators: validators(20, (i) => (i < 6 ? refuse : honest)) })
    await simulation.run()
    expect(simulation.clock.now()).toBeLessThan(200)
  })

  it('stops querying when the quorum is out of reach, but waits for outstanding responses', async () => {
    const refuse: Behaviour = { kind: 'refuse', code: -1, message: 'no' }
    const simulation = Simulation.create({
      validators: [
        { weight: 40n, behaviours: [refuse] },
        ...validators(60, () => ({ kind: 'honest', ms: 90 })),
      ],
      aggregator: { options: { slackPercentage: 0 } },
    })
    const error = (await simulation.run().catch((reason: unknown) => reason)) as AggregationError
    expect(error.code).toBe('AGGREGATION_QUORUM_IMPOSSIBLE')
    expect(error.details['signedWeight']).toBe(27n)
    expect(simulation.asked).toHaveLength(28)
  })

  it('verifies signatures while it waits, so that an unreachable quorum is detected early', async () => {
    const kinds: Behaviour[] = [
      ...Array<Behaviour>(4).fill(honest),
      ...Array<Behaviour>(3).fill({ kind: 'wrong-signature' }),
      silent,
      ...Array<Behaviour>(2).fill({ kind: 'unconnected' }),
    ]
    const simulation = Simulation.create({ validators: validators(10, (i) => kinds[i] as Behaviour) })
    await expect(simulation.run({ quorumPercentage: 60, bufferPercentage: 20 })).rejects.toMatchObject({
      code: 'AGGREGATION_QUORUM_IMPOSSIBLE',
    })
    expect(simulation.clock.now()).toBeLessThan(1_000)
  })

  it('completes with the valid signatures of a batch when other signatures of the batch are wrong', async () => {
    const wrong: Behaviour = { kind: 'wrong-signature' }
    const simulation = Simulation.create({
      validators: validators(10, (i) => (i < 3 ? wrong : honest)),
      latencyMs: [10, 10],
      aggregator: { options: { slackPercentage: 100 } },
    })
    await expect(simulation.run({ quorumPercentage: 70 })).resolves.toMatchObject({ signedWeight: 7n })
    expect(simulation.clock.now()).toBe(10)
  })

  it('does not hold against a validator what another program reports about it', async () => {
    const reported = (behaviour: Behaviour): Behaviour => ({ kind: 'reported', behaviour })
    const kinds = [
      reported({ kind: 'wrong-signature' }),
      reported({ kind: 'short' }),
      reported({ kind: 'refuse', code: -1, message: 'no' }),
      reported(honest),
    ]
    const simulation = Simulation.create({
      validators: validators(12, (i) => kinds[i] ?? honest),
      aggregator: { options: { slackPercentage: 100 } },
    })
    const { report } = await simulation.run({ quorumPercentage: 75 })
    const described = kinds.map((_, validator) => {
      const { outcome, reportedBy } = simulation.entryOf(report, validator)
      return [outcome, reportedBy]
    })
    expect(described).toEqual([
      ['bad-signature', 'another'],
      ['bad-signature', 'another'],
      ['refused', 'another'],
      ['signed', undefined],
    ])
    expect([report.counters.wrongSignatures, report.counters.malformed]).toEqual([0, 0])
    for (const { publicKey } of simulation.validatorSet.validators)
      expect(simulation.aggregator.lately(publicKey)).toBeUndefined()
  })

  it('never queries inactive validators, but counts their weight in the total', async () => {
    const simulation = Simulation.create({ validators: validators(10) })
    const inactive = new Set([0, 1, 2].map(simulation.indexOf))
    const { report, signers } = await simulation.run({ inactive })
    expect(signers).toHaveLength(7)
    expect(simulation.entryOf(report, 0)).toMatchObject({ outcome: 'inactive', requests: 0 })
    await expect(simulation.run({ inactive, quorumPercentage: 71 })).rejects.toMatchObject({
      code: 'AGGREGATION_QUORUM_IMPOSSIBLE',
    })
  })

  it('cancels outstanding requests when the result is complete', async () => {
    const simulation = Simulation.create({ validators: validators(10, (i) => (i === 0 ? silent : honest)) })
    await simulation.run()
    expect(simulation.cancelled.some(({ validator }) => validator === 0)).toBe(true)
  })
})

describe('several nodes that share one key', () => {
  it('counts the weight of a key shared by several nodes once, whichever node signs correctly', async () => {
    const nodes: Behaviour[] = [
      { kind: 'refuse', code: -1, message: 'no' },
      { kind: 'wrong-signature' },
      honest,
    ]
    const simulation = Simulation.create({
      validators: [{ weight: 60n, behaviours: nodes }, ...validators(4, undefined, 10n)],
    })
    const result = await simulation.run({ quorumPercentage: 100 })
    expect(result.signedWeight).toBe(100n)
    expect(simulation.entryOf(result.report, 0)).toMatchObject({ outcome: 'signed', requests: 3 })
    expect(result.report.validators).toHaveLength(5)
  })

  it('verifies the second node’s signature when the first node of the same key sent a wrong signature', async () => {
    const wrongFirst: Behaviour[] = [{ kind: 'honest', ms: 50 }, { kind: 'other-message' }]
    const simulation = Simulation.create({
      validators: [{ weight: 1n, behaviours: wrongFirst }],
      latencyMs: [1, 2],
    })
    const { report } = await simulation.run({ quorumPercentage: 100 })
    expect(report.counters.wrongSignatures).toBe(1)
    expect(simulation.entryOf(report, 0).outcome).toBe('signed')
  })
})

describe('the second node of a key', () => {
  const pair = (first: Behaviour, second: Behaviour) =>
    Simulation.create({ validators: [{ weight: 1n, behaviours: [first, second] }] })

  it('queries the second node of a key when it connects while the first node is silent', async () => {
    const simulation = pair({ kind: 'blackhole' }, { kind: 'unconnected', pending: true, until: 1_000 })
    await expect(simulation.run()).resolves.toMatchObject({ signedWeight: 1n })
    expect(simulation.clock.now()).toBeLessThan(1_200)
  })

  it('waits for the second node of a key when the first node’s signature is invalid', async () => {
    const simulation = pair({ kind: 'other-message' }, { kind: 'honest', ms: 900 })
    await expect(simulation.run()).resolves.toMatchObject({ signedWeight: 1n })
  })

  it('waits for the second node of a key when no other validator can respond', async () => {
    const simulation = Simulation.create({
      validators: [
        { weight: 1n, behaviours: [{ kind: 'other-message' }, { kind: 'honest', ms: 900 }] },
        { weight: 10n, behaviours: [{ kind: 'unconnected' }] },
      ],
    })
    const result = await simulation.run({ quorumPercentage: 1, bufferPercentage: 9 })
    expect(result.signedWeight).toBe(1n)
  })

  it('counts a validator once when both nodes with the same key respond', async () => {
    const simulation = pair({ kind: 'honest', ms: 1 }, { kind: 'honest', ms: 1 })
    await expect(simulation.run()).resolves.toMatchObject({ signedWeight: 1n, signers: [0] })
  })
})

describe('the buffer', () => {
  it('includes the buffer in the message when enough validators sign', async () => {
    const simulation = Simulation.create({ validators: validators(100) })
    const { signedWeight, neededWeight } = await simulation.run({ bufferPercentage: 13 })
    expect([signedWeight, neededWeight]).toEqual([80n, 67n])
  })

  it('returns without the full buffer when no more signatures can arrive', async () => {
    const refuse: Behaviour = { kind: 'refuse', code: -1, message: 'no' }
    const simulation = Simulation.create({ validators: validators(100, (i) => (i < 25 ? refuse : honest)) })
    const { signedWeight } = await simulation.run({ bufferPercentage: 20 })
    expect(signedWeight).toBe(75n)
    expect(simulation.clock.now()).toBeLessThan(1_000)
  })

  it('waits for the buffer until the deadline, then returns a message that meets the quorum', async () => {
    const simulation = Simulation.create({ validators: validators(10, (i) => (i < 3 ? silent : honest)) })
    const { signedWeight, report } = await simulation.run({ bufferPercentage: 10, deadlineMs: 3_000 })
    expect([signedWeight, simulation.clock.now()]).toEqual([7n, 3_000])
    expect(simulation.entryOf(report, 0).outcome).toBe('timed-out')
  })
})

describe('“not yet” errors', () => {
  it('retries “not yet” errors until the validators accept the message', async () => {
    const lag: Behaviour = { kind: 'lag', code: 2, until: 3_000 }
    const simulation = Simulation.create({ validators: validators(20, () => lag) })
    const { report } = await simulation.run({ waitMs: 20_000 })
    expect(simulation.clock.now()).toBeGreaterThan(3_000)
    expect(simulation.clock.now()).toBeLessThan(6_000)
    expect(report.counters.retries).toBeGreaterThan(20)
  })

  it('retries a “not yet” error code on an EVM chain but treats the same code as final on the P-chain', async () => {
    const lag: Behaviour = { kind: 'lag', code: 2, until: 1_000 }
    const simulation = Simulation.create({ validators: validators(10, () => lag) })
    await expect(simulation.run({ chainKind: 'p-chain' })).rejects.toMatchObject({
      code: 'AGGREGATION_QUORUM_IMPOSSIBLE',
    })
    const message = Simulation.messageOf(1, new Uint8Array(32))
    await expect(simulation.run({ message })).rejects.toMatchObject({ code: 'AGGREGATION_QUORUM_IMPOSSIBLE' })
    await expect(simulation.run()).resolves.toBeDefined()
  })

  it('fails early when the deadline is too near to retry a “not yet” error', async () => {
    const lag: Behaviour = { kind: 'lag', code: 1, until: 60_000 }
    const simulation = Simulation.create({ validators: validators(10, (i) => (i < 4 ? lag : honest)) })
    const error = await simulation
      .run({ deadlineMs: 4_000, waitMs: 9_000 })
      .catch((reason: AggregationError) => reason)
    expect(error).toMatchObject({
      code: 'AGGREGATION_QUORUM_NOT_REACHED',
      message: expect.stringContaining(
        'not enough time was left to retry the validators that were silent (deadlineMs) or answered “not yet” (waitMs)',
      ),
    })
    // The run ends as soon as the next attempt would come after the deadline.
    expect(simulation.clock.now()).toBeLessThan(4_000)
  })
})

describe('connections', () => {
  it('waits for connections that are in progress', async () => {
    const late: Behaviour = { kind: 'unconnected', pending: true, until: 1_500 }
    const simulation = Simulation.create({ validators: validators(10, () => late) })
    const { report } = await simulation.run()
    expect(report.signedWeight).toBe(7n)
    expect(simulation.clock.now()).toBeLessThan(1_800)
  })

  it('stops waiting for pending connections and reports why each node is missing', async () => {
    const never: Behaviour = { kind: 'unconnected', pending: true }
    const simulation = Simulation.create({ validators: validators(10, (i) => (i < 4 ? never : honest)) })
    const error = await simulation.run().catch((reason: AggregationError) => reason)
    expect(error).toMatchObject({ code: 'AGGREGATION_QUORUM_IMPOSSIBLE' })
    expect((error as AggregationError).message).toContain(
      'not-connected “address unknown” 40.00 % (4 of 10) by 4 validators',
    )
    expect(simulation.clock.now()).toBeLessThan(5_500)
  })

  it('queries a node once more when a broken connection is restored', async () => {
    const broken: Behaviour = { kind: 'disconnect', until: 1 }
    const simulation = Simulation.create({ validators: validators(10, () => broken) })
    const { report } = await simulation.run({ quorumPercentage: 100 })
    expect(report.counters.requests).toBe(20)
    const dead = Simulation.create({ validators: validators(10, () => ({ kind: 'disconnect' })) })
    await expect(dead.run()).rejects.toMatchObject({ code: 'AGGREGATION_QUORUM_IMPOSSIBLE' })
    expect(dead.asked).toHaveLength(20)
  })

  it('fails at once when no node is connected', async () => {
    const simulation = Simulation.create({ validators: validators(10, () => ({ kind: 'unconnected' })) })
    await expect(simulation.run()).rejects.toMatchObject({ code: 'AGGREGATION_QUORUM_IMPOSSIBLE' })
    expect([simulation.clock.now(), simulation.asked.length]).toEqual([0, 0])
  })
})

describe('the cache', () => {
  it('requests only the missing signatures when a second request has a higher quorum', async () => {
    const simulation = Simulation.create({ validators: validators(100) })
    const first = await simulation.run({ quorumPercentage: 50 })
    const known = new Set(
      first.report.validators.filter(({ outcome }) => outcome === 'signed').map(({ index }) => index),
    )
    simulation.asked.length = 0
    const second = await simulation.run({ quorumPercentage: 80 })
    expect(second.report.counters.fromCache).toBe(known.size)
    expect(simulation.asked.some(({ validator }) => known.has(simulation.indexOf(validator)))).toBe(false)
    expect(simulation.asked.length).toBeLessThanOrEqual(100 - known.size)
    expect(second.report.validators.filter(({ fromCache }) => fromCache)).toHaveLength(known.size)
  })

  it('answers a repeated request from the cache without querying any validator', async () => {
    const simulation = Simulation.create({ validators: validators(20) })
    const first = await simulation.run()
    simulation.asked.length = 0
    const second = await simulation.run()
    expect(simulation.asked).toEqual([])
    expect(second.signedMessage).toEqual(first.signedMessage)
  })

  it('ignores cached signatures of validators that became inactive', async () => {
    const simulation = Simulation.create({ validators: validators(10) })
    await simulation.run({ quorumPercentage: 100 })
    const inactive = new Set([3])
    const { report, signers } = await simulation.run({ inactive, quorumPercentage: 90 })
    expect(signers).not.toContain(3)
    expect(report.validators[3]).toMatchObject({ outcome: 'inactive', inSignedMessage: false })
  })

  it('keeps the signatures collected by a failed request for the next request', async () => {
    const simulation = Simulation.create({ validators: validators(10, (i) => (i < 5 ? silent : honest)) })
    await simulation.run().catch(() => undefined)
    const { report } = await simulation.run({ quorumPercentage: 50 })
    expect(report.counters).toMatchObject({ fromCache: 5, requests: 0 })
  })
})

it('reports progress with weights that never decrease', async () => {
  const simulation = Simulation.create({ validators: validators(10) })
  const seen: Progress[] = []
  await simulation.run({ onProgress: (progress) => seen.push(progress), bufferPercentage: 3 })
  expect(seen[0]).toMatchObject({
    collectedWeight: 0n,
    neededWeight: 7n,
    targetWeight: 7n,
    totalWeight: 10n,
    asked: 8,
  })
  const collected = seen.map(({ collectedWeight }) => collectedWeight)
  expect(collected).toEqual(collected.toSorted((a, b) => Number(a - b)))
  expect(collected.length).toBeGreaterThan(5)
})

it('reports who has signed and who failed, with the reason, when the progress is read', async () => {
  const refuse: Behaviour = { kind: 'refuse', code: 7, message: 'no' }
  const simulation = Simulation.create({ validators: validators(10, (i) => (i === 2 ? refuse : honest)) })
  let last: Progress | undefined
  await simulation.run({
    onProgress: (progress) => {
      last = progress
    },
    bufferPercentage: 23,
  })
  const seen = last?.validators() ?? []
  const refused = seen[simulation.indexOf(2)]
  expect(refused).toMatchObject({ hasSigned: false, failure: { outcome: 'refused', code: 7 } })
  expect(seen.filter(({ hasSigned }) => hasSigned)).toHaveLength(9)
  expect(seen.filter(({ failure }) => failure !== undefined)).toEqual([refused])
})

it('returns the same message for the same signers in any order of responses', async () => {
  const messages = await Promise.all(
    [1, 2, 3].map(async (seed) => {
      const simulation = Simulation.create({ validators: validators(30), seed })
      return (await simulation.run({ quorumPercentage: 67, bufferPercentage: 33 })).signedMessage
    }),
  )
  expect(messages[1]).toEqual(messages[0])
  expect(messages[2]).toEqual(messages[0])
})

it('signs exactly the message bytes of the request', async () => {
  const simulation = Simulation.create({ validators: validators(5) })
  const { signedMessage, signers } = await simulation.run()
  expect(signedMessage.slice(0, simulation.message.length)).toEqual(simulation.message)
  expect(SignedMessage.decode(signedMessage).signature.signature).toHaveLength(96)
  expect(signers).toHaveLength(4)
})

it('counts the weight of validators without a key in the total', async () => {
  const simulation = Simulation.create({ validators: validators(10, undefined, 6n), keylessWeight: 40n })
  await expect(simulation.run()).rejects.toMatchObject({
    code: 'AGGREGATION_QUORUM_IMPOSSIBLE',
    message: expect.stringContaining('validators without a key 40.00 % (40 of 100)'),
  })
  await expect(simulation.run({ quorumPercentage: 60 })).resolves.toMatchObject({ signedWeight: 60n })
})

describe('invalid requests', () => {
  const cases: [string, Partial<AggregationRequest>][] = [
    ['quorumPercentage', { quorumPercentage: 0 }],
    ['quorumPercentage', { quorumPercentage: 101 }],
    ['quorumPercentage', { quorumPercentage: 66.5 }],
    ['bufferPercentage', { bufferPercentage: -1 }],
    ['bufferPercentage', { bufferPercentage: 34 }],
    ['deadlineMs', { deadlineMs: 0 }],
    ['deadlineMs', { deadlineMs: Number.POSITIVE_INFINITY }],
    ['inactive', { inactive: new Set([10]) }],
    ['inactive', { inactive: new Set([-1]) }],
    ['message', { message: new Uint8Array(41) }],
  ]
  it.each(cases)('rejects an invalid %s', async (field, request) => {
    const simulation = Simulation.create({ validators: validators(10) })
    await expect(simulation.aggregate(request)).rejects.toMatchObject({
      code: 'AGGREGATION_INPUT',
      details: { field },
    })
  })
})
