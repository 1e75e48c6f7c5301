import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAggregatorService, createConfiguration } from '@firn/aggregator'
import { createDataApi, createKey, listKeys } from '@firn/data-api'
import { createDevnet } from '@firn/devnet'
import { createConfiguration as createNodeConfiguration, openService } from '@firn/node'
import { createLocalOperator } from '@firn/operate/testing'
import { openUsage } from '@firn/service-store/testing'
import type { Store } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FORWARDERS, type Forwarder, isSilent, startForwarder } from './testing/forwarders.ts'

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})
const closing = <T extends { close(): unknown }>(one: T): T => {
  closers.push(() => one.close())
  return one
}

const operator = createLocalOperator()
const { local } = operator
const [tokenName = '', token = ''] = Object.entries(operator.headers)[0] ?? []

/** Services, and what they serve operators only: a method, a path and a body. */
const ADMIN = '{"jsonrpc":"2.0","id":1,"method":"admin.getLoggerLevel","params":{}}'
const NEW_KEY = '{"name":"attacker","scopes":["admin"]}'
const DATA = [
  ['GET', '/operate/keys', ''],
  ['GET', '/operate/log?limit=2', ''],
  ['POST', '/operate/keys', NEW_KEY],
  ['POST', '/operate/sign-in', ''],
  ['GET', '/v1/apiLogs', ''],
  ['GET', '/v1/apiUsageMetrics', ''],
] as const
const NODE = [
  ['GET', '/operate/keys', ''],
  ['GET', '/operate/log', ''],
  ['POST', '/ext/admin', ADMIN],
] as const
const AGGREGATOR = [['GET', '/operate/peers', '']] as const

type Target = readonly [method: string, path: string, body: string]
interface Victim {
  readonly name: string
  readonly port: number
  readonly targets: readonly Target[]
}

let store: Store
let adminKey: string
let keys: readonly unknown[]
const victims: Victim[] = []

const portOf = (url: string) => Number(new URL(url).port)

beforeAll(async () => {
  store = await recordedStore('local')
  const admin = {
    name: 'mine',
    scopes: ['admin', 'usage'],
    unitsPerMinute: undefined,
    unitsPerDay: undefined,
  }
  adminKey = await createKey(store, { ...admin, scopes: ['admin', 'usage'] }, randomBytes, 1_795_000_000)
  keys = await listKeys(store)
  const usage = closing(await openUsage())
  const data = { store, usage, local, host: '127.0.0.1', port: 0, limits: undefined, version: '0' }
  const more = { aggregateStatus: 200, timeoutMs: 600_000 } as const
  for (const proxies of [{}, { proxies: 2 }]) {
    const { url } = closing(await createDataApi({ ...data, ...more, ...proxies }))
    victims.push({ name: `Data API ${JSON.stringify(proxies)}`, port: portOf(url), targets: DATA })
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'firn-local-'))
  closers.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const configuration = createNodeConfiguration({
    ...{ dataDir, httpPort: 0, stakingPort: 0, apiAdminEnabled: true, httpAllowedHosts: ['*'] },
  })
  const node = closing(
    await openService({ configuration, store, local, display: { write: () => undefined } }),
  )
  victims.push({ name: 'node API', port: portOf(node.url), targets: NODE })
  const devnet = closing(await createDevnet({ validators: 1 }))
  const settings = createConfiguration({ pChainApi: devnet.rpcUrl, apiPort: 0, logLevel: 'off' })
  const aggregator = closing(await createAggregatorService(settings, { local }))
  victims.push({ name: 'aggregator', port: portOf(aggregator.url), targets: AGGREGATOR })
})

/** Sends bytes and returns the statuses of responses, until the connection is closed or there are `most`. */
const sendRaw = (port: number, text: string, most = Number.POSITIVE_INFINITY): Promise<readonly number[]> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    let received = ''
    const statuses = () =>
      [...received.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status))
    const done = () => {
      socket.destroy()
      resolve(statuses())
    }
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (statuses().length >= most) done()
    })
    socket.on('error', done).on('close', done).on('end', done)
  })

type Headers = readonly string[]

const textOf = ([method, path, body]: Target, headers: Headers, version = '1.1') => {
  const own = body === '' && method === 'GET' ? [] : [`Content-Length: ${body.length}`]
  const type = body === '' ? [] : ['Content-Type: application/json']
  const ends = headers.some((one) => /^connection:/i.test(one)) ? [] : ['Connection: close']
  return `${[`${method} ${path} HTTP/${version}`, ...headers, ...ends, ...own, ...type].join('\r\n')}\r\n\r\n${body}`
}

/** What an attacker sends through a forwarder to look local. */
const CLAIMS: Readonly<Record<string, Headers>> = {
  'the host of the machine': ['Host: machine.example'],
  'Host: localhost': ['Host: localhost'],
  'Host: 127.0.0.1': ['Host: 127.0.0.1:8700'],
  'Host: 127.0.0.999': ['Host: 127.0.0.999'],
  'X-Forwarded-For: 127.0.0.1': ['Host: localhost', 'X-Forwarded-For: 127.0.0.1'],
  'two entries of X-Forwarded-For': ['Host: localhost', 'X-Forwarded-For: 127.0.0.1, 127.0.0.1'],
  'X-Real-IP and Forwarded': [
    'Host: localhost',
    'X-Real-IP: 127.0.0.1',
    'Forwarded: for=127.0.0.1;host=localhost',
  ],
  'a hop-by-hop X-Forwarded-For': ['Host: localhost', 'Connection: close, X-Forwarded-For, X-Real-IP, Via'],
  'the origin of the console': ['Host: localhost', 'Origin: http://localhost', 'Sec-Fetch-Site: same-origin'],
  'a guessed token': ['Host: localhost', `${tokenName}: firnop_${'A'.repeat(43)}`, 'x-operator-code: AAAA'],
}

