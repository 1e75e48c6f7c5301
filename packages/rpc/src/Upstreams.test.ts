import { expect, test } from 'vitest'
import { createUpstreams, PlatformMethods, type UpstreamsOptions } from './index.ts'

const OK = '{"jsonrpc":"2.0","result":{"height":"7"},"id":ID}'

/** Creates two servers with scripted responses, and a clock that advances only in `sleep`. */
function setup(
  script: Readonly<Record<string, (call: number) => Response>>,
  options: Partial<UpstreamsOptions> = {},
) {
  const calls: string[] = []
  const sleeps: number[] = []
  let now = 0
  const fake: typeof fetch = async (url, init) => {
    const { host } = new URL(String(url))
    calls.push(host)
    now += 5
    const answer = (script[host] as (call: number) => Response)(calls.filter((name) => name === host).length)
    const { id } = JSON.parse(String(init?.body)) as { readonly id: number }
    return new Response((await answer.text()).replace('ID', String(id)), { status: answer.status })
  }
  const clock = {
    now: () => now,
    sleep: async (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted()
      sleeps.push(ms)
      now += ms
    },
  }
  const endpoints = Object.keys(script).map((host) => ({ url: `http://${host}/` }))
  const upstreams = createUpstreams({ endpoints, fetch: fake, clock, random: () => 0.5, ...options })
  return {
    upstreams,
    api: upstreams.client(PlatformMethods, '/ext/bc/P'),
    calls,
    sleeps,
    advance: (ms: number) => (now += ms),
  }
}

const up = () => new Response(OK)
const down = () => new Response('busy', { status: 503 })

test('uses the first endpoint as long as it responds', async () => {
  const { api, calls, upstreams } = setup({ a: up, b: up })
  expect(await api.call('platform.getHeight')).toEqual({ height: 7n })
  expect(calls).toEqual(['a'])
  expect(upstreams.health()[0]).toMatchObject({
    isUp: true,
    calls: 1,
    failures: 0,
    latencyMs: 5,
    lastSuccessMs: 5,
  })
})

test('tries the next endpoint immediately after a failure, and tries the failed endpoint last during its cool-down', async () => {
  const { api, calls, sleeps, upstreams, advance } = setup({
    a: (call) => (call === 1 ? down() : up()),
    b: up,
  })
  await api.call('platform.getHeight')
  await api.call('platform.getHeight')
  expect(calls).toEqual(['a', 'b', 'b'])
  expect(sleeps).toEqual([])
  expect(upstreams.health()[0]).toMatchObject({
    isUp: false,
    consecutiveFailures: 1,
    lastError: { code: 'RPC_HTTP' },
  })
  advance(10_000)
  await api.call('platform.getHeight')
  expect(calls.at(-1)).toBe('a')
  expect(upstreams.health()[0]).toMatchObject({
    isUp: true,
    consecutiveFailures: 0,
    lastError: undefined,
  })
})

test('increases the pauses between rounds, with jitter, and throws the last error after the last round', async () => {
  const { api, calls, sleeps } = setup({ a: down, b: down })
  await expect(api.call('platform.getHeight')).rejects.toMatchObject({ code: 'RPC_HTTP' })
  expect(calls).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
  expect(sleeps).toEqual([150, 300])
})

test('treats an error of the method as a response and tries no other endpoint', async () => {
  const refused = () =>
    new Response('{"jsonrpc":"2.0","error":{"code":-32000,"message":"not found","data":null},"id":ID}')
  const { api, calls, upstreams } = setup({ a: refused, b: up })
  await expect(api.call('platform.getHeight')).rejects.toMatchObject({ code: 'RPC_REMOTE' })
  expect(calls).toEqual(['a'])
  expect(upstreams.health()[0]?.isUp).toBe(true)
})

test('fails over after a JSON-RPC error that is not an answer, and tries its endpoint last during the cool-down', async () => {
  const broken = () =>
    new Response('{"jsonrpc":"2.0","error":{"code":-32000,"message":"database closed"},"id":ID}')
  const { api, calls, upstreams } = setup({ a: broken, b: up }, { isAnswer: () => false })
  await api.call('platform.getHeight')
  await api.call('platform.getHeight')
  expect(calls).toEqual(['a', 'b', 'b'])
  expect(upstreams.health()[0]).toMatchObject({ isUp: false, failures: 1, lastError: { code: 'RPC_REMOTE' } })
})

test('stops waiting between rounds when the call is aborted', async () => {
  const { api } = setup({ a: down })
  const controller = new AbortController()
  const call = api.call('platform.getHeight', {}, { signal: controller.signal })
  controller.abort()
  await expect(call).rejects.toMatchObject({ code: 'RPC_ABORTED' })
})
