import { Bytes, Hex } from '@firn/codec'
import type { ContractFacts, Log } from '@firn/evm'
import { EvmWriter } from '@firn/store/evm'
import { evmAddress, evmBlock, evmTransaction, openEvm, TEST_CHAIN } from '@firn/store/testing'
import { beforeAll, expect, test } from 'vitest'
import { compareEvm } from '../testing/compareEvm.ts'
import { serveEvm } from '../testing/serveEvm.ts'

const [SEMI_FUNGIBLE, VAST_DECIMALS, ITEMS, UNREAD, ACCOUNT] = [41, 42, 43, 44, 1].map(evmAddress) as [
  ...[Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array],
]
const CHAIN = String(TEST_CHAIN.chainId)
const TRANSFER = Hex.decode('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
const SINGLE = Hex.decode('0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62')
const word = (value: number) => Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? value : 0))
const topic = (address: Uint8Array) => Bytes.concat(new Uint8Array(12), address)

const logs: readonly Omit<Log, 'index'>[] = [
  // ERC-404: the tokens move like those of ERC-721, although the contract has a supply and decimals.
  { address: SEMI_FUNGIBLE, topics: [TRANSFER, word(0), topic(ACCOUNT), word(7)], data: new Uint8Array() },
  { address: VAST_DECIMALS, topics: [TRANSFER, word(0), topic(ACCOUNT)], data: word(100) },
  { address: VAST_DECIMALS, topics: [TRANSFER, topic(ACCOUNT), topic(VAST_DECIMALS)], data: word(1) },
  {
    address: ITEMS,
    topics: [SINGLE, word(0), word(0), topic(ACCOUNT)],
    data: Bytes.concat(word(3), word(5)),
  },
  { address: UNREAD, topics: [TRANSFER, word(0), topic(ACCOUNT), word(8)], data: new Uint8Array() },
]

/** What the contracts return; the decimals of `VAST_DECIMALS` are 2^200, which no amount can be shown with. */
const facts = (address: Uint8Array, kind: ContractFacts['kind'], decimals?: number): ContractFacts => ({
  ...{ address, kind, name: undefined, symbol: undefined, decimals, proxy: undefined },
})

let ask: Awaited<ReturnType<typeof serveEvm>>
const get = async (path: string) => (await ask(`/v1/chains/${CHAIN}/${path}`)).json
const hex = (address: Uint8Array) => Hex.encode(address)

beforeAll(async () => {
  const store = await openEvm()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  const transactions = [
    evmTransaction({ to: SEMI_FUNGIBLE, logs: logs.map((log, i) => ({ ...log, index: BigInt(i) })) }),
  ]
  await writer.commit([
    {
      block: evmBlock(0n, { transactions }),
      contracts: [
        ...[facts(SEMI_FUNGIBLE, 'ERC-20', 18), facts(VAST_DECIMALS, 'ERC-20')],
        ...[facts(ITEMS, 'UNKNOWN'), facts(UNREAD, 'UNKNOWN')],
      ],
    },
  ])
  ask = await serveEvm([store], { nativeBalance: async () => 0n })
}, 60_000)

test.each([
  [SEMI_FUNGIBLE, 'ERC-721'],
  [UNREAD, 'ERC-721'],
  [ITEMS, 'ERC-1155'],
  [VAST_DECIMALS, 'ERC-20'],
])('gives contract %# the kind of its tokens in all answers', async (contract, ercType) => {
  expect(await get(`addresses/${hex(contract)}`)).toMatchObject({ ercType })
  const { tokens } = await get(`nfts/collections/${hex(contract)}/tokens`)
  for (const token of tokens ?? []) expect(token).toMatchObject({ ercType })
  expect(tokens === undefined).toBe(ercType === 'ERC-20')
})

test('shows unusable decimals as 0 in all answers', async () => {
  const { transactions } = await get(`addresses/${hex(ACCOUNT)}/transactions:listErc20`)
  expect(transactions.map(({ erc20Token }: { erc20Token: object }) => erc20Token)).toMatchObject([
    { decimals: 0 },
    { decimals: 0 },
  ])
  expect(transactions[0].to).toMatchObject({ decimals: 0 })
  expect(await get(`addresses/${hex(VAST_DECIMALS)}`)).toMatchObject({ decimals: 0 })
})

test('says the same of the contracts in lists and alone', async () => {
  const { faults, counts } = await compareEvm((path) => ask(path), CHAIN)
  expect(faults).toEqual([])
  expect(counts).toMatchObject({ Erc20: expect.any(Number), collections: 3, contracts: expect.any(Number) })
})