const SERVED = (status: number) => status >= 200 && status < 300

/** Returns the victims and targets that have served a request. */
const served = async (headers: Headers, through?: readonly Forwarder[]) => {
  const found: string[] = []
  for (const [index, { name, port, targets }] of victims.entries()) {
    for (const target of targets) {
      const statuses = await sendRaw(through?.[index]?.port ?? port, textOf(target, headers))
      // A request that gets no answer would show nothing.
      if (statuses.length === 0 || statuses.some(SERVED))
        found.push(`${name} ${target[0]} ${target[1]} ${statuses}`)
    }
  }
  return found
}

describe.each(Object.entries(FORWARDERS))('through %s', (name, rewrite) => {
  let through: Forwarder[]
  beforeAll(async () => {
    through = await Promise.all(victims.map(({ port }) => startForwarder(port, rewrite)))
  })
  afterAll(() => {
    for (const one of through) one.close()
  })

  it.each(Object.entries(CLAIMS))('nobody becomes an operator with %s', async (_claim, headers) => {
    expect(await served(headers, through)).toEqual([])
  })

  it('an admin key is served, so the forwarder works', async () => {
    const [first, ...others] = through
    const [victim] = victims
    const text = textOf(['GET', '/operate/keys', ''], ['Host: localhost', `x-data-api-key: ${adminKey}`])
    expect([victim?.name, await sendRaw(first?.port ?? 0, text)]).toEqual(['Data API {}', [200]])
    expect(others).toHaveLength(victims.length - 1)
  })

  if (isSilent(name)) return
  it('not even the token counts', async () => {
    expect(await served(['Host: localhost', `${tokenName}: ${token}`], through)).toEqual([])
  })
})

describe('without a proxy', () => {
  const [get, post] = [DATA[0], DATA[2]]
  const HOST = 'Host: localhost'
  const KEYED = [HOST, `${tokenName}: ${token}`, 'Connection: keep-alive']
  const CL = (text: string) => `Content-Length: ${text.length}`
  /** Whole texts of requests that parsers may understand differently. */
  const TEXTS: Readonly<Record<string, string>> = {
    'no Host in HTTP/1.0': textOf(get, [], '1.0'),
    'two Host headers': textOf(get, [HOST, 'Host: evil.example']),
    'an absolute target': textOf(['GET', 'http://127.0.0.1/operate/keys', ''], ['Host: evil.example']),
    'a line break in a header': textOf(get, [HOST, `x-a: b\n${tokenName}: x`]),
    'a folded header': textOf(get, [HOST, `x-a: b\r\n ${tokenName}: x`]),
    'the PROXY protocol': `PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n${textOf(get, [HOST])}`,
    'an encoded path': textOf(['GET', '/%6fperate/keys', ''], [HOST]),
    'a path with dots': textOf(['GET', '/operate/../operate/keys', ''], [HOST]),
    'two slashes': textOf(['GET', '//operate/keys', ''], [HOST]),
    'another method': textOf(['HEAD', '/operate/keys', ''], [HOST]),
    'a preflight request': textOf(['OPTIONS', '/operate/keys', ''], [HOST, 'Origin: http://localhost']),
    'an empty token': textOf(get, [HOST, `${tokenName}:`]),
    'two tokens': textOf(get, [HOST, `${tokenName}: ${token}`, `${tokenName}: x`]),
    'the token as an API key': textOf(get, [HOST, `x-data-api-key: ${token}`]),
    'the token as a bearer': textOf(get, [HOST, `Authorization: Bearer ${token}`, `Cookie: t=${token}`]),
    'the token in the path': textOf(['GET', `/operate/keys?${tokenName}=${token}`, ''], [HOST]),
    'an unknown key with the token': textOf(get, [HOST, 'x-data-api-key: firn_x', `${tokenName}: ${token}`]),
    'a request in a body': textOf(['POST', '/v1/nothing', textOf(post, [HOST])], [HOST]),
    'an upgrade': textOf(get, [
      HOST,
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
    ]),
    'chunks and a length': `POST /operate/keys HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked\r\n${CL(NEW_KEY)}\r\n\r\n0\r\n\r\n${textOf(get, [HOST])}`,
  }

  it.each(Object.entries(TEXTS))('nobody becomes an operator with %s', async (_name, text) => {
    for (const { name, port } of victims) {
      // A connection with a refused upgrade may stay open.
      const statuses = await sendRaw(port, text, text.includes('Upgrade:') ? 1 : undefined)
      expect([name, statuses.length > 0, statuses.filter(SERVED)]).toEqual([name, true, []])
    }
  })

  it.each(Object.entries(CLAIMS))('nobody becomes an operator with %s', async (_claim, headers) => {
    expect(await served(headers)).toEqual([])
  })

  it('nobody becomes an operator on a connection that an operator has used before', async () => {
    for (const { name, port, targets } of victims) {
      const [target] = targets
      const text = textOf(target as Target, KEYED) + textOf(target as Target, [HOST])
      // The node has no keys to list for operators, and responds with 404.
      expect([name, await sendRaw(port, text)]).toEqual([name, [name === 'node API' ? 404 : 200, 401]])
    }
  })
})

it('leaves the keys as they were', async () => {
  expect(keys).toContainEqual(expect.objectContaining({ name: 'mine' }))
  expect(await listKeys(store)).toEqual(keys)
})
