import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Address, Network } from '@firn/codec'
import { until } from '@firn/runtime/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Started, startFirn } from './testing/startFirn.ts'

const NETWORK_ID = 1337
const ALIAS = 'acme'
const RECEIVER = Address.format({ chain: 'P', hrp: 'custom', payload: new Uint8Array(20) })
const folder = mkdtempSync(join(tmpdir(), 'firn-names-'))
const archive = join(folder, 'archive')
const keys = join(folder, 'keys')
let up: Started
beforeAll(async () => {
  const file = new URL('../../../services/indexer/vectors/helicon.json.gz', import.meta.url)
  const { files } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { files: Record<string, string> }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(archive, path)), { recursive: true })
    writeFileSync(join(archive, path), text)
  }
  writeFileSync(keys, `0x${'01'.repeat(32)}\n`)
  const ports = ['data', 'http', 'aggregator'].flatMap((name) => [`--${name}-port`, '0'])
  const node = ['--node-option', 'staking-port=0']
  const data = ['--from', archive, '--data-dir', join(folder, 'data'), '--network-alias', ALIAS]
  up = startFirn(['up', ...data, ...ports, ...node])
  await until(() => expect(up.lines.at(-1)).toMatch(/Ctrl-C/))
})
afterAll(async () => {
  up?.stop()
  await up?.code
  rmSync(folder, { recursive: true, force: true })
})

const url = (name: RegExp) => up.lines.find((line) => name.test(line))?.match(/http:\S+/)?.[0] ?? ''

/** Runs a command that fails, and returns what it writes. */
const firn = async (...argv: readonly string[]): Promise<string> => {
  const { code, lines, notes } = startFirn(argv)
  await code
  return [...lines, ...notes].join('\n')
}

/** Returns the answer of each service and command for a name of the network. */
const answers = async (name: string) => {
  const [dataUrl, nodeUrl, aggregatorUrl] = [url(/^Data API/i), url(/^node /), url(/aggregator/)]
  const path = `/v1/signatureAggregator/${name}/aggregateSignatures`
  const headers = { 'content-type': 'application/json' }
  const sign = (base: string) => fetch(base + path, { method: 'POST', headers, body: '{"message":"0x00"}' })
  const withoutName = async (text: Promise<string>) => (await text).replaceAll(name, '<name>')
  const ofAggregator = ['--aggregator', aggregatorUrl, '--network', name]
  const ofNode = ['--upstream', nodeUrl, '--network', name, '--keys', keys]
  return {
    dataStatus: (await fetch(`${dataUrl}/v1/networks/${name}`)).status,
    data: await withoutName(sign(dataUrl).then((answer) => answer.text())),
    aggregator: await withoutName(sign(aggregatorUrl).then((answer) => answer.text())),
    aggregate: await withoutName(firn('aggregate', '0x00', ...ofAggregator)),
    tx: await withoutName(firn('tx', 'transfer', `${RECEIVER}=1`, ...ofNode)),
  }
}

describe('the names of a network', () => {
  test.each(Network.names(NETWORK_ID))('%s is accepted by all services and commands', async (name) => {
    const [own, given] = await Promise.all([answers(ALIAS), answers(name)])
    expect(given).toEqual({ ...own, tx: given.tx })
    expect(given.dataStatus).toBe(200)
    expect(JSON.stringify(given)).not.toMatch(/network:|--network is/)
  })

  test('a name of another network is rejected by all services and commands', async () => {
    const given = await answers('mainnet')
    expect(given.dataStatus).toBe(400)
    expect(given.data).toContain('network: expected one of acme, network-1337, local, testnet')
    expect(given.aggregator).toContain('this process serves acme or network-1337 or local or testnet or 1337')
    expect(given.aggregate).toContain('this process serves acme')
    expect(given.tx).toContain('the network of --upstream is network-1337 (also local, testnet, 1337)')
  })
})
