import { describe, expect, test } from 'vitest'
import type { ChainHandlers, InboundChainRequest } from './ChainRequests.ts'
import type * as Message from './Message.ts'
import { connected } from './testing/network.ts'
import { CHAIN, connectRaw, type Raw, settle } from './testing/raw.ts'
import { answers as answersApp, type Rig, ready, start } from './testing/server.ts'

const ID = new Uint8Array(32).fill(8)
const OTHER = new Uint8Array(32).fill(9)
const SHORT = ID.subarray(1)
const deadline = 5_000_000_000n

const chits = { preferredId: ID, preferredIdAtHeight: OTHER, acceptedId: CHAIN, acceptedHeight: 7n }
/** Handlers that record each request and answer it. */
function recorder(): { chains: ChainHandlers; seen: object[] } {
  const seen: object[] = []
  const record = <T>(request: object, answer: T): T => {
    seen.push(request)
    return answer
  }
  return {
    seen,
    chains: {
      acceptedFrontier: (request) => record(request, { containerId: ID }),
      accepted: (request) => Promise.resolve(record(request, { containerIds: [OTHER] })),
      ancestors: (request) => record(request, { containers: [ID, OTHER] }),
      pullQuery: (request) => record(request, chits),
    },
  }
}

function send(raw: Raw, messageCase: Message.Case, value: object = {}): void {
  const usual = { chainId: CHAIN, requestId: 5, deadline, containerId: ID }
  raw.send({ case: messageCase, value: { ...usual, ...value } } as Message.BodyInit)
}

/** Returns the ids of the requests that have been answered with AcceptedFrontier so far. */
async function answered(raw: Raw): Promise<number[]> {
  await settle(raw)
  return raw.received.flatMap(({ case: kind, value }) =>
    kind === 'acceptedFrontier' ? [value.requestId] : [],
  )
}

/** A handler whose answers are given one by one by the test. */
function manual(): {
  handler: NonNullable<ChainHandlers['acceptedFrontier']>
  readonly started: InboundChainRequest<'acceptedFrontier'>[]
  finish(index: number): void
  fail(index: number): void
} {
  const started: InboundChainRequest<'acceptedFrontier'>[] = []
  const ends: { resolve: (answer: { containerId: Uint8Array }) => void; reject: (error: Error) => void }[] =
    []
  return {
    started,
    handler: (request) => {
      started.push(request)
      return new Promise((resolve, reject) => ends.push({ resolve, reject }))
    },
    finish: (index) => ends[index]?.resolve({ containerId: ID }),
    fail: (index) => ends[index]?.reject(new Error('away')),
  }
}

