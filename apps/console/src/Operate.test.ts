import { randomBytes } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createKey } from '@firn/data-api'
import { ApiKey, Refusals } from '@firn/http'
import type { Operators } from '@firn/operate'
import { createLocalOperator } from '@firn/operate/testing'
import { LogEvent } from '@firn/runtime'
import { CheckResults } from '@firn/service-store'
import type { Store } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import { UpstreamMetrics } from '@firn/tracing'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperateRouteName } from './Routes.ts'
import { checkPage, VIEWS } from './testing/checkPage.ts'
import { HOSTILE_TEXTS } from './testing/hostileTexts.ts'
import { type Served, serve, settle, visit, type WatchedPage, watch } from './testing/opened.ts'

const NODE = 'NodeID-41f3Vk3mugDhhAQ3AqeXRiXzKyu1AAnNA'
const SUBNET = '11111111111111111111111111111111LpoYY'

/** Address and a text of each page for operators. */
const PAGES: Readonly<Record<OperateRouteName, readonly [address: string, text: RegExp]>> = {
  operateProgress: ['#/operate/progress', /P-chainbehind.*120.*indexer-1.*a node is late.*1 found/s],
  operatePeers: ['#/operate/peers', /75 %.*avalanchego\/1.14.2.*2,000/s],
  operateUpstreams: ['#/operate/upstreams', /node.example:9650.*failed.*timeout/s],
  operateLimits: ['#/operate/limits', /203.0.113.9.*compute units.*without a key.*2,000/s],
  operateKeys: ['#/operate/keys', /The team.*valid/s],
  operateLog: ['#/operate/log', /a node does not respond.*reason timed out/s],
}

const hostile = (index: number) => HOSTILE_TEXTS[index % HOSTILE_TEXTS.length] ?? ''
const allHostile = HOSTILE_TEXTS.map((_, index) => hostile(index))

const peer = (version: string, index: number): Operators.Peer => ({
  ...{ service: 'aggregator', nodeId: index === 0 ? NODE : `NodeID-${index}`, address: '198.51.100.7:9651' },
  ...{ version, stake: '2000000000000', trackedSubnets: [], lastReceived: 1_795_000_000 },
})
const parts: Operators.Parts = {
  peers: async () => ({
    peers: ['avalanchego/1.14.2', ...allHostile].map(peer),
    subnets: [
      {
        ...{ service: 'aggregator', subnetId: SUBNET, validators: 4, connectedValidators: 3 },
        ...{ weight: '400', connectedWeight: '300' },
      },
    ],
  }),
}
const indexed = (): readonly Operators.Progress[] => [
  {
    ...{
      chain: 'P',
      kind: 'primary',
      phase: 'behind',
      height: '85',
      head: '205',
      lag: '120',
      holder: 'indexer-1',
    },
    ...{ blocksPerSecond: 12.5, problems: ['a node is late', ...allHostile] },
  },
]

const operator = createLocalOperator()
let store: Store
let served: Served
let remote: { readonly url: string; close(): void }
const keys: Record<'admin' | 'data', string> = { admin: '', data: '' }

const addKey = (name: string, scopes: readonly ApiKey.Scope[]) =>
  createKey(
    store,
    { name, scopes, unitsPerMinute: undefined, unitsPerDay: undefined },
    randomBytes,
    1_795_000_000,
  )

/** Starts a proxy on this machine that forwards callers of another one. */
async function startProxy(target: URL) {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': '203.0.113.9' }
    const options = {
      host: target.hostname,
      port: target.port,
      path: incoming.url,
      method: incoming.method,
      headers,
    }
    const forwarded = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return { url, close: () => void proxy.close().closeAllConnections() }
}

/** Reports what a process reports of itself. */
function report(): void {
  const observe = UpstreamMetrics.create('firn_test', new Registry())
  observe({ upstream: 'node.example:9650', methods: [] }).end('timeout')
  for (const [index, text] of allHostile.entries())
    observe({ upstream: `node${index}:9650`, methods: [] }).end(text as 'timeout')
  Refusals.publish({ service: 'data-api', caller: '203.0.113.9', limit: 'compute units' })
  for (const caller of allHostile) Refusals.publish({ service: 'data-api', caller, limit: 'compute units' })
  const log = channel(LogEvent.CHANNEL)
  for (const text of allHostile)
    log.publish({ time: Date.now(), level: 'error', message: text, facts: { [text]: text } })
  const facts = { reason: 'timed out' }
  log.publish({ time: Date.now(), level: 'warn', message: 'a node does not respond', facts })
}

