import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as LandingPage from './LandingPage.ts'

const CONTENT: LandingPage.Content = {
  name: 'Data API',
  description: 'Indexed data over REST.',
  version: '1.2.3',
  status: 'degraded',
  problems: ['the node at 127.0.0.1 does not answer'],
  links: [{ href: '/docs', title: 'Documentation' }],
}

describe('LandingPage.render', () => {
  it.each([undefined, '*/*', 'application/json', 'text/plain'])(
    'returns JSON for the accept header %s',
    (accept) => {
      const { headers, body } = LandingPage.render(CONTENT, accept)
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(JSON.parse(body)).toEqual({ ...CONTENT, apis: [] })
    },
  )

  it('returns an HTML page with every link and problem to a browser', () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const { headers, body } = LandingPage.render(CONTENT, accept)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body).toContain('<h1>Firn Data API</h1>')
    expect(body).toContain('<a href="/docs">')
    expect(body).toContain('<li>the node at 127.0.0.1 does not answer</li>')
  })

  it.each(['application/json', 'text/html'])(
    'sends headers that keep caches from mixing up HTML and JSON: %s',
    (accept) => {
      expect(LandingPage.render(CONTENT, accept).headers).toMatchObject({
        vary: 'accept',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
      })
    },
  )

  it('forbids scripts and requests on the page, and allows only its own style', () => {
    const { headers, body } = LandingPage.render(CONTENT, 'text/html')
    const policy = headers['content-security-policy']
    expect(policy).toContain("default-src 'none'")
    const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] ?? ''
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
  })

  it('escapes HTML in every text on the page', () => {
    const text = fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a') })
    fc.assert(
      fc.property(text, text, text, (name, problem, href) => {
        const links = [{ href, title: name }]
        const shown = { ...CONTENT, name, description: name, status: name, problems: [problem], links }
        const { body } = LandingPage.render(shown, 'text/html')
        const tags = body.match(/<[^>]*>/g) ?? []
        const usual = LandingPage.render(CONTENT, 'text/html').body.match(/<[^>]*>/g) ?? []
        expect(tags.length).toBe(usual.length)
      }),
    )
  })
})
