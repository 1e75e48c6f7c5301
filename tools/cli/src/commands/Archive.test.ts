import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { until } from '@firn/runtime/testing'
import { afterEach, expect, test } from 'vitest'
import { startFirn } from '../testing/startFirn.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Unpacks a recorded archive into a new folder. */
function unpack(): string {
  const folder = mkdtempSync(join(tmpdir(), 'firn-archive-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  const packed = new URL('../../../../services/indexer/vectors/helicon.json.gz', import.meta.url)
  const { files } = JSON.parse(gunzipSync(readFileSync(packed)).toString()) as {
    readonly files: Readonly<Record<string, string>>
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Starts an old node, which does not know `info.upgrades`. `asked` has the methods that it was asked for. */
async function startOldNode(firstBlock: string) {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { id, method } = JSON.parse(text)
    asked.push(method)
    const results: Readonly<Record<string, unknown>> = {
      'info.getNetworkID': { networkID: '1337' },
      'platform.getBlockByHeight': { block: firstBlock, encoding: 'hex' },
    }
    const result = results[method]
    const answer = result === undefined ? { error: { code: -32601, message: 'no method' } } : { result }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

test('keeps the upgrade times of an archive that it resumes from a node without them', async () => {
  const to = unpack()
  const path = join(to, 'genesis/upgrade.json')
  // This upgrade is not active yet, and the times of the local network have another one.
  const times = { ...JSON.parse(readFileSync(path, 'utf8')), heliconTime: '2099-01-01T00:00:00Z' }
  writeFileSync(path, JSON.stringify(times))
  const [line = ''] = readFileSync(join(to, 'p/blocks.jsonl'), 'utf8').split('\n')
  const { url, asked } = await startOldNode(JSON.parse(line).blockBytes)
  const genesis = ['--genesis-file', join(to, 'genesis/genesis.json')]
  const { stop, code } = startFirn(['archive', '--to', to, '--upstream', url, ...genesis])
  ends.push(async () => {
    stop()
    await code
  })
  const known = ['info.getNetworkID', 'info.upgrades', 'platform.getBlockByHeight']
  // Blocks are requested after the times are written.
  await until(() => expect(asked.some((method) => !known.includes(method))).toBe(true))
  expect(JSON.parse(readFileSync(path, 'utf8')).heliconTime).toBe('2099-01-01T00:00:00Z')
})
