import type { Transport } from '@firn/aggregation'
import { systemClock } from '@firn/runtime'
import { Acp118 } from '@firn/warp'
import { Registry } from 'prom-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectTo, createTestServer, type TestServer } from '../testing/sharedLog.ts'
import { CLEAN, createClaims } from './Claims.ts'
import { createSharedTransport } from './SharedTransport.ts'

const RESPONSE = Acp118.encodeResponse({ signature: new Uint8Array(96).fill(7) })
const node = new Uint8Array(20).fill(1)
const bytes = new Uint8Array(50).fill(9)
const key = { request: 'aa'.repeat(32), node: '01'.repeat(20) }
const ANSWER = { kind: 'response', bytes: RESPONSE } as const

async function join(server: TestServer, holder: string) {
  const { database, limits } = await connectTo(server)
  const claims = createClaims({ database, clock: systemClock, holder })
  onTestFinished(claims.close)
  return { claims, limits }
}

/** Returns two aggregators of a fleet, and functions that read and change their claims. */
async function createPair() {
  const server = await createTestServer()
  const [a, b] = [await join(server, 'a'), await join(server, 'b')]
  /** Makes all claims older, or younger if `ms` is negative. */
  const age = (ms: number) =>
    server.sql(
      `update firn_aggregator.claim set expires_at = expires_at - $1::float8 * interval '1 ms',
        answered_at = answered_at - $1::float8 * interval '1 ms'`,
      [ms],
    )
  return { server, a: a.claims, b: b.claims, limits: b.limits, age }
}

const never = new AbortController().signal

describe('claims', () => {
  it('grants a request to one of two aggregators, and gives its answer to the other', async () => {
    const { a, b } = await createPair()
    const taken = await Promise.all([a.take(key), b.take(key)])
    expect(taken.map(({ kind }) => kind).sort()).toEqual(['held', 'own'])
    const [owner, other] = taken[0]?.kind === 'own' ? [a, b] : [b, a]
    const waiting = other.wait(key, never)
    owner.answer(key, ANSWER)
    const reported = { ...ANSWER, reportedBy: owner === a ? 'a' : 'b' }
    expect(await waiting).toEqual(reported)
    expect(await other.take(key)).toEqual(reported)
    // The node has answered the owner itself.
    expect(await owner.take(key)).toEqual(ANSWER)
  })

  it('grants a request again when the claim is released, or when its holder has ended', async () => {
    const { a, b, age } = await createPair()
    await a.take(key)
    const waiting = b.wait(key, never)
    a.release(key)
    expect(await waiting).toBeUndefined()
    expect(await b.take(key)).toEqual({ kind: 'own' })
    b.close()
    await age(-60_000)
    expect(await a.take(key)).toEqual({ kind: 'held' })
    await age(62_000)
    expect(await a.take(key)).toEqual({ kind: 'own' })
  })

  it('replays a signature for half a minute, but a refusal and an empty response only until a retry', async () => {
    const { server, a, b, age } = await createPair()
    const keys = ['aa', 'bb', 'cc'].map((byte) => ({ ...key, node: byte.repeat(20) }))
    const empty = { kind: 'response', bytes: Acp118.encodeResponse({ signature: new Uint8Array() }) } as const
    const answers = [ANSWER, empty, { kind: 'error', code: 2, message: 'not accepted' } as const]
    await Promise.all(keys.map(a.take))
    for (const [index, answer] of answers.entries()) a.answer(keys[index] ?? key, answer)
    const answered = () => server.sql('select from firn_aggregator.claim where answered_at is not null')
    await expect.poll(answered).toHaveLength(3)
    await age(-60_000)
    const take = async () => (await Promise.all(keys.map(b.take))).map(({ kind }) => kind)
    expect(await take()).toEqual(['response', 'response', 'error'])
    await age(60_400)
    expect(await take()).toEqual(['response', 'own', 'own'])
    await age(30_000)
    expect((await take())[0]).toBe('own')
  })

  it('takes a late response from a former holder, but not a late error', async () => {
    const { a, b, age } = await createPair()
    await a.take(key)
    a.leave(key)
    await age(2_000)
    expect(await b.take(key)).toEqual({ kind: 'own' })
    a.answer(key, { kind: 'error', code: 2, message: 'not accepted' })
    expect(await a.take(key)).toEqual({ kind: 'held' })
    a.answer(key, ANSWER)
    await expect.poll(() => a.take(key)).toEqual(ANSWER)
  })

  it('grants every request while the database is down or hangs, and ends all waits', async () => {
    const { server, a, b, limits } = await createPair()
    await a.take(key)
    expect(await b.take(key)).toEqual({ kind: 'held' })
    const waiting = b.wait(key, never)
    server.state = 'hung'
    limits.promptMs = 20
    expect(await waiting).toBeUndefined()
    expect(await b.take(key)).toEqual({ kind: 'own' })
  })

  it('grants a request that two runs of one aggregator claim at the same time to one of them', async () => {
    const { server, a } = await createPair()
    const other = { ...key, node: '02'.repeat(20) }
    const taken = await Promise.all([a.take(key), a.take(other), a.take(key)])
    expect(taken.map(({ kind }) => kind)).toEqual(['own', 'own', 'held'])
    expect(await server.sql('select from firn_aggregator.claim')).toHaveLength(2)
  })

  it('shares an error whose text is long and contains a zero character or half of a surrogate pair', async () => {
    const { a, b } = await createPair()
    await a.take(key)
    const waiting = b.wait(key, never)
    a.answer(key, { kind: 'error', code: 2, message: `a\0b\ud800c${'d'.repeat(10_000)}` })
    expect(await waiting).toEqual({
      kind: 'error',
      code: 2,
      message: `a\ufffdb\ufffdc${'d'.repeat(995)}`,
      reportedBy: 'a',
    })
  })

  it('deletes ended claims after a minute', async () => {
    const { server, a, age } = await createPair()
    await a.take(key)
    const count = async () => (await server.sql('select from firn_aggregator.claim')).length
    await server.sql(CLEAN)
    expect(await count()).toBe(1)
    await age(63_000)
    await server.sql(CLEAN)
    expect(await count()).toBe(0)
  })
})

