import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as HttpProxy from './HttpProxy.ts'

const server = createServer((request, response) => response.end(`served ${request.url}`))
let proxy: HttpProxy.Proxy
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  proxy = await HttpProxy.start(
    [
      { path: '/inside', to, as: '/other' },
      { path: '/', to },
    ],
    { isSecure: true },
  )
})
afterAll(async () => {
  await proxy.close()
  server.close()
})

/**
 * Fetches a URL in a Node process with the preload module. Returns the response text, or the reason of the
 * failure.
 */
async function fetchText(url: string): Promise<string> {
  const script = `fetch(${JSON.stringify(url)}).then((it) => it.text(), (error) => error.cause.message).then(console.log)`
  const preload = fileURLToPath(new URL('preload.mjs', import.meta.url))
  const env = {
    PATH: process.env['PATH'] ?? '',
    FIRN_README_HOSTS: 'api.avax-test.network,api.avax.network',
    FIRN_README_PORT: String(proxy.port),
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', preload, '-e', script], { env })
  return stdout.trim()
}

it.each([
  ['https://api.avax-test.network/ext/info', 'served /ext/info'],
  ['https://api.avax.network/inside/x', 'served /other'],
])('connects to a server on loopback for a public host: %s', async (url, text) => {
  expect(await fetchText(url)).toBe(text)
})

it('refuses connections to all hosts other than loopback and the public hosts', async () => {
  expect(await fetchText('https://example.org/')).toBe(
    'README commands may only connect to loopback, got example.org',
  )
})