beforeAll(async () => {
  store = await recordedStore('local')
  keys.admin = await addKey('The operator', ['admin'])
  keys.data = await addKey('The team', ['data', 'metrics', 'aggregate', 'usage'])
  for (const text of HOSTILE_TEXTS) await addKey(text, ['data'])
  const findings = ['block 7 is missing']
  await CheckResults.put(store, {
    kind: 'doctor',
    finishedAt: 1_795_000_000,
    milliseconds: 90_000,
    isComplete: true,
    findings,
  })
  const allowance = { unitsPerMinute: 2_000, unitsPerDay: 100_000_000 }
  const limits = { anonymous: allowance, keyed: allowance }
  const { local } = operator
  served = await serve({ store, parts: [parts], indexed, limits, local, trustedProxies: ['127.0.0.1'] })
  remote = await startProxy(new URL(served.service.url))
  report()
  await fetch(`${served.service.url}/v1/networks/local/subnets`)
})
afterAll(async () => {
  remote?.close()
  await served?.close()
})

/** Opens a link that signs the page in, as people do. */
const signIn = async (watched: WatchedPage, url: string) => {
  await watched.page.goto(operator.local.createLink(url))
  await watched.page.getByRole('region', { name: 'Log', exact: true }).waitFor()
}

const show = async (watched: WatchedPage, url: string, [address, text]: readonly [string, RegExp]) => {
  await visit(watched, url, address)
  await watched.page.locator('main').filter({ hasText: text }).waitFor()
}

// In dark, only the colours differ, so the narrow view is checked in light.
describe.each(VIEWS.slice(0, 3))('pages for operators in %s at a width of %d', (colorScheme, width) => {
  let watched: WatchedPage
  beforeAll(async () => {
    watched = await watch(served, { colorScheme, viewport: { width, height: 800 } })
    await signIn(watched, served.service.url)
  })
  afterAll(() => watched?.close())

  test.each(Object.entries(PAGES))(
    '%s shows its data, harmless texts only, is accessible and fits into the width',
    async (name, page) => {
      await show(watched, served.service.url, page)
      await checkPage(watched, name, [colorScheme, width] as (typeof VIEWS)[number])
      const markup =
        'main :is(img, script, iframe, object, embed, link, style, [onload], [onerror], [onmouseover])'
      expect(await watched.page.locator(markup).count()).toBe(0)
      expect(await watched.page.locator('main').textContent()).not.toMatch(
        /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/,
      )
    },
  )
})

