import type { Avalanche } from '@avalanche-sdk/chainkit'
import { Hex } from '@firn/codec'
import { RECORDED } from '@firn/evm/testing'
import { recordedEvmStore } from '@firn/evm-store/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { all, client } from '../testing/client.ts'
import { plainEvm } from '../testing/plainEvm.ts'
import { createEvm, evmContextOf } from '../testing/serveEvm.ts'
import { evmEndpoints } from './Endpoints.ts'

const EWOQ = '0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC'
const plain = plainEvm('c', true)

let sdk: Avalanche
let close: () => Promise<unknown>
let chainId: string
let contracts: Readonly<Record<number, string>>

beforeAll(async () => {
  const stores = await Promise.all([
    recordedEvmStore('c'),
    recordedEvmStore('l1'),
    // The two C-chains have the same EVM chain id, so one of them gets a different id here.
    recordedEvmStore('helicon', undefined, { chainId: 43_111n }),
  ])
  const context = await evmContextOf(stores, { nativeBalance: async () => 2n ** 256n - 1n })
  const server = await createEvm(evmEndpoints(context))
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  close = () => server.close()
  sdk = client(url)
  chainId = String(stores[0]?.chainId)
  contracts = Object.fromEntries(plain.transfers.map(({ standard, contract }) => [standard, contract]))
})

afterAll(() => close())

const contractOf = (standard: 20 | 721 | 1155) => contracts[standard] ?? ''

test('lists every block through the SDK, and returns blocks by height and hash, and their transactions', async () => {
  const { blocks } = sdk.data.evm
  const pages = await all(blocks.listLatest({ chainId, pageSize: 9 }))
  const listed = pages.flatMap((page) => page.blocks)
  expect(listed.map(({ blockHash }) => blockHash)).toEqual(
    plain.blocks.map(({ block }) => block.hash).reverse(),
  )
  let transactions = 0
  for (const block of listed.filter(({ txCount }) => txCount > 0).slice(0, 12)) {
    expect(await blocks.get({ chainId, blockId: block.blockNumber })).toEqual(block)
    expect(await blocks.get({ chainId, blockId: block.blockHash })).toEqual(block)
    // The SDK sends pageSize=0 by default.
    const page = await blocks.listTransactions({ chainId, blockId: block.blockNumber })
    expect(page.transactions).toHaveLength(block.txCount)
    transactions += block.txCount
  }
  expect(transactions).toBeGreaterThan(20)
})

test('lists every transaction through the SDK, filtered by status, and returns transactions by hash', async () => {
  const { transactions } = sdk.data.evm
  const read = async (status?: 'failed' | 'success') =>
    (await all(transactions.listLatest({ chainId, pageSize: 100, ...(status && { status }) }))).flatMap(
      (page) => page.transactions,
    )
  const listed = await read()
  expect(listed).toHaveLength(plain.transactions.length)
  const [failed, succeeded] = [await read('failed'), await read('success')]
  expect(failed).toEqual(listed.filter(({ txStatus }) => txStatus === '0'))
  expect(succeeded).toEqual(listed.filter(({ txStatus }) => txStatus === '1'))
  expect(failed.length).toBeGreaterThan(0)
  for (const { txHash } of [...listed.slice(0, 5), ...failed.slice(0, 3), ...listed.slice(-40)]) {
    const { nativeTransaction } = await transactions.get({ chainId, txHash })
    expect(nativeTransaction.txHash).toBe(txHash)
  }
})

test('lists all activity of an address through the SDK, also within block ranges', async () => {
  const { transactions } = sdk.data.evm.address
  const request = { chainId, address: EWOQ, pageSize: 13 }
  const range = { startBlock: 13, endBlock: 40 }
  const reads = {
    native: async (more: object) =>
      (await all(transactions.listNative({ ...request, ...more }))).flatMap((page) => page.transactions),
    erc20: async (more: object) =>
      (await all(transactions.listErc20({ ...request, ...more }))).flatMap((page) => page.transactions),
    erc721: async (more: object) =>
      (await all(transactions.listErc721({ ...request, ...more }))).flatMap((page) => page.transactions),
    erc1155: async (more: object) =>
      (await all(transactions.listErc1155({ ...request, ...more }))).flatMap((page) => page.transactions),
  }
  for (const read of Object.values(reads)) {
    const listed = await read({})
    expect(listed.length).toBeGreaterThan(2)
    const between = listed.filter(({ blockNumber }) => +blockNumber >= 13 && +blockNumber < 40)
    expect(between.length).toBeGreaterThan(2)
    expect(await read(range)).toEqual(between)
  }
  const details = await all(transactions.list({ ...request, sortOrder: 'asc' }))
  const listed = details.flatMap((page) => page.transactions)
  expect(listed.length).toBeGreaterThanOrEqual((await reads.native({})).length)
  const factory = plain.calls.find(({ position }) => position > 0)?.frame.from
  const internal = await all(transactions.listInternal({ chainId, address: factory, pageSize: 2 }))
  expect(internal.flatMap((page) => page.transactions).length).toBeGreaterThan(0)
})

