import { createServer } from 'node:net'
import { systemClock } from '@firn/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient } from './browser.ts'
import { createPool, createUpstreams, isRpcError, PlatformMethods, RpcError } from './index.ts'
import { type Behaviour, type FaultyServer, startFaultyServer } from './testing/faultyServer.ts'

const ID = '11111111111111111111111111111111LpoYY'
const ISSUED: Behaviour = {
  answer: ([call]) => JSON.stringify({ jsonrpc: '2.0', id: call?.id, result: { txID: ID, height: '7' } }),
}
/** A second request for the same transaction. */
const CONFLICT: Behaviour = {
  answer: ([call]) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: call?.id,
      error: { code: -32000, message: 'tx already in mempool' },
    }),
}

let [first, second]: FaultyServer[] = []
beforeEach(async () => {
  ;[first, second] = await Promise.all([startFaultyServer(), startFaultyServer()])
})
afterEach(() => {
  first?.close()
  second?.close()
})

/** Returns the host of a server that is not running. */
async function unusedHost(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  await new Promise((resolve) => server.close(resolve))
  return `127.0.0.1:${port}`
}

const clock = { ...systemClock, sleep: async () => undefined }
const upstreams = (scheme: string, hosts: readonly string[]) =>
  createUpstreams({
    endpoints: hosts.map((host) => ({ url: `${scheme}://${host}` })),
    clock,
    random: () => 0,
    isAnswer: () => false,
  }).client(PlatformMethods, '/ext/bc/P')
const issue = { tx: '0x00' }
const counts = () => [first?.requests.length, second?.requests.length]

describe.each(['http', 'ws'])('a method that must not run twice, over %s', (scheme) => {
  it.each<[string, Behaviour, timeoutMs?: number]>([
    ['the connection breaks after the request', { answer: 'cut' }],
    ['the response does not arrive in time', { answer: 'silent' }, 200],
    ['the response is not JSON', { answer: () => '<html>' }],
    ['the method fails', CONFLICT],
  ])('is not sent to another server if %s', async (_name, behaviour, timeoutMs) => {
    Object.assign(first ?? {}, { behaviour })
    Object.assign(second ?? {}, { behaviour: CONFLICT })
    const client = upstreams(scheme, [first?.host ?? '', second?.host ?? ''])
    const error = await client.call('platform.issueTx', issue, { timeoutMs }).catch((cause: unknown) => cause)
    expect(isRpcError(error) && error.details.url).toContain(first?.host)
    expect(second?.requests).toEqual([])
    if (timeoutMs === undefined) expect(first?.requests).toHaveLength(1)
    Object.assign(second ?? {}, { behaviour: ISSUED })
    expect(await client.call('platform.getHeight')).toEqual({ height: 7n })
  })

  it('is not sent to another server if the first one closes the connection without reading', async () => {
    const closing = createServer((socket) => void socket.destroy())
    await new Promise<void>((resolve) => void closing.listen(0, '127.0.0.1', resolve))
    const { port } = closing.address() as { readonly port: number }
    const client = upstreams('http', [`127.0.0.1:${port}`, second?.host ?? ''])
    await expect(client.call('platform.issueTx', issue)).rejects.toMatchObject({ code: 'RPC_TRANSPORT' })
    expect(second?.requests).toEqual([])
    closing.close()
  })

  it('is sent to another server if the first one refuses the connection', async () => {
    Object.assign(second ?? {}, { behaviour: ISSUED })
    const client = upstreams(scheme, [await unusedHost(), second?.host ?? ''])
    expect(await client.call('platform.issueTx', issue)).toEqual({ txID: new Uint8Array(32) })
    expect(counts()).toEqual([0, 1])
  })
})

it('is sent to another server after a rate limit and a missing path', async () => {
  Object.assign(first ?? {}, { behaviour: { status: 429, answer: () => 'slow down' } })
  Object.assign(second ?? {}, { behaviour: { status: 404, answer: () => 'not found' } })
  const third = await startFaultyServer()
  third.behaviour = ISSUED
  const client = upstreams('http', [first?.host ?? '', second?.host ?? '', third.host])
  await client.call('platform.issueTx', issue)
  expect([...counts(), third.requests.length]).toEqual([1, 1, 1])
  third.close()
})

it('is sent again in the next round if no server accepted a connection', async () => {
  const host = await unusedHost()
  const pauses: number[] = []
  const client = createUpstreams({
    endpoints: [{ url: `http://${host}` }],
    clock: { ...clock, sleep: async (ms: number) => void pauses.push(ms) },
    random: () => 0,
  }).client(PlatformMethods, '/ext/bc/P')
  await expect(client.call('platform.issueTx', issue)).rejects.toMatchObject({
    code: 'RPC_TRANSPORT',
    details: { isUnsent: true },
  })
  expect(pauses).toHaveLength(2)
})

it('is repeated by the client of one server only after a refused connection', async () => {
  const attempts = async (host: string) => {
    const delays: number[] = []
    const counting = { ...clock, sleep: async (ms: number) => void delays.push(ms) }
    const client = createHttpClient(PlatformMethods, { url: `http://${host}`, clock: counting })
    await client.call('platform.issueTx', issue).catch(() => undefined)
    return delays.length + 1
  }
  Object.assign(first ?? {}, { behaviour: { answer: 'cut' } })
  expect(await attempts(first?.host ?? '')).toBe(1)
  expect(await attempts(await unusedHost())).toBe(3)
})

it('is not passed on by a pool after an error of another package', async () => {
  const pool = createPool({ values: ['a', 'b'], now: () => 0 })
  const asked: string[] = []
  const fail = (error: Error) => (value: string) => {
    asked.push(value)
    return Promise.reject(error)
  }
  const lost = new RpcError('RPC_TRANSPORT', 'broken')
  await expect(pool.attempt(fail(lost), { isOnce: true })).rejects.toBe(lost)
  const unsent = new RpcError('RPC_TRANSPORT', 'refused', { details: { isUnsent: true } })
  await expect(pool.attempt(fail(unsent), { isOnce: true })).rejects.toBe(unsent)
  const other = Object.assign(new Error('unknown'), { code: 'OTHER', details: {} })
  await expect(pool.attempt(fail(other), { isOnce: true })).rejects.toBe(other)
  expect(asked).toHaveLength(4)
})
