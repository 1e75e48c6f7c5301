import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createRecordedDevnet, RecordedNetwork } from '@firn/devnet'
import { createArchiveSource, GenesisFiles } from '@firn/indexer'
import { until } from '@firn/runtime/testing'
import { afterAll, expect, test } from 'vitest'
import { startDatabases } from '../testing/databases.ts'
import { startFirn } from '../testing/startFirn.ts'

const folder = mkdtempSync(join(tmpdir(), 'firn-up-peers-'))
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

const unpack = (name: string) => {
  const file = new URL(`../../../../services/indexer/vectors/${name}.json.gz`, import.meta.url)
  const { files } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { files: Record<string, string> }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

interface Validator {
  readonly nodeId: string
  readonly uptimePerformance: number
  readonly avalancheGoVersion?: string
}

test('returns uptimes and versions from the Data API as the node API of the process has them from its peers', async () => {
  unpack('helicon')
  const source = createArchiveSource(folder)
  closers.push(() => source.close())
  const rules = await GenesisFiles.load({ archive: folder, now: 0n })
  const devnet = await createRecordedDevnet({ network: await RecordedNetwork.read({ rules, source }) })
  closers.push(() => devnet.close())
  const databases = await startDatabases(folder)
  closers.push(() => databases.close())
  const { ids, ips } = devnet.bootstrap
  const file = (name: string) => join(folder, 'genesis', `${name}.json`)
  const { lines, notes, code, stop } = startFirn([
    ...['up', ...(await databases.create('peers')), '--data-port', '0', '--http-port', '0'],
    ...['--aggregator-port', '0', '--bootstrap-ids', ids, '--bootstrap-ips', ips],
    ...['--genesis-file', file('genesis'), '--upgrade-file', file('upgrade')],
  ])
  closers.push(async () => {
    stop()
    await code
  })
  const urlOf = (service: string) =>
    lines.find((line) => line.startsWith(service))?.match(/http:\/\/\S+/)?.[0] ?? ''
  await until(() => expect([urlOf('Data API'), notes]).not.toEqual(['', notes]))
  const call = async (path: string, method: string) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} })
    const response = await fetch(`${urlOf('node API')}${path}`, { method: 'POST', headers, body })
    return ((await response.json()) as { readonly result: Record<string, unknown> }).result
  }
  const { peers } = await call('/ext/info', 'info.peers')
  const { validators: current } = await call('/ext/bc/P', 'platform.getCurrentValidators')
  const known = current as readonly { readonly nodeID: string; readonly uptime?: string }[]
  const versions = (peers as readonly { readonly nodeID: string; readonly version: string }[]).map(
    (peer) => [peer.nodeID, peer.version] as const,
  )
  const response = await fetch(`${urlOf('Data API')}/v1/networks/network-1337/validators?pageSize=100`)
  const { validators } = (await response.json()) as { readonly validators: readonly Validator[] }
  const active = validators.filter(({ nodeId }) => known.some((one) => one.nodeID === nodeId))
  expect(active.filter(({ uptimePerformance }) => uptimePerformance >= 0).length).toBeGreaterThan(0)
  for (const { nodeId, uptimePerformance, avalancheGoVersion } of active) {
    const { uptime = '-1' } = known.find((one) => one.nodeID === nodeId) ?? {}
    expect(uptimePerformance).toBe(Number(uptime))
    expect(avalancheGoVersion).toBe(new Map(versions).get(nodeId))
  }
})