test('returns balances of every kind through the SDK, at the newest and at an earlier block', async () => {
  const { balances } = sdk.data.evm.address
  const request = { chainId, address: EWOQ }
  const { nativeTokenBalance } = await balances.getNative({ ...request, blockNumber: '20', currency: 'usd' })
  expect(nativeTokenBalance).toMatchObject({ chainId, symbol: 'AVAX', balance: String(2n ** 256n - 1n) })
  const contractAddresses = `${contractOf(20)},${contractOf(721)}`
  const erc20 = await all(balances.listErc20({ ...request, contractAddresses, blockNumber: '60' }))
  expect(erc20.flatMap((page) => page.erc20TokenBalances)).toHaveLength(1)
  const contractAddress = contractOf(721)
  const erc721 = await all(balances.listErc721({ ...request, contractAddress, pageSize: 1 }))
  expect(erc721.flatMap((page) => page.erc721TokenBalances).length).toBeGreaterThan(0)
  const erc1155 = await all(balances.listErc1155({ ...request, pageSize: 2 }))
  const held = erc1155.flatMap((page) => page.erc1155TokenBalances)
  expect(held.length).toBeGreaterThan(1)
  const collectibles = await all(balances.listCollectibles({ ...request, pageSize: 1 }))
  expect(collectibles.flatMap((page) => page.collectibleBalances).length).toBeGreaterThan(held.length)
})

test('returns contracts through the SDK, with their deployment transactions, transfers and tokens', async () => {
  const { contracts: api, address } = sdk.data.evm
  const pages = await all(address.contracts.listDeployments({ chainId, address: EWOQ, pageSize: 3 }))
  const deployed = pages.flatMap((page) => page.contracts)
  expect(deployed.length).toBeGreaterThan(8)
  for (const one of deployed) {
    expect(await api.getMetadata({ chainId, address: one.address })).toEqual(one)
    const { nativeTransaction } = await api.getDeploymentTransaction({ chainId, address: one.address })
    expect(nativeTransaction.txHash).toBe(one.deploymentDetails?.txHash)
  }
  for (const standard of [20, 721, 1155] as const) {
    const transfers = await all(api.listTransfers({ chainId, address: contractOf(standard), pageSize: 4 }))
    expect(transfers.flatMap((page) => page.transfers)).toHaveLength(
      plain.transfers.filter(({ contract }) => contract === contractOf(standard)).length,
    )
    if (standard === 20) continue
    const collection = { chainId, address: contractOf(standard) }
    const tokens = await all(sdk.data.nfts.list({ ...collection, pageSize: 2 }))
    const listed = tokens.flatMap((page) => page.tokens)
    expect(listed.length).toBeGreaterThan(2)
    for (const token of listed) {
      const { tokenId } = token
      expect(await sdk.data.nfts.get({ ...collection, tokenId })).toEqual(token)
      await sdk.data.nfts.reindex({ ...collection, tokenId })
    }
  }
  await expect(sdk.data.nfts.list({ chainId, address: contractOf(20) })).rejects.toMatchObject({
    statusCode: 404,
  })
})

test('lists chains, the chains of an address, and the newest blocks and transactions of all chains through the SDK', async () => {
  const { chains, blocks, transactions } = sdk.data.evm
  const listed = await chains.list({})
  expect(listed.chains).toHaveLength(RECORDED.length)
  for (const chain of listed.chains) expect(await chains.get({ chainId: chain.chainId })).toEqual(chain)
  expect((await chains.list({ network: 'mainnet' })).chains).toEqual([])
  expect((await chains.list({ network: 'fuji', feature: 'nftIndexing' })).chains).toEqual(listed.chains)
  expect((await chains.list({ feature: 'webhooks' })).chains).toEqual([])
  expect((await sdk.data.evm.address.chains.list({ address: EWOQ })).indexedChains).toEqual(listed.chains)
  const older = await chains.getAddressChains({ address: `0x${'12'.repeat(20)}` })
  expect(older.indexedChains).toEqual([])

  const recorded = RECORDED.map((name) => plainEvm(name, false))
  const order = (times: readonly number[]) => expect(times).toEqual(times.toSorted((a, b) => b - a))
  for (const read of [blocks.listLatestAllChains, chains.listAllLatestBlocks] as const) {
    const owner = read === blocks.listLatestAllChains ? blocks : chains
    const found = (await all(read.call(owner as never, { pageSize: 50 }))).flatMap((page) => page.blocks)
    expect(found).toHaveLength(recorded.reduce((sum, chain) => sum + chain.blocks.length, 0))
    expect(new Set(found.map((block) => `${block.chainId} ${block.blockNumber}`)).size).toBe(found.length)
    order(found.map(({ blockTimestamp }) => blockTimestamp))
  }
  for (const status of [undefined, 'failed'] as const) {
    const pages = await all(
      transactions.listLatestAllChains({ pageSize: 37, network: 'testnet', ...(status && { status }) }),
    )
    const found = pages.flatMap((page) => page.transactions)
    const expected = recorded.flatMap((chain) => chain.transactions)
    expect(found).toHaveLength(
      expected.filter(({ receipt }) => status === undefined || receipt.status === '0x0').length,
    )
    order(found.map(({ blockTimestamp }) => blockTimestamp))
  }
  const pages = await all(chains.listAllLatestTransactions({ pageSize: 100, network: 'mainnet' }))
  expect(pages.flatMap((page) => page.transactions)).toEqual([])
})

test('returns 404 for missing items and 400 for invalid parameters, and the SDK reports them as errors', async () => {
  const { blocks, transactions } = sdk.data.evm
  const txHash = Hex.encode(new Uint8Array(32))
  await expect(transactions.get({ chainId, txHash })).rejects.toMatchObject({ statusCode: 404 })
  await expect(blocks.get({ chainId: '1', blockId: '1' })).rejects.toMatchObject({ statusCode: 404 })
  await expect(blocks.get({ chainId: 'C', blockId: '1' })).rejects.toMatchObject({ statusCode: 400 })
  await expect(blocks.listLatest({ chainId, pageSize: 101 })).rejects.toMatchObject({ statusCode: 400 })
  await expect(
    sdk.data.evm.address.transactions.listErc721({ chainId, address: EWOQ, startBlock: 1.5 }),
  ).rejects.toMatchObject({ statusCode: 400, message: expect.stringContaining('startBlock') })
})
