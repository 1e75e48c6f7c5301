import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { recordedEvmStore } from '@firn/evm-store/testing'
import { ApiKey } from '@firn/http'
import { openUsage } from '@firn/service-store/testing'
import { recordedStore } from '@firn/store/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDataApi, type DataApiService, type ServiceOptions } from './service/Service.ts'

const ITEM = '"0123456789012345678901",'
/** A body of 1 MB within the bounds of the parser. */
const BODY = `[${ITEM.repeat(40_000)}1]`
/** Endpoints that need no key, and have no body. */
const isMetrics = (path: string) => path.startsWith('/v2/')
/** Paths that are served without checks, for probes, and those that check operators before the body. */
const OPEN = /^\/(health|metrics)$|^\/v[12]\/(health|live)-check$|^\/operate\//

const realParse = JSON.parse
/** Number of bodies that were parsed. Every parser of bodies ends in `JSON.parse`. */
const parsed = { bodies: 0 }
let open: { readonly closed: DataApiService; readonly generous: DataApiService }
const agent = new Agent({ keepAlive: true })

const serve = async (unitsPerMinute: number): Promise<DataApiService> => {
  const allowance = { unitsPerMinute, unitsPerDay: 100_000_000 }
  return createDataApi({
    ...{ host: '127.0.0.1', port: 0, metrics: { port: 0 }, version: '0', timeoutMs: 600_000 },
    ...{ aggregateStatus: 200, limits: { anonymous: allowance, keyed: allowance } },
    ...{ store: await recordedStore('local'), usage: await openUsage() },
    chains: [{ store: await recordedEvmStore('l1'), nodes: [] }],
  } satisfies ServiceOptions)
}

beforeAll(async () => {
  open = { closed: await serve(0), generous: await serve(10_000_000) }
  vi.spyOn(JSON, 'parse').mockImplementation((text, ...others) => {
    if (String(text).startsWith(`[${ITEM}`) || String(text).startsWith('    ')) parsed.bodies += 1
    return realParse(text, ...others)
  })
})
afterAll(async () => {
  vi.restoreAllMocks()
  agent.destroy()
  await open?.closed.close()
  await open?.generous.close()
})
beforeEach(() => {
  parsed.bodies = 0
})

interface Shot {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends a request, and reads its answer. */
function shoot(base: string, { method, path, headers = {}, body }: Shot) {
  return new Promise<{ readonly status: number; readonly text: string; readonly units: string }>(
    (resolve, reject) => {
      const length = { 'content-length': String(body?.length ?? 0) }
      const json = { 'content-type': 'application/json', ...length, ...headers }
      const sent = request(new URL(path, base), { method, agent, headers: json }, (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, text, units: String(answer.headers['x-compute-units']) })
        })
      })
      sent.on('error', reject)
      sent.end(body)
    },
  )
}

/** Returns a request with a large body for each route of both listeners, and for unknown ones. */
function shots({ url, metricsUrl, routes, metricsRoutes }: DataApiService) {
  const filled = (path: string) => path.replace(/\{\w+\}/g, '1')
  const known = [
    ...routes.map(({ method, path }) => ({ base: url, method, path: filled(path) })),
    ...metricsRoutes.map(({ method, path }) => ({ base: metricsUrl, method, path: filled(path) })),
  ]
  const unknown = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET', 'OPTIONS'].flatMap((method) =>
    [url, metricsUrl].flatMap((base) =>
      ['/nothing', '/v1/webhooks/1/2/3', '/docs/nothing'].map((path) => ({ base, method, path })),
    ),
  )
  return [...known, ...unknown].filter(({ path }) => !OPEN.test(path.replace('*', 'x')))
}

