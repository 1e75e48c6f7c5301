import { Bytes, Hex } from '@firn/codec'
import type { ContractFacts, Log } from '@firn/evm'
import { EvmWriter } from '@firn/evm-store'
import { evmAddress, evmBlock, evmTransaction, openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { beforeAll, expect, test } from 'vitest'
import { createReader, runChecks } from '../testing/agreement/Checks.ts'
import { EVM_CHECKS } from '../testing/agreement/evmChecks.ts'
import { TOKEN_CHECKS } from '../testing/agreement/tokenChecks.ts'
import { serveEvm } from '../testing/serveEvm.ts'

const [SEMI_FUNGIBLE, VAST_DECIMALS, ITEMS, UNREAD, KITTIES, ACCOUNT] = [41, 42, 43, 44, 45, 1].map(
  evmAddress,
) as [...[Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array]]
const CHAIN = String(TEST_CHAIN.chainId)
const TRANSFER = Hex.decode('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
const SINGLE = Hex.decode('0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62')
const word = (value: number) => Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? value : 0))
const topic = (address: Uint8Array) => Bytes.concat(new Uint8Array(12), address)

const logs: readonly Omit<Log, 'index'>[] = [
  // ERC-404: the tokens move like ERC-721 tokens, although the contract has a supply and decimals, and logs amounts, too.
  { address: SEMI_FUNGIBLE, topics: [TRANSFER, word(0), topic(ACCOUNT), word(7)], data: new Uint8Array() },
  { address: SEMI_FUNGIBLE, topics: [TRANSFER, word(0), topic(ACCOUNT)], data: word(100) },
  { address: VAST_DECIMALS, topics: [TRANSFER, word(0), topic(ACCOUNT)], data: word(100) },
  { address: VAST_DECIMALS, topics: [TRANSFER, topic(ACCOUNT), topic(VAST_DECIMALS)], data: word(1) },
  {
    address: ITEMS,
    topics: [SINGLE, word(0), word(0), topic(ACCOUNT)],
    data: Bytes.concat(word(3), word(5)),
  },
  { address: UNREAD, topics: [TRANSFER, word(0), topic(ACCOUNT), word(8)], data: new Uint8Array() },
  // CryptoKitties: the value in the log is the id of a token.
  { address: KITTIES, topics: [TRANSFER], data: Bytes.concat(word(0), topic(ACCOUNT), word(5)) },
  { address: KITTIES, topics: [TRANSFER], data: Bytes.concat(word(0), topic(ACCOUNT), word(9)) },
  { address: KITTIES, topics: [TRANSFER], data: Bytes.concat(topic(ACCOUNT), topic(ITEMS), word(9)) },
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
        ...[facts(ITEMS, 'UNKNOWN'), facts(UNREAD, 'UNKNOWN'), facts(KITTIES, 'ERC-20')],
      ],
    },
  ])
  await writer.storeContracts(await store.snapshot(), [{ ...facts(KITTIES, 'ERC-721'), valuesAreIds: true }])
  ask = await serveEvm([store], { nativeBalance: async () => 0n })
})

test.each([
  [SEMI_FUNGIBLE, 'ERC-721'],
  [UNREAD, 'ERC-721'],
  [ITEMS, 'ERC-1155'],
  [KITTIES, 'ERC-721'],
  [VAST_DECIMALS, 'ERC-20'],
])('gives contract %# the kind of its tokens in all answers', async (contract, ercType) => {
  expect(await get(`addresses/${hex(contract)}`)).toMatchObject({ ercType })
  const { tokens } = await get(`nfts/collections/${hex(contract)}/tokens`)
  for (const token of tokens ?? []) expect(token).toMatchObject({ ercType })
  expect(tokens === undefined).toBe(ercType === 'ERC-20')
})

test('shows the tokens of a contract whose ERC-20 transfers contain ids in all answers', async () => {
  const kitties = hex(KITTIES)
  const of = (address: Uint8Array, list: string) => get(`addresses/${hex(address)}/${list}`)
  const ids = (tokens: readonly { address: string; tokenId: string }[]) =>
    tokens.filter(({ address }) => address.toLowerCase() === kitties).map(({ tokenId }) => tokenId)
  const balances = await Promise.all(
    [ACCOUNT, ITEMS].map(async (one) => ids((await of(one, 'balances:listErc721')).erc721TokenBalances)),
  )
  expect(balances).toEqual([['5'], ['9']])
  const { transactions } = await of(ACCOUNT, 'transactions:listErc721')
  const moved = transactions.map(({ erc721Token }: { erc721Token: never }) => erc721Token)
  expect(ids(moved).toSorted()).toEqual(['5', '9', '9'])
  const { erc20TokenBalances } = await of(ACCOUNT, 'balances:listErc20')
  expect(erc20TokenBalances.map(({ address }: { address: string }) => address.toLowerCase())).not.toContain(
    kitties,
  )
  expect(await get(`nfts/collections/${kitties}/tokens/9`)).toMatchObject({ ercType: 'ERC-721' })
  const { transfers } = await get(`tokens/${kitties}/transfers`)
  expect(transfers).toHaveLength(3)
  const { holders } = await get(`nfts/collections/${kitties}/holders`)
  expect(holders.map(({ balance }: { balance: string }) => balance)).toEqual(['1', '1'])
})

test('shows unusable decimals as 0 in all answers', async () => {
  const { transactions } = await get(`addresses/${hex(ACCOUNT)}/transactions:listErc20`)
  expect(transactions.map(({ erc20Token }: { erc20Token: object }) => erc20Token)).toMatchObject([
    { decimals: 0 },
    { decimals: 0 },
    { decimals: 18 },
  ])
  expect(transactions[0].to).toMatchObject({ decimals: 0 })
  expect(await get(`addresses/${hex(VAST_DECIMALS)}`)).toMatchObject({ decimals: 0 })
})

test('says the same of the contracts in lists and alone', async () => {
  const { faults, counts } = await runChecks(
    { ...TOKEN_CHECKS, ...EVM_CHECKS },
    {
      ...createReader((path) => ask(path)),
      ...{ chainId: CHAIN, most: Number.POSITIVE_INFINITY },
    },
  )
  expect(faults).toEqual([])
  expect(counts).toMatchObject({
    listErc20Transactions: expect.any(Number),
    listTokens: 5,
    getContractMetadata: expect.any(Number),
  })
})
