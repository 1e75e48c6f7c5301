import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAggregatorService, createConfiguration } from '@firn/aggregator'
import { createDataApi, createKey, type DataApiService } from '@firn/data-api'
import { createDevnet } from '@firn/devnet'
import { recordedEvmStore } from '@firn/evm-store/testing'
import { createBypassToken, createGateway, ROUTES } from '@firn/gateway'
import { ApiKey, type RouteList } from '@firn/http'
import { createMonitor, ofNetwork } from '@firn/indexer'
import { createConfiguration as createNodeConfiguration, openService } from '@firn/node'
import { createLocalOperator } from '@firn/operate/testing'
import type { ServiceStore } from '@firn/service-store'
import { openUsage } from '@firn/service-store/testing'
import { recordedStore } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCESS, type Need, needOf, type Rows, type Server } from './testing/accessTable.ts'
import { consoleAsset, expectLandingPage } from './testing/landing.ts'

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})
const closing = <T extends { close(): unknown }>(one: T): T => {
  closers.push(() => one.close())
  return one
}

/**
 * Sends a request to an endpoint and returns its status. Rejections arrive with the headers, so the body is
 * not awaited.
 */
const ask = async (method: string, url: string, headers: Record<string, string>): Promise<number> => {
  const stop = new AbortController()
  const body = method === 'POST' ? { body: '{"jsonrpc":"2.0","id":1,"method":"none","params":[]}' } : {}
  const { status } = await fetch(url, {
    method,
    headers: { ...headers, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
    signal: stop.signal,
    redirect: 'manual',
    ...body,
  })
  stop.abort()
  return status
}

/**
 * Values for path parameters. The objects that they name need not exist, so an admitted request may get
 * status 400 or 404.
 */
const PARTS: Readonly<Record<string, string>> = {
  network: 'local',
  chainId: '43112',
  metric: 'txCount',
  asset: await consoleAsset(),
  data: 'log',
}
const fill = (path: string, more: Readonly<Record<string, string>> = {}) =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => more[name] ?? PARTS[name] ?? 'x').replace(/\*$/, '')

/** Fails if the access table has no row for an endpoint. */
const expectRows = (server: Server, routes: readonly RouteList.Route[]) => {
  expect(routes.length).toBeGreaterThan(0)
  const missing = routes.filter(({ method, path }) => needOf(server, method, path) === undefined)
  expect(missing, `endpoints of the ${server} without a row in testing/accessTable.ts`).toEqual([])
}

const { local, headers: token } = createLocalOperator()

const UNKNOWN = ApiKey.generate(randomBytes)

const addKey = (store: ServiceStore, scope: ApiKey.Scope) => {
  const key = { name: scope, scopes: [scope], unitsPerMinute: undefined, unitsPerDay: undefined }
  return createKey(store, key, randomBytes, 1_795_000_000)
}

/**
 * Fails unless data for operators is sent for the token of the operator only: not without it, nor through a proxy, nor by
 * another host name or for another origin.
 */
const expectOperatorsOnly = async (
  url: string,
  data: readonly string[],
  others: Readonly<Record<string, number>> = {},
) => {
  const { host } = new URL(url)
  const callers = [
    [{}, 401],
    [token, 200],
    [{ 'x-operator-token': 'guess' }, 401],
    [{ ...token, origin: `http://${host}` }, 200],
    [{ ...token, 'x-forwarded-for': '203.0.113.9' }, 401],
    [{ ...token, host: 'evil.example' }, 403],
    [{ ...token, origin: 'https://evil.example' }, 403],
    ...Object.entries(others).map(
      ([key, status]) => [{ 'x-forwarded-for': '203.0.113.9', 'x-data-api-key': key }, status] as const,
    ),
  ] as const
  for (const name of data) {
    for (const [headers, status] of callers) {
      const got = await new Promise<number | undefined>((resolve, reject) => {
        const options = { headers: headers as Record<string, string> }
        const sent = get(`${new URL(url).origin}/operate/${name}`, options, (answer) => {
          expect(Object.keys(answer.headers)).not.toContain('access-control-allow-origin')
          answer.resume()
          resolve(answer.statusCode)
        })
        sent.on('error', reject)
      })
      expect([name, headers, got]).toEqual([name, headers, status])
    }
  }
}

