import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type Page, startBrowser } from '@firn/browser'
import { createClient } from '@firn/client'
import { createDataApi, type DataApiService, type ServiceOptions } from '@firn/data-api'
import { writeVerifiedSources } from '@firn/demo-chain'
import { recordedEvmStore } from '@firn/evm-store/testing'
import { recordedStore } from '@firn/store/testing'
import { LOCAL_CHAIN_ID, type LocalChain, startLocalChain } from './localChain.ts'

/** A browser and a service. For tests only. */
export interface Served {
  readonly browser: Browser
  readonly service: DataApiService
  close(): Promise<void>
}

/** Starts a service and a browser. For tests only. */
export async function serve(content: Partial<ServiceOptions>): Promise<Served> {
  const service = await createDataApi({
    ...{
      host: '127.0.0.1',
      port: 0,
      limits: undefined,
      aggregateStatus: 200,
      timeoutMs: 600_000,
      version: '0',
    },
    ...content,
  })
  const browser = await startBrowser()
  return {
    ...{ browser, service },
    async close() {
      await browser.close()
      await service.close()
    },
  }
}

/** A service with a recorded Primary Network, a local EVM chain and a recorded C-chain. For tests only. */
export interface Opened extends Served {
  readonly local: LocalChain
  /** A transaction of the local chain that created contracts with internal calls. */
  readonly creation: string
}

/** Starts a service with data for every page. For tests only. */
export async function open(): Promise<Opened> {
  const local = await startLocalChain()
  const ofPrimaryNetwork = { subnetId: new Uint8Array(32) }
  const cChain = await recordedEvmStore('c', undefined, ofPrimaryNetwork)
  const chains = [local.served, { store: cChain, nodes: [] }]
  const abiFolder = mkdtempSync(join(tmpdir(), 'firn-abis-'))
  await writeVerifiedSources(abiFolder, Number(LOCAL_CHAIN_ID), local.demo.contracts)
  const served = await serve({ store: await recordedStore('local'), chains, abiFolder })
  const { evm } = createClient({ url: served.service.url })
  const creations = await evm.listInternalTransactions({
    chainId: LOCAL_CHAIN_ID,
    address: local.demo.contracts.factory,
  })
  return {
    ...{ ...served, local, creation: creations.transactions[0]?.txHash ?? '' },
    async close() {
      await served.close()
      await local.close()
      await cChain.close()
      rmSync(abiFolder, { recursive: true, force: true })
    },
  }
}

/** A page that collects what must not happen. */
export interface WatchedPage {
  readonly page: Page
  /** Errors of scripts, reports of the content security policy, failed requests, and requests to other machines. */
  readonly problems: readonly string[]
  close(): Promise<void>
}

type View = Parameters<Browser['open']>[0]

/** Opens a page that collects errors and reports. For tests only. */
export async function watch({ browser }: Pick<Served, 'browser'>, view: View = {}): Promise<WatchedPage> {
  const page = await browser.open({ viewport: { width: 1280, height: 800 }, ...view })
  // How long a page takes depends on the machine. The run of the tests has a limit.
  page.setDefaultTimeout(0)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    // The browser logs every failed request. Those that are problems are collected below.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      problems.push(message.text())
  })
  page.on('response', (response) => {
    // The search causes answers of 404, because an id does not tell what it belongs to.
    if (response.status() >= 400 && response.status() !== 404)
      problems.push(`${response.status()} ${response.url()}`)
  })
  page.on('request', (asked) => {
    const { hostname, protocol } = new URL(asked.url())
    if (hostname !== '127.0.0.1' && protocol !== 'blob:') problems.push(`request to ${asked.url()}`)
  })
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  return { page, problems, close: () => page.context().close() }
}

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Returns the accessibility problems of a page, one line each. For tests only. */
export async function accessibilityProblems(
  page: Page,
  rules?: readonly string[],
): Promise<readonly string[]> {
  // The content security policy applies to scripts of the page, not to scripts of the debugger.
  await page.evaluate(`window.axe === undefined && (() => { ${AXE} })()`)
  const options = rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } }
  return page.evaluate(async (given) => {
    interface Violation {
      readonly id: string
      readonly nodes: readonly { readonly html: string }[]
    }
    const { axe } = window as unknown as {
      readonly axe: {
        run(root: Document, options: object): Promise<{ readonly violations: readonly Violation[] }>
      }
    }
    const { violations } = await axe.run(document, given)
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  }, options)
}

/** Opens an address of the console and waits until nothing is loading. For tests only. */
export async function visit({ page }: WatchedPage, url: string, hash: string): Promise<void> {
  await page.goto(`${url}/${hash}`)
  await settle(page)
}

/** Waits until the page shows a heading and nothing is loading. For tests only. */
export async function settle(page: Page): Promise<void> {
  // A new address after `#` is rendered a few tasks later. Until then, the previous page is there.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))))
  await page.locator('main h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('.loading') === null)
}