describe('a page for operators', () => {
  let watched: WatchedPage
  beforeAll(async () => {
    watched = await watch(served)
    await signIn(watched, served.service.url)
  })
  afterAll(() => watched?.close())

  const statusWith = async (key: string) =>
    (await fetch(`${remote.url}/operate/log`, { headers: { 'x-data-api-key': key } })).status

  test('creates a key that works, shows it once, changes its scopes and revokes it', async () => {
    const { page, problems } = watched
    await visit(watched, served.service.url, '#/operate/keys')
    await page.getByLabel('Name of the holder').fill('Night shift')
    await page.getByLabel(/^Data API/).uncheck()
    await page.getByLabel(/^Operators/).check()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const shown = page.getByRole('alert')
    await shown.getByText('Copy the key now.').waitFor()
    const key = (await shown.locator('.id-text').textContent()) ?? ''
    expect(ApiKey.isWellFormed(key)).toBe(true)
    const row = page.getByRole('row', { name: /Night shift/ })
    await row.filter({ hasText: 'metrics, aggregate, usage, webhooks, admin' }).waitFor()
    // The service looks for new keys every few seconds.
    await expect.poll(() => statusWith(key)).toBe(200)
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await page.content()).not.toContain(key)
    await row.getByRole('button', { name: /^Change the scopes/ }).click()
    await page
      .getByRole('region', { name: /^Scopes of/ })
      .getByLabel(/^Operators/)
      .uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await row.filter({ hasNotText: 'admin' }).waitFor()
    await row.getByRole('button', { name: /^Revoke/ }).click()
    await page.keyboard.press('Enter')
    await row.filter({ hasText: 'revoked' }).waitFor()
    await expect.poll(() => statusWith(key)).toBe(401)
    expect(problems).toEqual([])
  })

  test('follows the log from a level, and downloads it without formulas', async () => {
    const { page } = watched
    await visit(watched, served.service.url, '#/operate/log')
    await page.getByLabel('From level').selectOption('error')
    await page.waitForFunction(() => location.hash.endsWith('?level=error'))
    await settle(page)
    expect(await page.getByText('a node does not respond').count()).toBe(0)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    expect(text).toContain(`"'=HYPERLINK(`)
    expect(text).not.toMatch(/(^|,)=/m)
  })

  test('tells a caller of another machine how to get access, and opens with an admin key only', async () => {
    const { page } = watched
    const enter = async (key: string) => {
      await visit(watched, remote.url, '#/settings')
      await page.getByRole('textbox', { name: 'API key' }).fill(key)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Remove the key' }).waitFor()
    }
    await visit(watched, remote.url, '#/operate/keys')
    await page.getByText(/This page is for operators.*firn operate link --url .*scope admin/).waitFor()
    expect(await page.getByLabel('Name of the holder').count()).toBe(0)
    await page.getByRole('link', { name: 'API key in the settings' }).click()
    await page.waitForFunction(() => location.hash === '#/settings')
    await enter(keys.data)
    await visit(watched, remote.url, '#/operate/log')
    await page.getByText(/does not have the scope "admin"/).waitFor()
    await visit(watched, remote.url, '#/settings')
    await page.getByRole('button', { name: 'Remove the key' }).click()
    await enter(keys.admin)
    await show(watched, remote.url, PAGES.operateLog)
  })

  test('asks for a link until one is opened, which works once and leaves no trace', async () => {
    const fresh = await watch(served)
    const { page } = fresh
    await visit(fresh, served.service.url, '#/operate/upstreams')
    await page.getByText(/This page is for operators.*firn operate link --url/).waitFor()
    await checkPage(fresh, 'operateSignedOut', ['light', 1280])
    const link = operator.local.createLink(served.service.url)
    const asked: string[] = []
    page.on('request', (one) => asked.push(`${one.url()} ${one.headers()['referer'] ?? ''}`))
    // An open console gets only a new address after `#`.
    await page.goto(link)
    await page.getByRole('region', { name: 'Log', exact: true }).waitFor()
    const [, code = ''] = link.split('operator=')
    expect(
      await page.evaluate(() => [location.href, document.referrer, document.cookie].join()),
    ).not.toContain(code)
    await page.goBack()
    expect(page.url()).not.toContain(code)
    expect(asked.filter((one) => one.includes(code))).toEqual([])
    expect(fresh.problems).toEqual([])
    const other = await watch(served)
    await other.page.goto(link)
    await other.page.getByText(/Sign-in failed: the link was already used.*firn operate link/).waitFor()
    await fresh.close()
    await other.close()
  })

  test('asks for a link again when the service has forgotten the browser', async () => {
    const fresh = await watch(served)
    const { page } = fresh
    await signIn(fresh, served.service.url)
    await page.evaluate(() => sessionStorage.setItem('firn-operator', 'firnop_forgotten'))
    await page.reload()
    await page.getByText(/You were signed out.*firn operate link/).waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    await fresh.close()
  })

  test('is refused for a host name that another site points to this machine', async () => {
    const { port } = new URL(served.service.url)
    const rebound = await new Promise<number>((resolve) => {
      const headers = { ...operator.headers, host: `evil.example:${port}` }
      request({ host: '127.0.0.1', port, path: '/operate/log', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      }).end()
    })
    expect(rebound).toBe(403)
  })

  test('rejects reads and changes by a page of another origin', async () => {
    const other = await served.browser.open()
    await other.goto(served.browser.origin)
    const results = await other.evaluate(async (url) => {
      const json = { 'content-type': 'application/json' }
      const body = '{"name":"evil","scopes":["admin"]}'
      const asked = [
        fetch(`${url}/operate/log`),
        fetch(`${url}/operate/keys`, { method: 'POST', headers: json, body }),
        fetch(`${url}/operate/keys`, { method: 'POST', mode: 'no-cors', body }),
      ]
      const outcomes = await Promise.allSettled(asked)
      return outcomes.map((one) => (one.status === 'fulfilled' ? one.value.type : 'failed'))
    }, served.service.url)
    await other.context().close()
    // The last one is sent, but its answer, a refusal, cannot be read.
    expect(results).toEqual(['failed', 'failed', expect.stringMatching(/opaque|failed/)])
    const { keys: all } = (await (
      await fetch(`${served.service.url}/operate/keys`, { headers: operator.headers })
    ).json()) as {
      readonly keys: readonly { readonly name: string }[]
    }
    expect(all.map(({ name }) => name)).not.toContain('evil')
  })

  test('is in the menu only if the service has its data', async () => {
    const plain = await serve({ store })
    const page = await watch(plain)
    try {
      await visit(page, plain.service.url, '')
      const menu = page.page.getByRole('navigation', { name: 'Pages' })
      await menu.getByRole('link', { name: 'API keys' }).waitFor()
      expect(await menu.getByRole('link', { name: 'Peers' }).count()).toBe(0)
    } finally {
      await page.close()
      await plain.close()
    }
  })
})
