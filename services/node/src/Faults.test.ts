import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { post, send } from '@firn/node-api/testing'
import { Lease } from '@firn/sql'
import { TestPostgres } from '@firn/sql/testing'
import { Store, schemaOf, Writer } from '@firn/store'
import { Recordings } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Replica, startReplica } from './testing/replica.ts'

interface Report {
  readonly status: number
  readonly healthy: boolean
  readonly failed: readonly string[]
}

async function health(replica: Replica): Promise<Report> {
  const { status, body } = await send(replica.url, { path: '/ext/health', method: 'GET' })
  const { checks, healthy } = JSON.parse(body) as {
    checks: Record<string, { error?: string }>
    healthy: boolean
  }
  const failed = Object.keys(checks).filter((name) => checks[name]?.error !== undefined)
  return { status, healthy, failed }
}

async function until(replica: Replica, healthy: boolean): Promise<Report> {
  for (;;) {
    const report = await health(replica)
    if (report.healthy === healthy) return report
    await sleep(50)
  }
}

const QUICK = { healthCheckFrequency: 50, upstreamTimeout: 1_000, httpShutdownTimeout: 500 }

const noPostgres = TestPostgres.missing() !== undefined

const ask = async (replica: Replica, id: number) => {
  const body = { jsonrpc: '2.0', id, method: 'platform.getBlockByHeight', params: { height: id } }
  return JSON.parse((await post(replica.url, '/ext/bc/P', body)).body) as Record<string, unknown>
}

async function onPostgres(
  body: (replica: Replica, server: TestPostgres.Server, store: Store) => Promise<void>,
) {
  const server = await TestPostgres.start()
  const { genesis, constants, chains } = Recordings.load('local')
  const store = await Store.open({ url: server.url, schema: schemaOf(genesis.networkId), connections: 4 })
  await store.migrate()
  const { writer, state } = await Writer.open(store, genesis, constants)
  await writer.commit([...Recordings.follow(state, chains)])
  const replica = await startReplica({ store, configuration: QUICK })
  try {
    expect(await until(replica, true)).toMatchObject({ status: 200, failed: [] })
    await body(replica, server, store)
  } finally {
    await replica.close()
    await store.close()
  }
}

test.skipIf(noPostgres)(
  'reports a lost database in health checks and responses, and still serves cached responses',
  { tags: ['postgres'] },
  () =>
    onPostgres(async (replica, server) => {
      expect(await ask(replica, 1)).toHaveProperty('result')
      await server.close()
      const down = await until(replica, false)
      expect(down.status).toBe(503)
      expect(down.failed).toContain('database')
      expect(await ask(replica, 1)).toHaveProperty('result')
      expect(await ask(replica, 2)).toMatchObject({ error: { code: -32000 } })
      const failures = replica.lines.filter((line) => line.includes('"health check fails"'))
      expect(failures.some((line) => line.includes('"database"'))).toBe(true)
    }),
)

test.skipIf(noPostgres)('reconnects when the database is available again', { tags: ['postgres'] }, () =>
  onPostgres(async (replica, server, store) => {
    // The writer does not wait until its commits are on the disk, but a lease does, also for the commits before.
    await (await Lease.take(store, { holder: 'Faults.test' }))?.release()
    await server.restart()
    // A broken connection is noticed only by the first request that uses it, so the request is repeated.
    while (!('result' in (await ask(replica, 2)))) await sleep(50)
    expect(await ask(replica, 3)).toHaveProperty('result')
    await until(replica, true)
    await server.close()
  }),
)

describe('lost upstream', () => {
  let upstream: Server
  let isUp = true
  let replica: Replica
  beforeAll(async () => {
    upstream = createServer((request, response) => {
      request.resume()
      if (isUp)
        response.setHeader('content-type', 'application/json').end('{"jsonrpc":"2.0","result":{},"id":1}')
      else response.writeHead(503).end('bootstrapping')
    })
    await new Promise<void>((settle) => upstream.listen(0, '127.0.0.1', settle))
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
    replica = await startReplica({ configuration: { ...QUICK, upstream: [url] } })
  })
  afterAll(async () => {
    await replica.close()
    upstream.closeAllConnections()
    upstream.close()
  })

  test('reports a lost upstream in health checks and metrics, and still serves stored data', async () => {
    expect(await until(replica, true)).toMatchObject({ failed: [] })
    isUp = false
    expect((await until(replica, false)).failed).toEqual(['upstream'])
    const metrics = await send(replica.url, { path: '/ext/metrics', method: 'GET' })
    expect(metrics.body).toMatch(/^firn_node_upstream_healthy\{url="[^"]+"\} 0$/m)
    expect(metrics.body).toMatch(
      /^firn_node_upstream_request_seconds_count\{upstream="[^"]+",outcome="unavailable"\} [1-9]\d*$/m,
    )
    const body = { jsonrpc: '2.0', id: 1, method: 'platform.getHeight' }
    expect((await post(replica.url, '/ext/bc/P', body)).body).toContain('"height":"85"')
    isUp = true
    await until(replica, true)
  })
})

test('stays ready after the first successful health check, and is unhealthy during shutdown', async () => {
  let isReady = false
  const configuration = { ...QUICK, httpShutdownWait: 500 }
  const replica = await startReplica({ isBootstrapped: () => isReady, configuration })
  const get = async (path: string) => (await send(replica.url, { path, method: 'GET' })).status
  await until(replica, false)
  expect(await get('/ext/health/readiness')).toBe(503)
  isReady = true
  await until(replica, true)
  isReady = false
  await until(replica, false)
  expect(await get('/ext/health/readiness')).toBe(200)
  expect(await get('/ext/health/liveness')).toBe(200)
  isReady = true
  await until(replica, true)
  const closing = replica.close()
  expect((await until(replica, false)).failed).toEqual(['shuttingDown'])
  await closing
})

test('reports a chain as unhealthy if its last block is older than the configured maximum age', async () => {
  const replica = await startReplica({ configuration: { ...QUICK, healthMaxLag: 60_000 } })
  // On a busy machine, other checks may fail for a moment too.
  await expect.poll(async () => (await health(replica)).failed).toEqual(['C', 'P', 'X'])
  const { body } = await send(replica.url, { path: '/ext/health?tag=nobody', method: 'GET' })
  expect(Object.keys((JSON.parse(body) as { checks: object }).checks)).not.toContain('P')
  await replica.close()
})