describe('a request with 1 MB of JSON', () => {
  test('is refused on every route without a look at its body if its caller is beyond the limit', async () => {
    const all = shots(open.closed)
    expect(all.length).toBeGreaterThan(200)
    for (const { base, ...shot } of all) {
      const { status } = await shoot(base, { ...shot, body: BODY })
      expect([shot, status]).toEqual([shot, 429])
    }
    expect(parsed.bodies).toBe(0)
  })

  test('is refused on every endpoint without a look at its body if its key is unknown', async () => {
    const headers = { 'x-data-api-key': ApiKey.generate(randomBytes) }
    let refused = 0
    for (const { base, ...shot } of shots(open.generous)) {
      const { status } = await shoot(base, { ...shot, headers, body: BODY })
      // Pages and unknown paths need no key, and have no body. Metrics ignore unknown keys, and validate their parameters.
      if (status === 401) refused += 1
      else if (isMetrics(shot.path)) expect([shot, status]).toEqual([shot, expect.toBeOneOf([200, 400, 404])])
      else expect([shot, status]).toEqual([shot, expect.toBeOneOf([200, 301, 404])])
    }
    expect(refused).toBeGreaterThan(150)
    expect(parsed.bodies).toBe(0)
  })

  test('is refused without a look at its body if the endpoint needs a key and it has none', async () => {
    const { status } = await shoot(open.generous.url, { method: 'POST', path: '/v1/webhooks', body: BODY })
    expect([status, parsed.bodies]).toEqual([401, 0])
  })

  test('is parsed and charged for its size otherwise', async () => {
    const path = '/v1/operations/transactions:export'
    const { status, units } = await shoot(open.generous.url, { method: 'POST', path, body: BODY })
    expect(status).toBe(400)
    expect(parsed.bodies).toBeGreaterThan(0)
    const small = await shoot(open.generous.url, { method: 'POST', path, body: '[]' })
    expect(Number(units) - Number(small.units)).toBe(Math.floor(BODY.length / 16_384))
  })
})

describe('a body of unstated size', () => {
  const path = '/v1/operations/transactions:export'
  /** Sends parts of 64 KiB until the service answers, and returns the status and what was sent. */
  const stream = (base: string, most: number) =>
    new Promise<{ readonly status: number; readonly parts: number; readonly left: number }>((resolve) => {
      const { hostname, port } = new URL(base)
      const socket = connect({ host: hostname, port: Number(port) })
      let parts = 0
      let text = ''
      // The service ends the connection of a body that it does not read to its end.
      socket.on('error', () => undefined)
      socket.on('data', (data) => {
        text += data
        if (!text.includes('\r\n\r\n')) return
        const left = /^ratelimit-remaining: (\d+)/im.exec(text)?.[1]
        resolve({ status: Number(text.slice(9, 12)), parts, left: Number(left) })
        socket.destroy()
      })
      const head = [
        `POST ${path} HTTP/1.1`,
        'host: x',
        'content-type: application/json',
        'transfer-encoding: chunked',
      ]
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      const send = () => {
        if (parts === most) return void socket.write('0\r\n\r\n')
        parts += 1
        socket.write(`10000\r\n${' '.repeat(65_536)}\r\n`, () => setImmediate(send))
      }
      send()
    })

  test('is charged as it arrives, and refused when its caller is beyond the limit', async () => {
    // The endpoint costs 200 units, and each part 4.
    const service = await serve(208)
    const { status, parts } = await stream(service.url, 1_000)
    expect([status, parts < 1_000, parsed.bodies]).toEqual([429, true, 0])
    await service.close()
  })

  test('is refused when it is larger than any body, and charged for what was read', async () => {
    const { status, left } = await stream(open.generous.url, 1_000)
    expect([status, parsed.bodies]).toEqual([413, 0])
    expect(left).toBeGreaterThan(0)
  })

  test('is read to its end otherwise', async () => {
    const { status } = await stream(open.generous.url, 4)
    expect(status).toBe(400)
    expect(parsed.bodies).toBeGreaterThan(0)
  })
})

test('charges a list of addresses in a body for its length before it is read', async () => {
  const path = '/v1/networks/local/blockchains/p-chain/lastActivityTimestampByAddresses'
  const ask = async (count: number) => {
    const body = JSON.stringify({ addresses: Array.from({ length: count }, () => '0x00') })
    const { status, units } = await shoot(open.generous.url, { method: 'POST', path, body })
    return [status, Number(units)]
  }
  expect(await ask(64)).toEqual([400, 20])
  expect(await ask(65)).toEqual([400, 40])
  // Longer lists are rejected.
  expect(await ask(1_024)).toEqual([400, 320])
  expect(await ask(2_000)).toEqual([400, 320])
})

test('serves without a limit only what is meant to be', async () => {
  const { url, routes } = open.closed
  const paths = [...new Set(routes.map(({ path }) => path))].filter((path) => OPEN.test(path))
  for (const path of paths.filter((one) => !one.startsWith('/operate'))) {
    expect([path, (await shoot(url, { method: 'GET', path })).status]).toEqual([path, 200])
  }
  expect(paths.filter((path) => !path.startsWith('/operate')).sort()).toEqual([
    ...['/health', '/metrics', '/v1/health-check', '/v1/live-check'],
  ])
})
