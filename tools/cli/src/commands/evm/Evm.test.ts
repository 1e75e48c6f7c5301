import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDemo, type Demo, type LocalEvm, startLocalEvm } from '@firn/demo-chain'
import { Metrics } from '@firn/deploy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Run from '../../Run.ts'
import { freePort } from './freePort.ts'

const CHAIN_ID = 777
const GENESIS = 1_790_000_000
/** Topic 0 of transfers. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const folder = mkdtempSync(join(tmpdir(), 'firn-evm-'))

let evm: LocalEvm
let demo: Demo

beforeAll(async () => {
  const signal = new AbortController().signal
  evm = await startLocalEvm({ port: await freePort(), chainId: CHAIN_ID, genesisTime: GENESIS, signal })
  demo = await createDemo(evm.url, GENESIS + 10)
  for (let block = 1; block < 10; block++) await demo.block(GENESIS + 100 * block)
})
afterAll(async () => {
  await evm?.close()
  rmSync(folder, { recursive: true, force: true })
})

const terminalOf = (lines: string[], onLine: () => void, signal: AbortSignal) => {
  const take = (line: string) => {
    lines.push(line)
    onLine()
  }
  return { print: take, note: take, isInteractive: false, signal }
}

const ask = async <T>(method: string, params: readonly unknown[], url = evm.url): Promise<T> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  return ((await response.json()) as { result: T }).result
}

test('follows a real chain through a reorg, and firn doctor then reports no findings', async () => {
  const stop = new AbortController()
  const lines: string[] = []
  const up = Promise.withResolvers<void>()
  const onLine = () => {
    if (lines.at(-1)?.startsWith('Press Ctrl-C')) up.resolve()
  }
  const ports = ['--data-port', '0', '--gateway-port', '0']
  const input = (name: string, type: string, indexed: boolean) => ({ name, type, indexed })
  const inputs = [
    input('from', 'address', true),
    input('to', 'address', true),
    input('value', 'uint256', false),
  ]
  const abis = mkdtempSync(join(folder, 'abis-'))
  writeFileSync(
    join(abis, 'Coin.json'),
    JSON.stringify({ abi: [{ type: 'event', name: 'Transfer', inputs }] }),
  )
  const types = join(folder, 'events.ts')
  const events = ['--events', abis, '--event-types', types]
  const argv = ['up', '--chain', evm.url, '--data-dir', folder, ...ports, ...events]
  const running = Run.run(argv, terminalOf(lines, onLine, stop.signal))
  await Promise.race([up.promise, running])
  const url = lines.find((line) => line.startsWith('Data API'))?.match(/http:\S+/)?.[0] ?? ''
  const blocks = async () => {
    const answer = await fetch(`${url}/v1/chains/${CHAIN_ID}/blocks?pageSize=20`)
    const { blocks: list } = (await answer.json()) as { blocks: { blockHash: string; blockNumber: string }[] }
    return list.map(({ blockNumber, blockHash }) => [Number(blockNumber), blockHash])
  }
  const onChain = async () => {
    const height = Number(await ask<string>('eth_blockNumber', []))
    const heights = Array.from({ length: height + 1 }, (_, i) => height - i)
    return Promise.all(
      heights.map(async (at) => {
        const { hash } = await ask<{ hash: string }>('eth_getBlockByNumber', [`0x${at.toString(16)}`, false])
        return [at, hash]
      }),
    )
  }
  const before = await onChain()
  expect(await blocks()).toEqual(before)
  await demo.block(GENESIS + 2_000)
  await ask('anvil_reorg', [4, []])
  await demo.block(GENESIS + 3_000)
  const after = await onChain()
  expect(after.filter(([height]) => height === 9)).not.toEqual(before.filter(([height]) => height === 9))
  await expect.poll(blocks).toEqual(after)

  const gateway = lines.find((line) => line.startsWith('gateway'))?.match(/http:\S+/)?.[0] ?? ''
  const every = { fromBlock: 'earliest', toBlock: 'latest' }
  const logs = await ask<{ address: string; topics: string[] }[]>('eth_getLogs', [every])
  const [first] = logs
  for (const filter of [every, { ...every, address: first?.address, topics: [null, first?.topics[1]] }]) {
    const expected = await ask<unknown[]>('eth_getLogs', [filter])
    expect(expected.length).toBeGreaterThan(0)
    expect(await ask('eth_getLogs', [filter], gateway)).toEqual(expected)
  }
  expect(lines.join('\n')).not.toContain('stored logs')
  const transfers = await ask<{ topics: string[]; data: string; logIndex: string }[]>('eth_getLogs', [
    { ...every, topics: [TRANSFER] },
  ])
  const coins = transfers
    .filter(({ topics }) => topics.length === 3)
    .map(({ topics: [, from, to], data }) => [from?.slice(26), to?.slice(26), String(BigInt(data))])
  expect(coins.length).toBeGreaterThan(0)
  const decoded = async () => {
    const answer = await fetch(`${url}/v1/chains/${CHAIN_ID}/events/Transfer?pageSize=100`)
    const { events: list = [] } = (await answer.json()) as {
      events?: { args: { from: string; to: string; value: string } }[]
    }
    return list.map(({ args: { from, to, value } }) =>
      [from, to].map((one) => one.slice(2).toLowerCase()).concat(value),
    )
  }
  await expect.poll(decoded).toEqual(coins.toReversed().slice(0, 100))
  expect(readFileSync(types, 'utf8')).toContain(
    `readonly "Coin.Transfer": {\n    readonly "from": \`0x\${string}\``,
  )

  const served = async (address: string) => (await fetch(new URL('/metrics', address))).text()
  expect(Metrics.findMissing('evm', await served(url))).toEqual({
    metrics: [],
    labels: [],
    // Nothing has failed.
    withoutSamples: ['firn_evm_differing_contracts_total', 'firn_evm_store_faults_total'],
  })
  const ofGateway = Metrics.findMissing('gateway', await served(gateway))
  expect(ofGateway).toEqual({ metrics: [], labels: [], withoutSamples: [] })

  const examine = async () => {
    const found: string[] = []
    const quiet = terminalOf(found, () => undefined, new AbortController().signal)
    const code = await Run.run(['doctor', '--chain-id', String(CHAIN_ID), '--data-dir', folder], quiet)
    return [code, found.at(-1)]
  }
  // The doctor runs twice: while the service has the folder open, and after the service has ended.
  expect(await examine()).toEqual([0, 'nothing is missing'])
  stop.abort()
  expect(await running).toBe(0)
  expect(await examine()).toEqual([0, 'nothing is missing'])
  const notes: string[] = []
  const terminal = terminalOf(notes, () => undefined, new AbortController().signal)
  expect(await Run.run(['doctor', '--data-dir', folder], terminal)).toBe(1)
  expect(notes.join()).toContain(`the EVM chain ${CHAIN_ID}. Pass --chain-id ${CHAIN_ID}.`)
})

test('stops serving a local EVM that was restarted from genesis, and indexes it again after --reset', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'firn-evm-reset-'))
  const options = { port: await freePort(), chainId: 778, genesisTime: GENESIS }
  const start = () => startLocalEvm({ ...options, signal: new AbortController().signal })
  let local = await start()
  const stop = new AbortController()
  const lines: string[] = []
  const argv = ['evm', '--chain', local.url, '--data-dir', dataDir, '--port', '0', '--gateway-port', '0']
  const running = Run.run(
    argv,
    terminalOf(lines, () => undefined, stop.signal),
  )
  const url = () => lines.find((line) => line.startsWith('Data API'))?.match(/http:\S+/)?.[0] ?? ''
  const get = async (path: string) => {
    const answer = await fetch(url() + path)
    return [answer.status, await answer.text()] as const
  }
  const reset = async (chainId: string) => {
    const found: string[] = []
    const terminal = terminalOf(found, () => undefined, new AbortController().signal)
    return [await Run.run(['evm', '--reset', chainId, '--data-dir', dataDir], terminal), found.at(-1)]
  }
  try {
    const history = await createDemo(local.url, GENESIS + 10)
    for (let block = 1; block < 5; block++) await history.block(GENESIS + 100 * block)
    await expect.poll(() => lines.join()).toContain('Press Ctrl-C')
    await expect.poll(() => get('/health').then(String)).toContain('"status":"up"')
    await local.close()
    local = await startLocalEvm({
      ...options,
      genesisTime: GENESIS + 7,
      signal: new AbortController().signal,
    })
    await expect.poll(() => get('/health').then(String)).toContain('firn evm --reset 778')
    expect((await get('/health'))[0]).toBe(503)
    const [status, body] = await get('/v1/chains/778/blocks')
    expect([status, body]).toEqual([503, expect.stringContaining('the chain was reset')])
    expect(lines.join('\n')).toContain('stopped serving chain 778')
    stop.abort()
    expect(await running).toBe(0)

    expect(await reset('779')).toEqual([1, expect.stringContaining('chain 779 is not stored')])
    expect(await reset('778')).toEqual([
      0,
      expect.stringMatching(/^removed chain 778 .*: blocks 0 to \d+ and everything/),
    ])
    const again = new AbortController()
    lines.length = 0
    const next = Run.run(
      argv,
      terminalOf(lines, () => undefined, again.signal),
    )
    await expect.poll(() => lines.join()).toContain('Press Ctrl-C')
    // The service is ready before it has indexed the first block.
    await expect.poll(() => get('/v1/chains/778/blocks').then(String)).toContain('"blockNumber":"0"')
    again.abort()
    expect(await next).toBe(0)
  } finally {
    stop.abort()
    await running
    await local.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
