import { CheckedHex } from '@firn/codec'
import { send } from '@firn/node-api/testing'
import { createHttpClient, PlatformMethods } from '@firn/rpc/client'
import type { OpenRpcDocument } from '@firn/rpc/openrpc'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Replica, startReplica } from './testing/replica.ts'

let full: Replica
let small: Replica
beforeAll(async () => {
  full = await startReplica({
    configuration: { apiAdminEnabled: true, apiAdminAllowRemote: true, indexEnabled: true },
  })
  small = await startReplica({ configuration: { apiInfoEnabled: false, apiHealthEnabled: false } })
})
afterAll(async () => {
  await full.close()
  await small.close()
})

async function fetchDocument({ url }: Replica): Promise<OpenRpcDocument> {
  const response = await fetch(`${url}/openrpc.json`)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  return (await response.json()) as OpenRpcDocument
}

const servedBy = ({ node: { context } }: Replica) => {
  const routes = context.routes.paths().map((path) => context.routes.find(path))
  return [...new Set(routes.flatMap((route) => route?.endpoint.methods ?? []))].sort()
}

test('contains every method that is served, and no other', async () => {
  for (const replica of [full, small]) {
    const { methods } = await fetchDocument(replica)
    expect(methods.map(({ name }) => name).sort()).toEqual(servedBy(replica))
  }
  expect(servedBy(full).length).toBeGreaterThan(80)
  expect(servedBy(small).filter((name) => /^(info|health|admin|index)\./.test(name))).toEqual([])
})

test('names URLs at which the methods respond', async () => {
  const { methods } = await fetchDocument(full)
  for (const { name, servers } of methods) {
    for (const { url } of servers) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: [1, 2] })
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      // The arguments are invalid, so that no method runs, but the method exists.
      expect(await response.text(), `${name} at ${url}`).toContain("couldn't unmarshal an argument")
    }
  }
})

test('is linked from the landing page, and is not found with other HTTP methods', async () => {
  const { links } = (await (await fetch(full.url)).json()) as { readonly links: readonly { href: string }[] }
  expect(links.map(({ href }) => href)).toContain('/openrpc.json')
  expect((await send(full.url, { path: '/openrpc.json', method: 'POST' })).status).toBe(404)
})

test('compresses the document, and names the origin of each caller', async () => {
  const { host } = new URL(full.url)
  const ask = (headers: Record<string, string>) =>
    send(full.url, { path: '/openrpc.json', method: 'GET', headers })
  const first = await ask({ host, 'accept-encoding': 'br' })
  expect(first.headers['content-encoding']).toBe('br')
  const tag = String(first.headers['etag'])
  expect((await ask({ host, 'accept-encoding': 'br', 'if-none-match': tag })).status).toBe(304)
  for (let i = 1; i < 20; i++) {
    const { status, body } = await ask({ host: `10.0.0.${i}` })
    expect([status, body.includes(`"http://10.0.0.${i}/ext/`), body.includes('origin.invalid')]).toEqual([
      ...[200, true, false],
    ])
  }
  // Only the documents of a few origins are kept compressed.
  expect((await ask({ host: '10.0.0.19', 'accept-encoding': 'br' })).headers).not.toHaveProperty(
    'content-encoding',
  )
})

test('serves the client for browsers, which sends single requests instead of batches', async () => {
  const client = createHttpClient(PlatformMethods, { url: full.url, path: '/ext/bc/P' })
  const [height, block] = await client.batch([
    { method: 'platform.getHeight' },
    { method: 'platform.getBlockByHeight', params: { height: 0n } },
  ])
  expect(height).toEqual({ result: { height: 85n } })
  expect(CheckedHex.decode(block.result?.block as string).length).toBeGreaterThan(32)
})
