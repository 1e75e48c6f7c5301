import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import * as DocumentationPage from './DocumentationPage.ts'
import * as StaticFile from './StaticFile.ts'

const TEXT = 'firn '.repeat(1_000)

describe('StaticFile', () => {
  it('compresses each form once, and only if it is requested', async () => {
    const file = StaticFile.create('text/plain', TEXT)
    expect((await file.answer({})).body).toEqual(new TextEncoder().encode(TEXT))
    const ask = (encoding: string) => file.answer({ 'accept-encoding': encoding })
    const answers = await Promise.all([ask('br'), ask('br'), ask('gzip'), ask('gzip'), ask('gzip, br')])
    const [br, secondBr, gzip, secondGzip, preferred] = answers
    expect([secondBr?.body, preferred?.body].every((body) => body === br?.body)).toBe(true)
    expect(secondGzip?.body === gzip?.body).toBe(true)
    expect(brotliDecompressSync(br?.body as Uint8Array).toString()).toBe(TEXT)
    expect(gunzipSync(gzip?.body as Uint8Array).toString()).toBe(TEXT)
    expect(answers.map(({ headers }) => (headers as Record<string, string>)['content-encoding'])).toEqual([
      ...['br', 'br', 'gzip', 'gzip', 'br'],
    ])
  })

  it('sends nothing to clients that have the file in the encoding that they prefer', async () => {
    const file = StaticFile.create('text/plain', TEXT)
    const { etag = '' } = (await file.answer({ 'accept-encoding': 'gzip' })).headers
    const ask = async (encoding: string, tag: string) =>
      (await file.answer({ 'accept-encoding': encoding, 'if-none-match': tag })).status
    expect(await ask('gzip', etag)).toBe(304)
    expect(await ask('gzip', `"other", W/${etag}`)).toBe(304)
    expect(await ask('gzip', '*')).toBe(304)
    expect(await ask('br', etag)).toBe(200)
  })

  it('has another tag if the content differs', async () => {
    const tagOf = async (text: string) =>
      (await StaticFile.create('text/plain', text).answer({})).headers['etag']
    expect(await tagOf('a')).not.toBe(await tagOf('b'))
  })

  it('does not compress small files', async () => {
    const { headers } = await StaticFile.create('text/plain', 'small').answer({ 'accept-encoding': 'br' })
    expect(headers).not.toHaveProperty('content-encoding')
  })
})

describe('DocumentationPage', () => {
  it('creates and compresses the document and the files of the page once', async () => {
    let created = 0
    const server = Fastify()
    DocumentationPage.add(server, {
      document: () => {
        created++
        return { openapi: '3.1.0', info: { title: 'T', version: '1', description: TEXT }, paths: {} }
      },
    })
    for (const url of [
      '/openapi.json',
      '/docs/',
      '/docs/openapi.json',
      '/docs/openapi.yaml',
      '/docs/js/scalar.js',
    ]) {
      const first = await server.inject({ url, headers: { 'accept-encoding': 'br' } })
      expect([url, first.statusCode, first.headers['cache-control']]).toEqual([url, 200, 'no-cache'])
      const after = created
      for (const asked of [url, `${url}?${'x'.repeat(9)}`]) {
        const again = await server.inject({ url: asked, headers: { 'accept-encoding': 'br' } })
        expect([again.statusCode, again.rawPayload.equals(first.rawPayload)]).toEqual([200, true])
      }
      expect(created).toBe(after)
      const known = await server.inject({
        url,
        headers: { 'accept-encoding': 'br', 'if-none-match': first.headers.etag as string },
      })
      expect([known.statusCode, known.payload]).toEqual([304, ''])
      const head = await server.inject({ method: 'HEAD', url, headers: { 'accept-encoding': 'br' } })
      expect([head.statusCode, head.payload, head.headers.etag]).toEqual([200, '', first.headers.etag])
    }
    expect((await server.inject('/docs')).headers.location).toBe('/docs/')
    expect((await server.inject('/docs/none.js')).statusCode).toBe(404)
    await server.close()
  })
})
