import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createIndexer, createMonitor, createStoreSource, ofNetwork } from '@firn/indexer'
import { FetchedBlocks } from '@firn/store'
import { Recordings, recordedStore } from '@firn/store/testing'
import { expect, onTestFinished, test } from 'vitest'
import { startFirn } from '../testing/startFirn.ts'
import * as SyncStatus from './SyncStatus.ts'

const status = async (...argv: readonly string[]) => {
  const { lines, notes, code } = startFirn(['sync', 'status', ...argv])
  return { code: await code, lines: [...lines], notes: notes.join('\n') }
}

/** Serves a text at `/ext/metrics`, as the node API does. */
const serve = async (text: string): Promise<string> => {
  const server = createServer((request, response) => {
    if (request.url === '/ext/metrics') response.end(text)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('prints the progress of a sync from peers', async () => {
  const url = await serve(
    [
      'firn_indexer_phase{phase="fetching"} 1',
      'firn_indexer_peers 5',
      'firn_indexer_fetched_blocks{chain="P"} 40000',
      'firn_indexer_fetched_blocks{chain="X"} 0',
      'firn_indexer_accepted_height{chain="P"} 100000',
      'firn_indexer_blocks_per_second 4012.4',
      'firn_indexer_seconds_left 14.95',
      'firn_indexer_healthy 0',
    ].join('\n'),
  )
  expect((await status('--url', url)).lines).toEqual([
    'phase    fetching, 5 peers',
    `service  ${url}`,
    'chain           applied       fetched      accepted',
    'P                     0        40,000       100,000',
    'X                     0             0              ',
    'speed    4,012 blocks/s, 15 s left',
    `problem  see ${url}/ext/health or ${url}/health`,
  ])
})

test('prints the metrics of an indexer as JSON', async () => {
  const store = await recordedStore('local')
  const { genesis, constants } = Recordings.load('local')
  const source = createStoreSource(store)
  const indexer = createIndexer({ store, source, genesis, constants, once: true, pollMs: 1 })
  await indexer.run(new AbortController().signal)
  const monitor = await createMonitor(ofNetwork(indexer), { port: 0 })
  onTestFinished(() => monitor.close())
  const { lines } = await status('--url', monitor.url, '--json')
  expect(JSON.parse(lines.join(''))).toEqual({
    service: monitor.url,
    phase: 'stopped',
    peers: null,
    blocksPerSecond: 0,
    secondsLeft: null,
    isHealthy: true,
    chains: {
      P: { applied: 85, fetched: null, accepted: 85 },
      X: { applied: 35, fetched: null, accepted: 35 },
      C: { applied: 83, fetched: null, accepted: 83 },
    },
  })
})

test('prints what a database contains', async () => {
  const store = await recordedStore('local')
  const block = (height: bigint) => ({
    height,
    id: new Uint8Array(32),
    parentId: new Uint8Array(32),
    bytes: new Uint8Array(),
  })
  await FetchedBlocks.put(store, 'P', [85n, 86n, 90n].map(block))
  onTestFinished(() => FetchedBlocks.remove(store, 'P', { from: 0n, to: 90n }))
  expect(SyncStatus.format(await SyncStatus.ofStore(store))).toEqual([
    'phase    stopped',
    'chain           applied       fetched',
    'P                    85             2',
    'X                    35             0',
    'C                    83             0',
  ])
})

test('names a service that cannot be asked, or that does not sync', async () => {
  const nobody = await status('--url', 'http://127.0.0.1:1')
  expect(nobody).toMatchObject({ code: 1, notes: expect.stringContaining('cannot ask http://127.0.0.1:1') })
  const other = await status('--url', await serve('up 1'))
  expect(other).toMatchObject({ code: 1, notes: expect.stringContaining('has no metrics of a sync') })
})