describe('keys of the Data API and the Metrics API', () => {
  const keys = new Map<ApiKey.Scope, string>()
  let service: DataApiService
  beforeAll(async () => {
    const store = await recordedStore('local')
    for (const scope of ApiKey.SCOPES) keys.set(scope, await addKey(store, scope))
    const usage = closing(await openUsage())
    service = closing(
      await createDataApi({
        store,
        chains: [{ store: await recordedEvmStore('c'), nodes: [] }],
        usage,
        host: '127.0.0.1',
        port: 0,
        metrics: { port: 0 },
        limits: undefined,
        proxies: 1,
        local,
        // Nothing listens on this port, so admitted requests get status 502.
        aggregatorUrl: 'http://127.0.0.1:9',
        aggregateStatus: 200,
        timeoutMs: 60_000,
        version: '0',
      }),
    )
  })

  /**
   * Returns the expected result of a request with a key of scope `sent`, with an unknown key, or without a
   * key.
   */
  const verdict = (need: Need, sent: ApiKey.Scope | 'none' | 'unknown'): 'served' | 401 | 403 => {
    // A proxy has forwarded these requests.
    if (need === 'operator')
      return sent === 'admin' ? 'served' : sent === 'none' || sent === 'unknown' ? 401 : 403
    if ((need === 'webhooks' || need === 'own requests') && sent === 'none') return 401
    if (need === 'nothing' || sent === 'none') return 'served'
    if (sent === 'unknown') return need === 'metrics' ? 'served' : 401
    return sent === (need === 'own requests' ? 'usage' : need) ? 'served' : 403
  }
  const headersOf = (sent: ApiKey.Scope | 'none' | 'unknown'): Record<string, string> => {
    const forwarded = { 'x-forwarded-for': '203.0.113.9' }
    if (sent === 'none') return forwarded
    return { ...forwarded, 'x-data-api-key': sent === 'unknown' ? UNKNOWN : (keys.get(sent) ?? '') }
  }

  test('sends data for operators to this machine, or for a key with the scope admin, and to nobody else', () =>
    expectOperatorsOnly(
      service.url,
      ['log', 'upstreams', 'limits', 'keys', 'usage', 'doctor', 'indexing'],
      Object.fromEntries([
        ...[...keys].map(([scope, key]) => [key, scope === 'admin' ? 200 : 403]),
        [UNKNOWN, 401],
      ]),
    ))

  describe.each(['data api', 'metrics api'] as const)('%s', (server) => {
    const routesOf = () => (server === 'data api' ? service.routes : service.metricsRoutes)
    const urlOf = () => (server === 'data api' ? service.url : service.metricsUrl)

    test('has a row in the access table for every endpoint of the server', () =>
      expectRows(server, routesOf()))

    test('serves a page of links at the root path', () => expectLandingPage(urlOf()))

    test.each(['none', ...ApiKey.SCOPES, 'unknown'] as const)(
      'rejects requests as the access table requires for key: %s',
      async (sent) => {
        const got: string[] = []
        const expected: string[] = []
        for (const { method, path } of routesOf()) {
          const need = needOf(server, method, path) ?? 'nothing'
          const status = await ask(method, urlOf() + fill(path), headersOf(sent))
          got.push(`${method} ${path} ${[401, 403, 429, 500].includes(status) ? status : 'served'}`)
          expected.push(`${method} ${path} ${verdict(need, sent)}`)
        }
        expect(got).toEqual(expected)
      },
    )
  })
})

test("requires one of the aggregator's keys for every endpoint that the access table lists", async () => {
  const devnet = closing(await createDevnet({ validators: 1 }))
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port: metricsPort } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const { url, routes, metricsUrl, metricsRoutes } = closing(
    await createAggregatorService(
      createConfiguration({
        ...{ pChainApi: devnet.rpcUrl, apiPort: 0, metricsPort, logLevel: 'off' },
        apiKeys: ['right'],
      }),
      { local },
    ),
  )
  expectRows('aggregator', routes)
  expectRows('aggregator metrics', metricsRoutes)
  await expectLandingPage(url)
  await expectLandingPage(metricsUrl ?? '')
  await expectLandingPage(devnet.rpcUrl)
  for (const [sent, headers] of Object.entries({
    none: {} as Record<string, string>,
    wrong: { 'x-data-api-key': UNKNOWN },
    right: { 'x-data-api-key': 'right' },
  })) {
    for (const { method, path } of routes) {
      const need = needOf('aggregator', method, path)
      const isRefused = need === 'operator' || (need === 'aggregator key' && sent !== 'right')
      const status = await ask(method, url + fill(path), headers)
      expect([method, path, sent, status === 401 || status === 403]).toEqual([method, path, sent, isRefused])
    }
    for (const { method, path } of metricsRoutes) {
      expect(await ask(method, metricsUrl + fill(path), headers)).toBe(200)
    }
  }
  await expectOperatorsOnly(url, ['log', 'peers', 'upstreams', 'limits'])
})

