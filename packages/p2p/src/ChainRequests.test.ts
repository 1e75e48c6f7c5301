import { describe, expect, test } from 'vitest'
import {
  type ChainAnswer,
  type ChainAnswers,
  type ChainRequestKind,
  type ChainRequests,
  limitAncestors,
  MAX_ANCESTORS_BYTES,
  MAX_CONTAINERS,
} from './ChainRequests.ts'
import type * as Message from './Message.ts'
import { connected, type Rig, start } from './testing/network.ts'
import { CHAIN, cheapIdentity, type Raw, settle } from './testing/raw.ts'

const ID = new Uint8Array(32).fill(8)
const OTHER = new Uint8Array(32).fill(9)
const chain = { chainId: CHAIN, deadlineMs: 5_000 }
const deadline = 5_000_000_000n

const requests: ChainRequests = {
  acceptedFrontier: chain,
  accepted: { ...chain, containerIds: [ID, OTHER] },
  ancestors: { ...chain, containerId: ID, engine: 'chain' },
  pullQuery: { ...chain, containerId: ID, requestedHeight: 2n ** 64n - 1n },
}
const answers: ChainAnswers = {
  acceptedFrontier: { containerId: ID },
  accepted: { containerIds: [OTHER] },
  ancestors: { containers: [Uint8Array.of(1), Uint8Array.of(2, 3)] },
  pullQuery: { preferredId: ID, preferredIdAtHeight: OTHER, acceptedId: ID, acceptedHeight: 2n ** 64n - 1n },
}
/** The messages of each request and its answer, without ids. */
const wire = {
  acceptedFrontier: ['getAcceptedFrontier', {}, 'acceptedFrontier'],
  accepted: ['getAccepted', { containerIds: [ID, OTHER] }, 'accepted'],
  ancestors: ['getAncestors', { containerId: ID, engineType: 2 }, 'ancestors'],
  pullQuery: ['pullQuery', { containerId: ID, requestedHeight: 2n ** 64n - 1n }, 'chits'],
} as const
const KINDS = Object.keys(wire) as ChainRequestKind[]

type Rigged = Rig & { raw: Raw; nodeId: Uint8Array }

/** Sends a request, answers it with a message of the kind `answerCase`, and returns the outcome. */
async function exchange<Kind extends ChainRequestKind>(
  { network, raw, nodeId }: Rigged,
  kind: Kind,
  value: object,
  answerCase: Message.Case = wire[kind][2],
): Promise<{ outcome: Promise<ChainAnswer<Kind>>; requestId: number }> {
  const outcome = network.ask(kind, nodeId, requests[kind])
  const { requestId } = (await raw.next(wire[kind][0])) as { requestId: number }
  raw.send({ case: answerCase, value: { chainId: CHAIN, requestId, ...value } } as Message.BodyInit)
  return { outcome, requestId }
}

