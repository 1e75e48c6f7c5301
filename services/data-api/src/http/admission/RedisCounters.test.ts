import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS, take } from './RateLimit.ts'
import { createRedisCounters } from './RedisCounters.ts'

const isThere = spawnSync('redis-server', ['--version']).status === 0

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  return port
}

describe.skipIf(!isThere)('createRedisCounters', { tags: ['redis'] }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'firn-redis-'))
  let server: ChildProcess
  let url: string
  const clients: Redis[] = []

  const connect = () => {
    const client = new Redis(url, {
      enableOfflineQueue: true,
      maxRetriesPerRequest: 1,
      retryStrategy: () => null,
    })
    client.on('error', () => undefined)
    clients.push(client)
    return client
  }

  beforeAll(async () => {
    const port = await freePort()
    url = `redis://127.0.0.1:${port}`
    server = spawn('redis-server', [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--dir',
      folder,
    ])
    const ready = new Promise<void>((resolve) => {
      server.stdout?.on('data', (text) => String(text).includes('Ready to accept') && resolve())
    })
    await ready
  })

  afterAll(async () => {
    for (const client of clients) client.disconnect()
    server.kill()
    await once(server, 'exit')
    rmSync(folder, { recursive: true })
  })

  test('shares counts between processes and resets the counts when a window ends', async () => {
    let time = DAY_MS * 20_000 + 1_000
    const now = () => time
    const [one, other] = [createRedisCounters(connect(), now), createRedisCounters(connect(), now)]
    const allowance = { unitsPerMinute: 100, unitsPerDay: 250 }
    const caller = (key: string) => ({ limits: [{ key, factor: 1 }], allowance }) as const
    expect((await take(one, caller('a'), 60)).headers['ratelimit-remaining']).toBe('40')
    const spent = await take(other, caller('a'), 60)
    expect([spent.isAllowed, spent.headers['retry-after']]).toEqual([false, '59'])
    expect((await take(other, caller('b'), 60)).isAllowed).toBe(true)
    time += MINUTE_MS
    expect((await take(one, caller('a'), 100)).isAllowed).toBe(true)
    time += MINUTE_MS
    expect((await take(other, caller('a'), 60)).isAllowed).toBe(false)
    time += DAY_MS
    expect((await take(other, caller('a'), 60)).isAllowed).toBe(true)
  })

  test('counts the units of concurrent callers correctly', async () => {
    const counters = createRedisCounters(connect(), () => DAY_MS * 30_000)
    const answers = await Promise.all(Array.from({ length: 100 }, () => counters.add('many', 3)))
    const used = answers.map(({ minute }) => minute.used).sort((a, b) => a - b)
    expect(used).toEqual(Array.from({ length: 100 }, (_, i) => (i + 1) * 3))
  })

  test('sets each Redis key to expire after the end of its rate-limit window', async () => {
    const client = connect()
    await createRedisCounters(client, Date.now, 'expiry:').add('c', 1)
    const keys = await client.keys('expiry:*')
    expect(keys).toHaveLength(2)
    for (const key of keys) expect(await client.pttl(key)).toBeGreaterThan(0)
  })

  test('fails closed when Redis is unreachable', async () => {
    const client = connect()
    const counters = createRedisCounters(client, Date.now)
    await counters.add('d', 1)
    client.disconnect()
    await expect(counters.add('d', 1)).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' })
  })
})
