import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Page, startBrowser } from '@firn/browser'
import { LocalToken, OperatorLink } from '@firn/operate'
import { expect, test, vi } from 'vitest'
import * as Run from '../../Run.ts'

const PORTS = ['--data-port', '0', '--http-port', '0', '--gateway-port', '0', '--aggregator-port', '0']

/** Every kind of page that has data from the start, as the addresses of its pages without ids. */
const KINDS = [
  ...['/', '/p/validators', '/p/validators/*', '/p/subnets', '/p/subnets/*', '/p/blockchains/*'],
  ...['/p/blocks', '/p/blocks/*/*', '/p/txs', '/p/tx/*', '/p/address/*', '/p/supply'],
  ...['/evm', '/evm/*', '/evm/*/blocks', '/evm/*/blocks/*', '/evm/*/txs', '/evm/*/tx/*'],
  ...['/operate/progress', '/operate/peers', '/operate/upstreams', '/operate/limits'],
  ...['/evm/*/address/*', '/evm/*/token/*', '/evm/*/nft/*/*', '/metrics'],
]

const LINKS = `[...document.querySelectorAll('a[href^="#/"]')].map((one) => one.getAttribute('href'))`

/** Returns the kind of a page: its address without ids and choices. */
function kindOf(address: string): string {
  const [path = ''] = address.slice(1).split('?')
  return path.replace(/\/(?=[^/]*[A-Z0-9])[^/]+/g, '/*')
}

/** Returns a link that signs in to the pages for operators of the demo in a folder, as `firn operate link` does. */
async function createLink(folder: string, url: string): Promise<string> {
  const demo = (await readdir(folder)).find((name) => name.startsWith('firn-demo-')) ?? ''
  const token = LocalToken.read(join(folder, demo, 'data'))
  return OperatorLink.create(token, url, { now: Date.now, random: randomBytes })
}

/** Largest number of pages to open. Not every page of a kind has links to all other kinds. */
const MOST_PAGES = 80

/** Follows links from the first page, first to new kinds of pages. Returns the kinds that show no data. */
async function explore(page: Page, url: string): Promise<readonly string[]> {
  const links = new Set(['#/'])
  const opened = new Set<string>()
  const missing = new Set(KINDS)
  while (missing.size > 0 && opened.size < MOST_PAGES) {
    const waiting = [...links].filter((link) => !opened.has(link))
    // The views of addresses have links to all kinds of tokens.
    const next =
      waiting.find((link) => missing.has(kindOf(link))) ??
      waiting.find((link) => link.includes('view=')) ??
      waiting[0]
    if (next === undefined) break
    opened.add(next)
    // A new address after `#` alone would leave the previous page there for a moment.
    await page.goto('about:blank')
    await page.goto(`${url}/${next}`)
    await page.locator('main h1').first().waitFor()
    await expect.poll(() => page.locator('.loading').count()).toBe(0)
    const data = await page.locator('main tbody tr, main dl dd, main .chart svg').count()
    const errors = await page.locator('main .note-bad').count()
    if (data > 0 && errors === 0) missing.delete(kindOf(next))
    for (const link of await page.evaluate<string[]>(LINKS)) links.add(link)
  }
  return [...missing]
}

test('shows data on every page of the console in the demo', async ({ signal }) => {
  // The demo makes its data folder here.
  const folder = await mkdtemp(join(tmpdir(), 'firn-demo-test-'))
  vi.stubEnv('TMPDIR', folder)
  const stop = new AbortController()
  const start = Promise.withResolvers<string>()
  const terminal = {
    print: (line: string) => {
      const url = /^start here +(\S+?)\/? /m.exec(line)?.[1]
      if (url !== undefined) start.resolve(url)
    },
    note: () => undefined,
    isInteractive: false,
    signal: AbortSignal.any([stop.signal, signal]),
  }
  const running = Run.run(['demo', ...PORTS], terminal)
  running.then((status) => start.reject(new Error(`the demo ended with status ${status}`)), start.reject)
  const browser = await startBrowser()
  try {
    const page = await browser.open()
    const failures: string[] = []
    page.on('pageerror', (error) => failures.push(String(error)))
    const url = await start.promise
    await page.goto(await createLink(folder, url))
    await page.getByRole('region', { name: 'Log', exact: true }).waitFor()
    expect(await explore(page, url)).toEqual([])
    expect(failures).toEqual([])
  } finally {
    await browser.close()
    stop.abort()
    await running
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  }
})
