import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { bundle } from './Bundle.ts'
import { type Executable, findInstalled, unpack } from './Executable.ts'

/** A module to run in a browser. Its `main` gets and returns values of JSON, with `bigint` and `undefined`. */
export interface BrowserModule {
  readonly main: (argument: never) => unknown
}

/** A headless Chromium. */
export interface Browser {
  /** Origin of its pages, such as `http://127.0.0.1:40123`: servers must allow requests from it. */
  readonly origin: string
  /**
   * Bundles a module of this repository, calls its `main` in a new page, and returns the result. Rejects with the
   * error of `main`.
   */
  run<M extends BrowserModule>(
    module: URL,
    argument: Parameters<M['main']>[0],
  ): Promise<Awaited<ReturnType<M['main']>>>
  /** Opens a page, waits until its text contains or matches `text`, and returns all of its text. Rejects after 20 seconds. */
  read(url: string, text: string | RegExp): Promise<string>
  /** Opens an empty page of a new profile, to be controlled with Playwright. `close` of its context removes both. */
  open(options?: BrowserContextOptions): Promise<Page>
  close(): Promise<void>
}

/** Options of {@link startBrowser}. */
export interface BrowserOptions {
  /** The Chromium to start. By default, the one of this machine, or else the one that is a dependency. */
  readonly executable?: Executable
}

/** Global variable that contains the exports of a module in a page. */
const NAME = 'firnModule'

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Starts Chromium with an empty profile, and a server on loopback for an empty page.
 * @example
 * ```ts
 * import { startBrowser } from '@firn/browser'
 *
 * const browser = await startBrowser()
 * console.log(browser.origin) // 'http://127.0.0.1:40123'
 * await browser.close()
 * ```
 * @throws the error of Playwright if Chromium does not start
 */
export async function startBrowser({ executable }: BrowserOptions = {}): Promise<Browser> {
  const { path, env } = executable ?? findInstalled() ?? (await unpack())
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Firn</title>')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => void server.close().closeAllConnections()
  const launched = await chromium
    .launch({ executablePath: path, args: FLAGS, env: { ...process.env, ...env } })
    .catch((error: unknown) => {
      close()
      throw error
    })
  return {
    origin,
    async run(module, argument) {
      const script = await bundle(fileURLToPath(module), NAME)
      const page = await launched.newPage()
      try {
        await page.goto(origin)
        await page.addScriptTag({ content: script })
        return (await page.evaluate(call as never, [NAME, argument] as never)) as never
      } finally {
        await page.close()
      }
    },
    async read(url, text) {
      const page = await launched.newPage()
      try {
        await page.goto(url)
        const body = page.locator('body')
        await body.filter({ hasText: text }).waitFor({ timeout: 20_000 })
        return (await body.textContent()) ?? ''
      } finally {
        await page.close()
      }
    },
    async open(options) {
      const context = await launched.newContext(options)
      return context.newPage()
    },
    async close() {
      await launched.close()
      close()
    },
  }
}

/** Runs in the page. */
function call([name, argument]: readonly [string, never]): unknown {
  const module: BrowserModule | undefined = Reflect.get(globalThis, name)
  return module?.main(argument)
}
