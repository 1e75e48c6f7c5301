import { Hex } from '@firn/codec'
import { BalanceOf } from '@firn/evm'
import { type EvmBalanceChecks, EvmWriter } from '@firn/evm-store'
import {
  evmAddress,
  evmBlock,
  evmTransaction,
  evmTransfer,
  openEvm,
  TEST_CHAIN,
} from '@firn/evm-store/testing'
import { expect, test } from 'vitest'
import { serveEvm } from '../testing/serveEvm.ts'
import { createNodePools } from '../upstream/nodePools.ts'
import { createContractCalls } from './balances/ContractCalls.ts'
import type { EvmContext } from './chain/EvmContext.ts'

const [NOBODY, ANNA, TRUE_COIN, FEE_COIN, NEW_COIN, ART] = [0, 1, 2, 3, 4, 5].map(evmAddress) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
const CHAIN = `/v1/chains/${TEST_CHAIN.chainId}`
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

/** Serves a chain with a checked token, a token with fees, and tokens that were not checked. */
async function serve(callContracts?: EvmContext['callContracts']) {
  const store = await openEvm()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  const logs = [
    ...[TRUE_COIN, FEE_COIN, NEW_COIN].map((coin, i) =>
      evmTransfer(BigInt(i), coin, NOBODY, ANNA, { amount: 100n }),
    ),
    evmTransfer(3n, ART, NOBODY, ANNA, { tokenId: 7n }),
    evmTransfer(4n, ART, NOBODY, ANNA, { tokenId: 8n }),
  ]
  const block = evmBlock(0n, { transactions: [evmTransaction({ logs })] })
  await writer.commit([{ block, contracts: [] }])
  const check = (contract: Uint8Array, basis: 'logs' | 'chain'): EvmBalanceChecks.ContractCheck => ({
    contract,
    since: 0n,
    basis,
    class: basis === 'logs' ? 'wellBehaved' : 'feeOnTransfer',
    agreements: 1,
    agreedFrom: 0n,
    checkedTo: 0n,
    due: null,
  })
  const holding = { contract: NEW_COIN, standard: 20, tokenId: 0n, address: ANNA }
  const stored = await writer.storeChecks({
    first: 0n,
    last: 0n,
    hash: block.hash,
    continues: false,
    contracts: [check(TRUE_COIN, 'logs'), check(FEE_COIN, 'chain'), check(ART, 'chain')],
    unchecked: [holding],
    checked: [],
    readings: [{ ...holding, contract: FEE_COIN, balance: 95n }],
  })
  expect(stored).toBe(true)
  await writer.commit([{ block: evmBlock(1n), contracts: [] }])
  const ask = await serveEvm([store], { nativeBalance: async () => 0n, callContracts })
  return async (list: string, at = '') => {
    const { json } = await ask(`${CHAIN}/addresses/${Hex.encode(ANNA)}/balances:list${list}${at}`)
    const items = json.erc20TokenBalances ?? json.erc721TokenBalances ?? json.collectibleBalances
    return items.map(
      ({ address, balance, tokenId, balanceSource: { basis, blockNumber, isChecked } }: Item) => {
        const of = `${Number(`0x${address.slice(-2)}`)}: ${balance ?? tokenId}`
        return `${of} ${basis} ${blockNumber}${isChecked ? ' checked' : ''}`
      },
    )
  }
}

interface Item {
  readonly address: string
  readonly balance?: string
  readonly tokenId?: string
  readonly balanceSource: {
    readonly basis: string
    readonly blockNumber: string
    readonly isChecked: boolean
  }
}

test('returns checked sums of logs, stored answers of contracts with their block, and unchecked sums without a node', async () => {
  const list = await serve()
  expect(await list('Erc20', '?blockNumber=0')).toEqual([
    '2: 100 logs 0 checked',
    '3: 95 chain 0 checked',
    '4: 100 logs 0',
  ])
  expect(await list('Erc20')).toEqual(['2: 100 logs 1', '3: 95 chain 0 checked', '4: 100 logs 1'])
  expect(await list('Erc721')).toEqual(['5: 7 logs 1', '5: 8 logs 1'])
})

test('asks a node in one batch for balances and owners that are not known at the block', async () => {
  const asked: string[][] = []
  const list = await serve(async (_chain, calls, height) => {
    asked.push(calls.map(({ to }) => `${to[0]} at ${height}`))
    return calls.map(({ to, data }) => {
      if (data === BalanceOf.ownerCallData(7n)) return word(BigInt(Hex.encode(ANNA)))
      if (data === BalanceOf.ownerCallData(8n)) return word(9n)
      return to[0] === 3 ? word(94n) : to[0] === 2 ? '0x' : word(0n)
    })
  })
  expect(await list('Erc20', '?blockNumber=0')).toEqual(
    ['2: 100 logs 0 checked'].concat(['3: 95 chain 0 checked']),
  )
  expect(asked.splice(0)).toEqual([['4 at 0']])
  // A contract that returns no number is not believed, and a balance of 0 is left out.
  expect(await list('Erc20')).toEqual(['2: 100 logs 1', '3: 94 chain 1 checked'])
  expect(asked.splice(0)).toEqual([['2 at 1', '3 at 1', '4 at 1']])
  expect(await list('Erc721')).toEqual(['5: 7 chain 1 checked'])
  expect(await list('Collectibles')).toEqual(['5: 7 chain 1 checked'])
})

test('makes calls with the first node that has the state of the block', async () => {
  const sent: unknown[] = []
  const answers: Record<string, (id: number) => object> = {
    pruned: () => ({ error: { code: -32000, message: 'missing trie node' } }),
    archive: (id) =>
      id % 2 === 1 ? { result: word(5n) } : { error: { code: 3, message: 'execution reverted' } },
  }
  const get = (async (url: string, { body }: { body: string }) => {
    const { host } = new URL(url)
    const calls = JSON.parse(body) as { id: number; params: unknown[] }[]
    sent.push([host, calls.map(({ params }) => params)])
    return Response.json(calls.map(({ id }, i) => ({ jsonrpc: '2.0', id, ...answers[host]?.(i + 1) })))
  }) as unknown as typeof fetch
  const nodes = new Map([[TEST_CHAIN.chainId, ['http://pruned', 'http://archive']]])
  const call = createContractCalls(createNodePools(nodes, { fetch: get }, () => 0))
  const calls = [ART, ANNA].map((to) => ({ to, data: '0x12' as const }))
  const { signal } = new AbortController()
  expect(await call(TEST_CHAIN, calls, 300n, signal)).toEqual([word(5n), undefined])
  const params = calls.map(({ to, data }) => [{ to: Hex.encode(to), data, gas: '0x1c9c380' }, '0x12c'])
  expect(sent).toEqual([
    ['pruned', params],
    ['archive', params],
  ])
  expect(await call({ ...TEST_CHAIN, chainId: 9n }, calls, 300n, signal)).toEqual([undefined, undefined])
})
