import { CHAIN_CHECKS, createReader, EVENT_CHECKS, runChecks } from '@firn/data-api/testing'
import { until } from '@firn/runtime/testing'
import { expect, test } from 'vitest'
import * as Run from '../../Run.ts'
import { startFirn } from '../../testing/startFirn.ts'

const TRANSFERS = ['listErc20Transactions', 'listErc721Transactions', 'listErc1155Transactions']
const LISTS = [
  ...[
    ...TRANSFERS,
    'getLatestBlocks',
    'listLatestTransactions',
    'listTransactions',
    'listInternalTransactions',
  ],
  ...['listLogs', 'listEvents', 'listContractDeployments', 'listTokens', 'listErc721Balances', 'listChains'],
]

test('shows data from every endpoint in the demo', async () => {
  const lines: string[] = []
  const terminal = {
    print: (line: string) => lines.push(line),
    note: (line: string) => lines.push(line),
    isInteractive: false,
    signal: new AbortController().signal,
  }
  const ports = ['--port', '0', '--gateway-port', '0', '--evm-port', '0']
  expect([await Run.run(['evm', '--demo', '--once', ...ports], terminal), lines.join('\n')]).toEqual([
    0,
    expect.stringMatching(/(\d+) of \1 endpoints show data/),
  ])
  const shown = lines.filter((line) => line.includes(' /v1/') || line.includes(' /v2/'))
  expect(shown.length).toBeGreaterThan(40)
})

test('returns the same in lists of the demo chain as in the answers about their elements', async () => {
  const ports = ['--port', '0', '--gateway-port', '0', '--evm-port', '0']
  const { lines, notes, stop, code } = startFirn(['evm', '--demo', ...ports])
  try {
    const urlOf = () => lines.find((line) => line.startsWith('Data API'))?.match(/http:\/\/\S+/)?.[0]
    await until(() => expect([urlOf(), notes]).toEqual([expect.any(String), notes]))
    const url = urlOf() ?? ''
    const get = async (path: string) => {
      const response = await fetch(url + path)
      return { status: response.status, json: await response.json() }
    }
    const { chains } = (await get('/v1/chains')).json as {
      readonly chains: readonly { readonly chainId: string }[]
    }
    const chain = { ...createReader(get, 12), chainId: chains[0]?.chainId ?? '', most: 12 }
    const { faults, counts } = await runChecks({ ...CHAIN_CHECKS, ...EVENT_CHECKS }, chain, true)
    // The metadata of tokens are read meanwhile.
    expect(faults.filter((fault) => !/\.(tokenUri|metadata)\b/.test(fault))).toEqual([])
    expect(LISTS.filter((operation) => counts[operation] === undefined)).toEqual([])
  } finally {
    stop()
    await code
  }
})