describe('chain handlers', () => {
  test.each([
    ['getAcceptedFrontier', {}, {}, 'acceptedFrontier', { containerId: ID }],
    ['getAccepted', { containerIds: [ID, OTHER] }, undefined, 'accepted', { containerIds: [OTHER] }],
    [
      'getAncestors',
      { engineType: 2 },
      { containerId: ID, engine: 'chain' },
      'ancestors',
      { containers: [ID, OTHER] },
    ],
    ['getAncestors', { engineType: 1 }, { containerId: ID, engine: 'dag' }, 'ancestors', {}],
    ['getAncestors', { engineType: 0 }, { containerId: ID, engine: 'chain' }, 'ancestors', {}],
    ['getAncestors', { engineType: 3 }, { containerId: ID, engine: 'chain' }, 'ancestors', {}],
    [
      'pullQuery',
      { requestedHeight: 2n ** 63n },
      { containerId: ID, requestedHeight: 2n ** 63n },
      'chits',
      chits,
    ],
  ] as const)('answers %s %o', async (request, fields, expected, answer, content) => {
    const { chains, seen } = recorder()
    const rig = await start({ chains })
    const raw = await ready(rig)
    send(raw, request, fields)
    expect(await raw.next(answer)).toMatchObject({ chainId: CHAIN, requestId: 5, ...content })
    const expiresAt = rig.timers.monotonic() + 5_000
    expect(seen).toEqual([
      { chainId: CHAIN, requestId: 5, deadlineMs: 5_000, expiresAt, ...(expected ?? fields) },
    ])
  })
  test('passes a deadline of at most 10 s', async () => {
    const { chains, seen } = recorder()
    const raw = await ready(await start({ chains }))
    send(raw, 'getAcceptedFrontier', { deadline: 60_000_000_000n })
    await raw.next('acceptedFrontier')
    expect(seen).toMatchObject([{ deadlineMs: 10_000, expiresAt: 10_000 }])
  })
  test('runs handlers on the dialling side, too', async () => {
    const { raw } = await connected({ chains: recorder().chains })
    send(raw, 'getAcceptedFrontier')
    expect(await raw.next('acceptedFrontier')).toMatchObject({ requestId: 5, containerId: ID })
  })
  test('answers an unknown container with an empty Ancestors, and sends nothing for undefined', async () => {
    const chains: ChainHandlers = { ancestors: () => ({ containers: [] }), pullQuery: () => undefined }
    const rig = await start({ chains })
    const raw = await ready(rig)
    send(raw, 'pullQuery')
    send(raw, 'getAncestors')
    expect(await raw.next('ancestors')).toMatchObject({ requestId: 5, containers: [] })
    expect(raw.received.some(({ case: kind }) => kind === 'chits')).toBe(false)
    expect(rig.server.counters).toMatchObject({ failedRequests: 0, expiredRequests: 0 })
  })
  test('sends malformed answers unchanged', async () => {
    const chains: ChainHandlers = { acceptedFrontier: () => ({ containerId: SHORT }) }
    const raw = await ready(await start({ chains }))
    send(raw, 'getAcceptedFrontier')
    expect(await raw.next('acceptedFrontier')).toMatchObject({ containerId: SHORT })
  })
})

describe('requests without an answer', () => {
  test.each([
    ['a chain id of 31 bytes', 'getAcceptedFrontier', { chainId: SHORT }],
    ['a container id of 31 bytes', 'getAncestors', { containerId: SHORT }],
    ['no container id', 'pullQuery', { containerId: undefined }],
    ['one malformed id in a list', 'getAccepted', { containerIds: [ID, SHORT] }],
  ] as const)('counts a request with %s as malformed', async (_, request, fields) => {
    const { chains, seen } = recorder()
    const rig = await start({ chains })
    const raw = await ready(rig)
    send(raw, request, fields)
    expect(await answersApp(raw)).toBe(true)
    expect(seen).toEqual([])
    expect(rig.server.counters).toMatchObject({ malformedMessages: 1, expiredRequests: 0 })
  })
  test.each([0n, 2n ** 63n, 2n ** 64n - 1n])(
    'counts a request with the deadline %s as expired',
    async (ns) => {
      const { chains, seen } = recorder()
      const rig = await start({ chains })
      const raw = await ready(rig)
      send(raw, 'getAcceptedFrontier', { deadline: ns })
      await settle(raw)
      expect(seen).toEqual([])
      expect(rig.server.counters.expiredRequests).toBe(1)
    },
  )
  test('ignores requests without a handler on both sides, like Get and PushQuery', async () => {
    const all = [
      'getAcceptedFrontier',
      'getAccepted',
      'getAncestors',
      'pullQuery',
      'get',
      'pushQuery',
    ] as const
    const rig = await start({ chains: { acceptedFrontier: () => ({ containerId: ID }) } })
    const { network, raw: node } = await connected()
    const raw = await ready(rig)
    for (const request of all) {
      send(raw, request)
      send(node, request)
    }
    expect(await answered(raw)).toEqual([5])
    expect(await answered(node)).toEqual([])
    expect(rig.server.counters.ignoredMessages).toBe(all.length - 1)
    expect(network.counters.ignoredMessages).toBe(all.length)
  })
  test('ignores a request before the handshake', async () => {
    const { chains, seen } = recorder()
    const rig = await start({ chains })
    const raw = await connectRaw(rig.server.address)
    await raw.next('handshake')
    send(raw, 'getAcceptedFrontier')
    await settle(raw)
    expect(seen).toEqual([])
    expect(rig.server.counters.earlyMessages).toBe(1)
  })
  test('counts handlers that throw, reject, or return an answer that cannot be encoded', async () => {
    const rig = await start({
      chains: {
        acceptedFrontier: () => {
          throw new Error('broken')
        },
        accepted: () => Promise.reject(new Error('away')),
        ancestors: () => ({ containers: [new Uint8Array(2_097_152)] }),
        pullQuery: () => Promise.resolve({ ...chits, acceptedHeight: -1n }),
      },
    })
    const raw = await ready(rig)
    for (const request of ['getAcceptedFrontier', 'getAccepted', 'getAncestors', 'pullQuery'] as const)
      send(raw, request)
    expect(await answersApp(raw)).toBe(true)
    expect(rig.server.counters).toMatchObject({ failedRequests: 4, expiredRequests: 0 })
  })
})