describe('the transport of a fleet', () => {
  async function createTransports(answer: Transport['request']) {
    const { a, b } = await createPair()
    const wrap = (claims: typeof a) =>
      createSharedTransport({ claims, clock: systemClock, register: new Registry() })({
        connection: () => ({ connected: true }),
        request: answer,
      })
    const request = (onSent: () => void = () => undefined) => ({
      chainId: new Uint8Array(32),
      bytes,
      deadlineMs: 20_000,
      onSent,
      onLateResponse: () => undefined,
    })
    return { one: wrap(a), two: wrap(b), request }
  }

  it('sends a request once, and starts the node’s time in both aggregators', async () => {
    let sent = 0
    const { one, two, request } = await createTransports(async (_node, { onSent }) => {
      sent += 1
      onSent()
      await systemClock.sleep(50)
      return ANSWER
    })
    let started = 0
    const ask = (transport: Transport) =>
      transport.request(
        node,
        request(() => started++),
        never,
      )
    const answers = await Promise.all([ask(one), ask(two)])
    expect(answers).toContainEqual(ANSWER)
    expect(answers).toContainEqual({ ...ANSWER, reportedBy: expect.stringMatching(/^[ab]$/) })
    expect([sent, started]).toEqual([1, 2])
  })

  it('sends a request itself when the other aggregator could not', async () => {
    const outcomes = [{ kind: 'unsent', reason: 'no room' } as const, ANSWER]
    const { one, two, request } = await createTransports(async () => outcomes.shift() ?? ANSWER)
    const answers = await Promise.all([one, two].map((each) => each.request(node, request(), never)))
    expect(answers).toContainEqual({ kind: 'unsent', reason: 'no room' })
    expect(answers).toContainEqual(ANSWER)
  })

  it('shares a response that arrives after the end of the run', async () => {
    const stop = new AbortController()
    const late: ((bytes: Uint8Array) => void)[] = []
    const { one, two, request } = await createTransports(
      async (_node, { onSent, onLateResponse }, signal) => {
        late.push(onLateResponse)
        onSent()
        stop.abort()
        signal.throwIfAborted()
        return ANSWER
      },
    )
    await expect(one.request(node, request(), stop.signal)).rejects.toThrow()
    const waiting = two.request(node, request(), never)
    late[0]?.(RESPONSE)
    expect(await waiting).toEqual({ ...ANSWER, reportedBy: 'a' })
    expect(late).toHaveLength(1)
  })
})
