import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findInstalled, unpack } from './Executable.ts'
import { type Browser, type BrowserOptions, bundle, startBrowser } from './index.ts'

type DescribePage = typeof import('./testing/describePage.ts')

const MODULE = new URL('testing/describePage.ts', import.meta.url)

describe('A browser', () => behaves(async () => ({})))

describe.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'The unpacked browser',
  { tags: ['linux'] },
  () => behaves(async () => ({ executable: await unpack() })),
)

function behaves(options: () => Promise<BrowserOptions>) {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser(await options())
  })
  afterAll(() => browser.close())

  test('calls a bundled module in a page and returns its result', async () => {
    const { origin } = browser
    expect(await browser.run<DescribePage>(MODULE, { height: 2n ** 64n - 1n })).toEqual({
      isSecureContext: true,
      origin,
      hasProcess: false,
      next: 2n ** 64n,
    })
  })

  test('rejects with the error of the module', async () => {
    await expect(browser.run<DescribePage>(MODULE, { height: 0n })).rejects.toThrow('the height is 0')
  })
}

test('finds no browser in a folder without one', () => {
  expect(findInstalled(import.meta.dirname)).toBeUndefined()
})

test("rejects a module that imports one of Node's", async () => {
  const path = fileURLToPath(new URL('Executable.ts', import.meta.url))
  await expect(bundle(path, 'executable')).rejects.toThrow('node:child_process')
})
