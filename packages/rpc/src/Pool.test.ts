import { expect, it } from 'vitest'
import { classify, createPool, createUpstreams, InfoMethods, RpcError } from './index.ts'
import { echo, startFaultyServer } from './testing/faultyServer.ts'

const remote = new RpcError('RPC_REMOTE', 'no', { details: { rpcCode: -32000, rpcMessage: 'not found' } })
const late = new RpcError('RPC_TIMEOUT', 'late')

function setUp() {
  let time = 0
  const pool = createPool({ values: ['a', 'b'], now: () => time, cooldownMs: (failures) => failures * 1_000 })
  const asked: string[] = []
  const attempt = (answers: Readonly<Record<string, unknown>>) =>
    pool.attempt(async (value) => {
      asked.push(value)
      if (answers[value] instanceof Error) throw answers[value]
      return answers[value]
    })
  return { pool, asked, attempt, advance: (ms: number) => (time += ms) }
}

it('tries the next server after a failure, and tries the failed server last until its cool-down ends', async () => {
  const { pool, asked, attempt, advance } = setUp()
  expect(await attempt({ a: late, b: 1 })).toBe(1)
  expect(await attempt({ a: 2, b: 1 })).toBe(1)
  advance(1_000)
  expect(await attempt({ a: 2, b: 1 })).toBe(2)
  expect(asked).toEqual(['a', 'b', 'b', 'a'])
  expect(pool.members[0]).toMatchObject({
    isUp: true,
    calls: 2,
    failures: 1,
    inFlight: 0,
    lastSuccessMs: 1_000,
  })
})

it('throws a final error immediately and does not mark the server as failed', async () => {
  const { pool, asked, attempt } = setUp()
  await expect(attempt({ a: remote, b: 1 })).rejects.toBe(remote)
  expect([asked, pool.members[0]?.isUp]).toEqual([['a'], true])
})

it('throws the last error if all servers fail, and throws programming errors immediately', async () => {
  const { pool, asked, attempt } = setUp()
  const other = new RpcError('RPC_TRANSPORT', 'gone')
  await expect(attempt({ a: late, b: other })).rejects.toBe(other)
  await expect(attempt({ a: new TypeError('bug'), b: 1 })).rejects.toThrow('bug')
  expect(asked).toEqual(['a', 'b', 'a'])
  expect(pool.members.map(({ consecutiveFailures }) => consecutiveFailures)).toEqual([1, 1])
})

it('returns undefined if no server has a result and no server failed', async () => {
  expect(await setUp().attempt({})).toBeUndefined()
  await expect(setUp().attempt({ a: late })).rejects.toBe(late)
})

it('tries servers with separate rate limiters in the order in which they accept calls', () => {
  let waits: Readonly<Record<string, number>> = { a: 500, b: 0 }
  const pool = createPool({ values: ['a', 'b'], now: () => 0, waitMs: (value) => waits[value] ?? 0 })
  const order = () => pool.order().map(({ value }) => value)
  expect(order()).toEqual(['b', 'a'])
  pool.failed(pool.members[1] as (typeof pool.members)[0], late)
  expect(order()).toEqual(['a', 'b'])
  waits = { a: 20_000 }
  expect(order()).toEqual(['b', 'a'])
  expect(pool.order(pool.members.slice(0, 1)).map(({ value }) => value)).toEqual(['a'])
})

it('continues the cool-down after a success that says little about the server', async () => {
  const { pool, attempt } = setUp()
  await attempt({ a: late, b: 1 })
  const order = pool.members.slice(0, 1)
  expect(await pool.attempt(async () => 1, { order, endsCooldown: false })).toBe(1)
  expect(pool.members[0]).toMatchObject({ isUp: false, coolingUntil: 1_000, lastError: late })
  await pool.attempt(async () => 1, { order })
  expect(pool.members[0]).toMatchObject({ isUp: true, coolingUntil: 0, lastError: undefined })
})

it('waits for the retry delay that a server requests, up to one minute', async () => {
  const { pool, attempt } = setUp()
  const limited = (retryAfterMs: number) =>
    new RpcError('RPC_HTTP', '429', { details: { httpStatus: 429, retryAfterMs } })
  await attempt({ a: limited(5_000), b: 1 })
  expect(pool.members[0]).toMatchObject({ coolingUntil: 5_000, throttledUntil: 5_000 })
  pool.failed(pool.members[0] as (typeof pool.members)[0], limited(1e9), 1e9)
  expect(pool.members[0]?.throttledUntil).toBe(60_000)
})

it('fails over between real servers, returns to the first server, and reports each request', async () => {
  const [one, other] = [await startFaultyServer(), await startFaultyServer()]
  let time = 0
  const observed: unknown[] = []
  const upstreams = createUpstreams({
    endpoints: [{ url: `http://${one.host}` }, { url: `ws://${other.host}` }],
    clock: { now: () => time, sleep: async () => undefined },
    random: () => 0,
    observe: ({ upstream, methods }) => ({
      end: (failure) => observed.push([upstream, methods, failure && classify(failure as RpcError)]),
    }),
  })
  const info = upstreams.client(InfoMethods, '/ext/info')
  const networkId = {
    answer: ([call]: readonly { id: number }[]) =>
      `{"jsonrpc":"2.0","id":${call?.id},"result":{"networkID":"5"}}`,
  }
  for (const server of [one, other]) server.behaviour = networkId
  one.behaviour = { ...echo, status: 503 }
  expect(await info.call('info.getNetworkID')).toEqual({ networkID: 5 })
  expect(upstreams.health().map(({ isUp }) => isUp)).toEqual([false, true])
  one.behaviour = networkId
  time = 10_000
  expect(await info.call('info.getNetworkID')).toEqual({ networkID: 5 })
  expect(upstreams.health().map(({ isUp }) => isUp)).toEqual([true, true])
  expect(observed).toEqual([
    [one.host, ['info.getNetworkID'], 'unavailable'],
    [other.host, ['info.getNetworkID'], undefined],
    [one.host, ['info.getNetworkID'], undefined],
  ])
  one.close()
  other.close()
})
