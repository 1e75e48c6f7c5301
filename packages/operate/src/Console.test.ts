import { expect, test } from 'vitest'
import * as Console from './Console.ts'
import type * as LandingPage from './LandingPage.ts'

const CONTENT: LandingPage.Content = {
  name: 'Data API',
  description: 'Serves data.',
  version: '1',
  status: 'up',
  problems: [],
  links: [],
  apis: [
    { kind: 'data', url: './' },
    { kind: 'node', url: 'http://127.0.0.1:9650/path' },
  ],
}

const ask = (path: string, headers: Console.Request['headers']) =>
  Console.answer({ path, headers }, () => CONTENT)

test('sends the console to browsers, and JSON with the APIs to others', async () => {
  const page = await ask('/', { accept: 'text/html' })
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers['content-security-policy']).toContain("script-src 'self'")
  expect(page.headers['content-security-policy']).toContain("connect-src 'self' http://127.0.0.1:9650;")
  const json = await ask('/', { accept: 'application/json' })
  expect(JSON.parse(String(json.body))).toMatchObject({ name: 'Data API', apis: CONTENT.apis })
})

test('sends each asset compressed, cached forever, and not again to those who have it', async () => {
  const { body } = await ask('/', { accept: 'text/html' })
  const paths = [
    ...Buffer.from(body)
      .toString()
      .matchAll(/"(console\/[^"]+)"/g),
  ].map(([, path]) => `/${path}`)
  expect(paths.length).toBeGreaterThan(2)
  for (const path of paths) {
    const answer = await ask(path, { 'accept-encoding': 'gzip, br' })
    expect(answer).toMatchObject({ status: 200, headers: { 'content-encoding': 'br' } })
    expect(answer.headers['cache-control']).toContain('immutable')
    const { etag = '' } = answer.headers
    expect(await ask(path, { 'accept-encoding': 'br', 'if-none-match': `W/${etag}` })).toMatchObject({
      status: 304,
      body: '',
    })
  }
  const plain = await ask(paths[0] ?? '', { 'accept-encoding': 'br;q=0' })
  expect(plain.headers['content-encoding']).toBeUndefined()
})

test.each(['/console/../package.json', '/console/', '/console/none.js', '/console/.sources.json'])(
  'has no file at %s',
  async (path) => {
    expect((await ask(path, {})).status).toBe(404)
  },
)