describe('ask', () => {
  test.each(KINDS)('sends %s with an odd id and the deadline, and returns the answer', async (kind) => {
    const rig = await connected()
    const [request, fields, answer] = wire[kind]
    const outcome = rig.network.ask(kind, rig.nodeId, requests[kind])
    const seen = (await rig.raw.next(request)) as { requestId: number }
    expect(seen).toMatchObject({ chainId: CHAIN, deadline, ...fields })
    expect(seen.requestId % 2).toBe(1)
    const value = { chainId: CHAIN, requestId: seen.requestId, ...answers[kind] }
    rig.raw.send({ case: answer, value } as Message.BodyInit, { compress: kind === 'ancestors' })
    expect(await outcome).toEqual({ kind: 'answer', answer: answers[kind] })
  })
  test('asks the engine of the DAG for vertices, and sends a deadline of at most 10 s', async () => {
    const { network, raw, nodeId } = await connected()
    const request = { ...requests.ancestors, engine: 'dag', deadlineMs: 60_000 } as const
    const outcome = network.ask('ancestors', nodeId, request)
    const seen = await raw.next('getAncestors')
    expect(seen).toMatchObject({ engineType: 1, deadline: 10_000_000_000n })
    raw.send({ case: 'ancestors', value: { chainId: CHAIN, requestId: seen.requestId } })
    expect(await outcome).toEqual({ kind: 'answer', answer: { containers: [] } })
  })
  test('uses different ids for chain requests and application requests', async () => {
    const { network, raw, nodeId } = await connected()
    const outcomes = [
      network.ask('acceptedFrontier', nodeId, chain),
      network.request(nodeId, { ...chain, bytes: ID }),
      network.ask('acceptedFrontier', nodeId, chain),
    ]
    const ids = [
      (await raw.next('getAcceptedFrontier')).requestId,
      (await raw.next('appRequest')).requestId,
      (await raw.next('getAcceptedFrontier')).requestId,
    ]
    expect(new Set(ids).size).toBe(3)
    const [first = 0, second = 0, third = 0] = ids
    raw.send({ case: 'acceptedFrontier', value: { chainId: CHAIN, requestId: third, containerId: OTHER } })
    raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId: second, appBytes: ID } })
    raw.send({ case: 'acceptedFrontier', value: { chainId: CHAIN, requestId: first, containerId: ID } })
    expect(await Promise.all(outcomes)).toEqual([
      { kind: 'answer', answer: { containerId: ID } },
      { kind: 'response', bytes: ID },
      { kind: 'answer', answer: { containerId: OTHER } },
    ])
  })
  test('times out without an answer, and counts late, repeated and unsolicited answers', async () => {
    const { network, raw, nodeId, timers } = await connected()
    const outcome = network.ask('ancestors', nodeId, requests.ancestors)
    const { requestId } = await raw.next('getAncestors')
    await settle(raw)
    timers.advance(5_000)
    expect(await outcome).toEqual({ kind: 'timeout' })
    for (const id of [requestId, requestId, requestId + 2])
      raw.send({ case: 'ancestors', value: { chainId: CHAIN, requestId: id } })
    raw.send({ case: 'chits', value: { chainId: ID, requestId } })
    await settle(raw)
    expect(network.counters).toMatchObject({ lateAnswers: 1, repeatedAnswers: 1, unsolicitedAnswers: 2 })
  })
  test('counts an answer of another kind as unsolicited, and still accepts the right one', async () => {
    const rig = await connected()
    const { outcome, requestId } = await exchange(rig, 'acceptedFrontier', {}, 'chits')
    rig.raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId, appBytes: ID } })
    rig.raw.send({ case: 'acceptedFrontier', value: { chainId: CHAIN, requestId, containerId: ID } })
    expect(await outcome).toEqual({ kind: 'answer', answer: answers.acceptedFrontier })
    expect(rig.network.counters).toMatchObject({ unsolicitedAnswers: 2, repeatedAnswers: 0 })
  })
  test('rejects an aborted request and counts its answer as late', async () => {
    const { network, raw, nodeId } = await connected()
    const controller = new AbortController()
    const outcome = network.ask('acceptedFrontier', nodeId, chain, controller.signal)
    const { requestId } = await raw.next('getAcceptedFrontier')
    controller.abort()
    await expect(outcome).rejects.toMatchObject({ code: 'P2P_ABORTED' })
    raw.send({ case: 'acceptedFrontier', value: { chainId: CHAIN, requestId, containerId: ID } })
    await settle(raw)
    expect(network.counters.lateAnswers).toBe(1)
  })
  test('reports a lost connection, an unknown node and a full queue', async () => {
    const { network, raw, nodeId } = await connected({ limits: { requestsInFlight: 1, requestsWaiting: 1 } })
    const outcomes = [1, 2, 3].map(() => network.ask('acceptedFrontier', nodeId, chain))
    await raw.next('getAcceptedFrontier')
    raw.socket.destroy()
    expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual([
      'disconnected',
      'disconnected',
      'unsent',
    ])
    expect(await network.ask('acceptedFrontier', cheapIdentity().nodeId, chain)).toEqual({
      kind: 'disconnected',
      reason: 'not tracked',
    })
  })
  test('reads several full answers at once without a pause', async () => {
    const { network, raw, nodeId } = await connected()
    const containers = Array.from({ length: 16 }, (_, i) => new Uint8Array(100_000).fill(i + 1))
    const outcomes = [1, 2, 3, 4].map(() => network.ask('ancestors', nodeId, requests.ancestors))
    for (const outcome of outcomes) {
      const { requestId } = await raw.next('getAncestors')
      raw.send({ case: 'ancestors', value: { chainId: CHAIN, requestId, containers } })
      expect(await outcome).toMatchObject({ kind: 'answer', answer: { containers: { length: 16 } } })
    }
    expect(network.counters.throttledReads).toBe(0)
    // Unsolicited answers and answers of another kind are charged.
    void network.ask('pullQuery', nodeId, requests.pullQuery)
    const { requestId } = await raw.next('pullQuery')
    raw.send({ case: 'ancestors', value: { chainId: CHAIN, requestId: requestId + 2, containers } })
    raw.send({ case: 'ancestors', value: { chainId: CHAIN, requestId, containers } })
    await expect.poll(() => network.counters.throttledReads).toBe(1)
  })
})

