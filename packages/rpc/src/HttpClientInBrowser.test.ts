import { type Browser, startBrowser } from '@firn/browser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RecordedServer, startRecordedServer } from './testing/recordedServer.ts'

type InBrowser = typeof import('./testing/inBrowser.ts')

let browser: Browser
let server: RecordedServer
beforeAll(async () => {
  ;[browser, server] = await Promise.all([startBrowser(), startRecordedServer()])
})
afterAll(async () => {
  server.close()
  await browser.close()
})

test('calls, retries, batches and aborts requests to another origin in Chromium', async () => {
  const argument = { url: server.url, silentUrl: 'http://127.0.0.1:1' }
  const found = await browser.run<InBrowser>(new URL('testing/inBrowser.ts', import.meta.url), argument)
  expect(found).toEqual({
    weights: { bandwidth: 1n, dbRead: 1000n, dbWrite: 1000n, compute: 4n },
    height: 43n,
    nodeId: expect.stringMatching(/^NodeID-/),
    weight: 3_000_000_000_000n,
    wrong: 'RPC_RESPONSE',
    aborted: { code: 'RPC_ABORTED', maxResponseBytes: undefined },
    oversize: { code: 'RPC_RESPONSE', maxResponseBytes: 10 },
    unreachable: { code: 'RPC_TRANSPORT', maxResponseBytes: undefined },
    // The first delay is the one that the server asked for.
    delays: [3000, 150, 300],
  })
  // Browsers ask before they send JSON to another origin.
  expect(server.requests.slice(0, 3)).toEqual([
    'OPTIONS ',
    'POST platform.getFeeConfig',
    'POST platform.getFeeConfig',
  ])
})
