import { Console, type LandingPage } from '@firn/operate'
import { expect } from 'vitest'

/**
 * Asserts that the root path of a server returns its links as JSON and the console as HTML, that all its own GET links
 * work, and that the console's files are served. For tests only.
 */
export async function expectLandingPage(url: string): Promise<void> {
  const { origin } = new URL(url)
  const response = await fetch(origin)
  expect([origin, response.status]).toEqual([origin, 200])
  const { name, links } = (await response.json()) as LandingPage.Content
  const html = await (await fetch(origin, { headers: { accept: 'text/html' } })).text()
  const assets = assetsIn(html).map((name) => `/console/${name}`)
  expect(assets.length).toBeGreaterThan(2)
  expect(links.length).toBeGreaterThan(1)
  for (const { href, title } of [...links, ...assets.map((href) => ({ href, title: href }))]) {
    if (!href.startsWith('/') || /POST/.test(title)) continue
    const { status } = await fetch(origin + href, { headers: { accept: 'text/html' } })
    expect([name, href, status]).not.toEqual([name, href, 404])
  }
}

/** Returns the name of one of the console's files, which is a value of `{asset}` in paths. For tests only. */
export async function consoleAsset(): Promise<string> {
  const [name] = await consoleAssets()
  expect(name).toBeDefined()
  return name ?? ''
}

/** Returns the name of the console's largest file. For tests only. */
export async function largestConsoleAsset(): Promise<string> {
  const sized = (await consoleAssets()).map(async (name) => {
    const { body } = await Console.answer({ path: `/console/${name}`, headers: {} }, () => CONTENT)
    return { name, size: body.length }
  })
  const [largest] = (await Promise.all(sized)).sort((one, other) => other.size - one.size)
  expect(largest?.size).toBeGreaterThan(50_000)
  return largest?.name ?? ''
}

const CONTENT = { name: '', description: '', version: '', status: '', problems: [], links: [] }

async function consoleAssets(): Promise<readonly string[]> {
  const { body } = await Console.answer({ path: '/', headers: { accept: 'text/html' } }, () => CONTENT)
  return assetsIn(Buffer.from(body).toString())
}

function assetsIn(html: string): readonly string[] {
  return [...html.matchAll(/(?:href|src)="console\/([^"]+)"/g)].map(([, name = '']) => name)
}