describe('the limit of chain requests', () => {
  const limits = { chainRequestsInWork: 2, requestsInWork: 4 }
  const handling = async (): Promise<Rig & ReturnType<typeof manual> & { raw: Raw }> => {
    const handlers = manual()
    const rig = await start({ limits, chains: { acceptedFrontier: handlers.handler } })
    return { ...rig, ...handlers, raw: await ready(rig) }
  }
  const ids = (started: readonly { requestId: number }[]) => started.map(({ requestId }) => requestId)

  test('runs two handlers of a peer at once and the others in order, also after failures', async () => {
    const rig = await handling()
    for (const requestId of [1, 2, 3]) send(rig.raw, 'getAcceptedFrontier', { requestId })
    await settle(rig.raw)
    expect(ids(rig.started)).toEqual([1, 2])
    rig.fail(1)
    await expect.poll(() => ids(rig.started)).toEqual([1, 2, 3])
    rig.finish(2)
    rig.finish(0)
    expect((await answered(rig.raw)).sort()).toEqual([1, 3])
    expect(rig.server.counters.failedRequests).toBe(1)
  })
  test('does not delay the requests of other peers', async () => {
    const rig = await handling()
    for (const requestId of [1, 2, 3]) send(rig.raw, 'getAcceptedFrontier', { requestId })
    await settle(rig.raw)
    const other = await ready(rig)
    send(other, 'getAcceptedFrontier', { requestId: 9 })
    await settle(other)
    expect(ids(rig.started)).toEqual([1, 2, 9])
  })
  test('counts expired requests, but not their handlers, as done', async () => {
    const rig = await handling()
    for (const requestId of [1, 2, 3]) send(rig.raw, 'getAcceptedFrontier', { requestId })
    await settle(rig.raw)
    rig.timers.advance(5_000)
    const frames = rig.server.counters.framesRead
    send(rig.raw, 'getAcceptedFrontier', { requestId: 4 })
    await expect.poll(() => rig.server.counters.framesRead).toBe(frames + 1)
    expect(ids(rig.started)).toEqual([1, 2])
    rig.finish(0)
    await expect.poll(() => ids(rig.started)).toEqual([1, 2, 4])
    rig.finish(1)
    rig.finish(2)
    expect(await answered(rig.raw)).toEqual([4])
    expect(rig.server.counters.expiredRequests).toBe(3)
  })
  test('pauses reading while four requests are in progress', async () => {
    const rig = await handling()
    for (const requestId of [1, 2, 3, 4]) send(rig.raw, 'getAcceptedFrontier', { requestId })
    await expect.poll(() => rig.started.length).toBe(2)
    rig.raw.send({ case: 'ping', value: {} })
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(rig.raw.received.some(({ case: kind }) => kind === 'pong')).toBe(false)
    rig.finish(0)
    await rig.raw.next('pong')
  })
  test('starts no queued handler after the connection has ended', async () => {
    const rig = await handling()
    for (const requestId of [1, 2, 3]) send(rig.raw, 'getAcceptedFrontier', { requestId })
    await settle(rig.raw)
    rig.raw.socket.destroy()
    await expect.poll(() => rig.server.peers()).toEqual([])
    rig.finish(0)
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(ids(rig.started)).toEqual([1, 2])
    expect(rig.server.counters.expiredRequests).toBe(0)
  })
})
