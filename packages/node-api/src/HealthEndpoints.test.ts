import { Connections } from '@firn/http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHealth } from './Health.ts'
import * as HealthEndpoints from './HealthEndpoints.ts'
import * as HttpRules from './HttpRules.ts'
import { createListener, type Listener } from './Listener.ts'
import { createRoutes } from './Routes.ts'
import { call, freePort, send } from './testing/http.ts'

const fail = () => {
  throw new RangeError('broken')
}
const health = createHealth({
  checks: [
    { name: 'ready', run: () => 'fine', isReadiness: true },
    { name: 'first', run: () => 'fine', tags: ['a'] },
    { name: 'second', run: fail, tags: ['b'] },
  ],
  now: () => 0,
  timeoutMs: 1_000,
})
let listener: Listener
let url: string

beforeAll(async () => {
  const routes = createRoutes()
  HealthEndpoints.add(routes, health)
  const times = {
    readTimeoutMs: 600_000,
    readHeaderTimeoutMs: 600_000,
    writeTimeoutMs: 600_000,
    idleTimeoutMs: 600_000,
  }
  listener = createListener({
    routes,
    rules: HttpRules.create({ nodeId: 'NodeID-me' }),
    connections: Connections.create({ service: 'test', prefix: 'test' }),
    ...times,
  })
  url = await listener.listen(await freePort())
  await health.refresh()
})
afterAll(() => listener.close(0))

describe('HealthEndpoints', () => {
  it.each([
    ['GET', '/ext/health', 503, ['first', 'ready', 'second']],
    ['GET', '/ext/health/health', 503, ['first', 'ready', 'second']],
    ['POST', '/ext/health/health', 503, ['first', 'ready', 'second']],
    ['GET', '/ext/health?tag=b', 503, ['ready', 'second']],
    ['GET', '/ext/health?tag=a', 200, ['first', 'ready']],
    ['GET', 'http://a:99999/ext/health?tag=a', 200, ['first', 'ready']],
    ['GET', 'http://[/ext/health/readiness', 200, ['ready']],
    ['GET', '/ext/health?tag=a&tag=b', 503, ['first', 'ready', 'second']],
    ['GET', '/ext/health/readiness', 200, ['ready']],
    ['GET', '/ext/health/liveness', 200, []],
  ])('answers %s %s with the status %i and the checks %j', async (method, path, status, names) => {
    const answer = await send(url, { method, path })
    const { checks, healthy } = JSON.parse(answer.body)
    expect([answer.status, Object.keys(checks ?? {}).sort(), healthy]).toEqual([
      status,
      names,
      status === 200,
    ])
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.body.endsWith('}\n')).toBe(true)
  })

  it('serves the methods of the Health API to POST requests', async () => {
    expect(await call(url, '/ext/health', 'health.health', { tags: ['a'] })).toMatchObject({ healthy: true })
    expect(await call(url, '/ext/health', 'health.health')).toMatchObject({ healthy: false })
    expect(await call(url, '/ext/health', 'health.readiness')).toMatchObject({ healthy: true })
  })
})