test('serves the node API to all callers, but Admin only to operators', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'firn-access-'))
  closers.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const store = await recordedStore('local')
  const { url, node } = closing(
    await openService({
      configuration: createNodeConfiguration({
        ...{ dataDir, httpPort: 0, stakingPort: 0, proxies: 1 },
        ...{ apiAdminEnabled: true, indexEnabled: true, indexAllowIncomplete: true },
      }),
      store,
      local,
      display: { write: () => undefined },
    }),
  )
  const routes = node.context.routes.paths().map((path) => ({ method: 'POST', path }))
  expectRows('node api', routes)
  await expectLandingPage(url)
  const admin = await addKey(store, 'admin')
  const data = await addKey(store, 'data')
  await expectOperatorsOnly(url, ['log', 'upstreams', 'limits'], {
    [admin]: 200,
    [data]: 403,
    [UNKNOWN]: 401,
  })
  const callers: readonly (readonly [headers: Record<string, string>, isOperator: boolean])[] = [
    [{}, false],
    [{ 'x-forwarded-for': '203.0.113.9, 127.0.0.1' }, false],
    [{ 'x-data-api-key': UNKNOWN }, false],
    [{ 'x-data-api-key': data, ...token }, false],
    [{ ...token, 'x-forwarded-for': '127.0.0.1' }, false],
    [{ ...token }, true],
    [{ 'x-data-api-key': admin, 'x-forwarded-for': '203.0.113.9' }, true],
  ]
  for (const [headers, isOperator] of callers) {
    for (const { method, path } of routes) {
      const isRefused = needOf('node api', method, path) === 'operator' && !isOperator
      const status = await ask(method, url + path, headers)
      expect([path, headers, [401, 403, 404].includes(status)]).toEqual([path, headers, isRefused])
    }
  }
})

test('serves gateway paths without a token to all callers, and paths with a token only if the token is valid', async () => {
  const upstream = createServer(
    (_request, response) => void response.end('{"jsonrpc":"2.0","id":1,"result":"0xa868"}'),
  )
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  closers.push(() => upstream.close())
  const usage = closing(await openUsage())
  const token = await createBypassToken(usage, { name: 'one', creditsPerSecond: undefined }, randomBytes, 1)
  const { url } = closing(
    await createGateway({
      chains: [
        { names: ['43112'], urls: [new URL(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`)] },
      ],
      ...{ usage, local, host: '127.0.0.1', port: 0 },
      now: () => performance.timeOrigin + performance.now(),
      random: { bytes: randomBytes, number: Math.random },
      log: { info: () => undefined, warn: () => undefined },
    }),
  )
  expectRows('gateway', ROUTES)
  await expectLandingPage(url)
  await expectOperatorsOnly(url, ['log', 'upstreams', 'limits'])
  for (const [given, isValid] of [
    [token, true],
    [token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), false],
  ] as const) {
    for (const { method, path } of ROUTES) {
      const need = needOf('gateway', method, path)
      const isRefused = need === 'operator' || (need === 'bypass token' && !isValid)
      const status = await ask(method, url + fill(path, { token: given }), { 'x-data-api-key': UNKNOWN })
      expect([method, path, [401, 403, 404].includes(status)]).toEqual([method, path, isRefused])
    }
  }
})

test("serves the indexer's monitor to all callers", async () => {
  const metrics = { contentType: 'text/plain; version=0.0.4; charset=utf-8', getMetricsAsArray: () => [] }
  const status = () => ({
    ...{
      phase: 'following',
      problems: [],
      warnings: [],
      chains: undefined,
      blocksPerSecond: 0,
      secondsLeft: undefined,
    },
  })
  const indexer = { status, metrics, problemsOf: () => [] }
  const { url, routes } = closing(await createMonitor(ofNetwork(indexer as never), { port: 0, local }))
  expectRows('indexer monitor', routes)
  await expectLandingPage(url)
  await expectOperatorsOnly(url, ['log', 'indexing'])
  for (const { method, path } of routes.filter((one) => !one.path.startsWith('/operate')))
    expect(await ask(method, url + fill(path), {})).toBe(200)
})

test('lists no endpoint twice in the access table', () => {
  for (const [server, rows] of Object.entries(ACCESS) as [Server, Rows][]) {
    const all = Object.values(rows).flat()
    expect([server, all.filter((one, i) => all.indexOf(one) !== i)]).toEqual([server, []])
  }
})
