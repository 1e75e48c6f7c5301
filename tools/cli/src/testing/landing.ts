import type { LandingPage } from '@firn/http'
import { expect } from 'vitest'

/**
 * Asserts that the root path of a server lists its links as JSON and as HTML, and that all its own GET links
 * work. For tests only.
 */
export async function expectLandingPage(url: string): Promise<void> {
  const { origin } = new URL(url)
  const response = await fetch(origin)
  expect([origin, response.status]).toEqual([origin, 200])
  const { name, links } = (await response.json()) as LandingPage.Content
  const html = await (await fetch(origin, { headers: { accept: 'text/html' } })).text()
  expect(html).toContain(`<h1>Firn ${name}</h1>`)
  expect(links.length).toBeGreaterThan(1)
  for (const { href, title } of links) {
    expect(html).toContain(`<a href="${href}">`)
    if (!href.startsWith('/') || /POST/.test(title)) continue
    const { status } = await fetch(origin + href, { headers: { accept: 'text/html' } })
    expect([name, href, status]).not.toEqual([name, href, 404])
  }
}