describe('malformed answers', () => {
  const short = ID.subarray(1)
  const long = new Uint8Array(33)
  test.each([
    ['acceptedFrontier', { containerId: short }, 'containerId has 31 bytes instead of 32'],
    ['acceptedFrontier', {}, 'containerId has 0 bytes instead of 32'],
    ['accepted', { containerIds: [ID, long] }, 'containerIds[1] has 33 bytes instead of 32'],
    ['accepted', { containerIds: [CHAIN] }, 'containerIds[0] was not requested or is repeated'],
    ['accepted', { containerIds: [ID, ID] }, 'containerIds[1] was not requested or is repeated'],
    [
      'ancestors',
      { containers: Array.from({ length: 2_001 }, () => Uint8Array.of(1)) },
      'the answer has 2001 containers, more than 2000',
    ],
    ['pullQuery', { ...answers.pullQuery, preferredId: short }, 'preferredId has 31 bytes instead of 32'],
    [
      'pullQuery',
      { ...answers.pullQuery, preferredIdAtHeight: undefined },
      'preferredIdAtHeight has 0 bytes instead of 32',
    ],
    ['pullQuery', { ...answers.pullQuery, acceptedId: long }, 'acceptedId has 33 bytes instead of 32'],
  ] as const)('reports %s with %o', async (kind, value, reason) => {
    const { outcome } = await exchange(await connected(), kind, value)
    expect(await outcome).toEqual({ kind: 'malformed', reason: `malformed message: ${reason}` })
  })
  test('accepts 2,000 containers', async () => {
    const containers = Array.from({ length: MAX_CONTAINERS }, () => Uint8Array.of(1))
    const { outcome } = await exchange(await connected(), 'ancestors', { containers })
    expect(await outcome).toEqual({ kind: 'answer', answer: { containers } })
  })
  test('copies containers, so that one of them does not keep a whole answer in memory', async () => {
    const { outcome } = await exchange(await connected(), 'ancestors', answers.ancestors)
    const answer = await outcome
    if (answer.kind !== 'answer') throw new Error(answer.kind)
    for (const container of answer.answer.containers)
      expect(container.buffer.byteLength).toBe(container.length)
  })
})

describe('wrong arguments', () => {
  test.each([
    ['a chain id of 31 bytes', 'acceptedFrontier', { ...chain, chainId: ID.subarray(1) }],
    ['no deadline', 'acceptedFrontier', { ...chain, deadlineMs: 0 }],
    ['an endless deadline', 'acceptedFrontier', { ...chain, deadlineMs: Number.POSITIVE_INFINITY }],
    ['a container id of 31 bytes', 'ancestors', { ...requests.ancestors, containerId: ID.subarray(1) }],
    ['a list with an id of 0 bytes', 'accepted', { ...chain, containerIds: [ID, new Uint8Array(0)] }],
    [
      'too many ids',
      'accepted',
      { ...chain, containerIds: Array.from({ length: MAX_CONTAINERS + 1 }, () => ID) },
    ],
    ['a negative height', 'pullQuery', { ...requests.pullQuery, requestedHeight: -1n }],
    ['a height of 2^64', 'pullQuery', { ...requests.pullQuery, requestedHeight: 2n ** 64n }],
  ] as const)('rejects %s', async (_, kind, request) => {
    await expect(start().network.ask(kind, ID.subarray(12), request as never)).rejects.toMatchObject({
      code: 'P2P_ARGUMENT',
    })
  })
})

describe('limitAncestors', () => {
  test('takes 2,000 small containers and reads no further', () => {
    let read = 0
    const endless = function* () {
      for (;;) {
        read++
        yield Uint8Array.of(1)
      }
    }
    expect(limitAncestors(endless())).toHaveLength(MAX_CONTAINERS)
    expect(read).toBe(MAX_CONTAINERS)
  })
  test('takes as many containers of 100 kB as a live node, with 4 more bytes for each', () => {
    const containers = Array.from({ length: 20 }, () => new Uint8Array(102_693))
    expect(limitAncestors(containers)).toHaveLength(16)
  })
  test.each([
    [0, 2],
    [1, 1],
  ])('counts the bytes exactly: %i too many', (excess, count) => {
    const rest = MAX_ANCESTORS_BYTES - 2 * 4 - 10 + excess
    expect(limitAncestors([new Uint8Array(10), new Uint8Array(rest)])).toHaveLength(count)
  })
  test('always takes the first container', () => {
    const container = new Uint8Array(MAX_ANCESTORS_BYTES + 1)
    expect(limitAncestors([container, container])).toHaveLength(1)
    expect(limitAncestors([])).toEqual([])
  })
})
