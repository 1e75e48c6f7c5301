import { Hex, Id } from '@firn/codec'
import type { Block, ContractFacts, Transaction } from '@firn/evm'
import { type EvmChain, EvmWriter } from '@firn/evm-store'
import { openEvm, recordedEvmStore, TEST_CHAIN } from '@firn/evm-store/testing'
import { database } from '@firn/sql/testing'
import { expect, test } from 'vitest'
import { serveEvm } from '../testing/serveEvm.ts'
import { createNodePools } from '../upstream/nodePools.ts'
import { createNativeBalances } from './balances/NativeBalances.ts'

/** Members of the answers that have balances, by list. */
const BALANCE_LISTS = {
  listErc20: 'erc20TokenBalances',
  listErc721: 'erc721TokenBalances',
  listErc1155: 'erc1155TokenBalances',
}
const MAX = 2n ** 256n - 1n
const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const bytes = (length: number, fill: number) => new Uint8Array(length).fill(fill)
const [SENDER, RECEIVER, COIN, NFT] = [1, 2, 3, 4].map((fill) => bytes(20, fill)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
const text = (address: Uint8Array) => Hex.encode(address)
const word = (value: bigint) => Hex.decodeBare(value.toString(16).padStart(64, '0'))
const topic = (address: Uint8Array) => Uint8Array.of(...new Uint8Array(12), ...address)

/** Returns a block as read from a node that provides no traces, no dynamic fees and no milliseconds. */
function block(height: bigint, transactions: readonly Transaction[]): Block {
  return {
    height,
    hash: bytes(32, Number(height) + 1),
    parentHash: bytes(32, Number(height)),
    timestamp: 1_700_000_000n + height,
    timestampMilliseconds: undefined,
    minDelayExcess: undefined,
    miner: bytes(20, 0),
    baseFee: undefined,
    gasLimit: 10n ** 7n,
    gasUsed: 0n,
    blockGasCost: undefined,
    settledHeight: undefined,
    transactions,
    traces: undefined,
  }
}

const TRANSACTION: Transaction = {
  hash: bytes(32, 0xaa),
  index: 0,
  type: 0,
  from: SENDER,
  to: COIN,
  nonce: 2n ** 64n - 1n,
  value: MAX,
  input: Uint8Array.of(0xa9, 0x05),
  gasLimit: 2n ** 63n,
  succeeded: true,
  gasUsed: 21_000n,
  gasPrice: MAX,
  maxFeePerGas: undefined,
  maxPriorityFeePerGas: undefined,
  contractAddress: undefined,
  logs: [
    {
      index: 0n,
      address: COIN,
      topics: [Hex.decodeBare(TRANSFER), topic(bytes(20, 0)), topic(RECEIVER)],
      data: word(MAX),
    },
    {
      index: 2n ** 32n - 1n,
      address: NFT,
      topics: [Hex.decodeBare(TRANSFER), topic(bytes(20, 0)), topic(RECEIVER), word(MAX)],
      data: new Uint8Array(),
    },
  ],
}

const CREATION: Transaction = {
  ...TRANSACTION,
  hash: bytes(32, 0xbb),
  index: 1,
  to: undefined,
  value: 0n,
  input: new Uint8Array(),
  contractAddress: bytes(20, 5),
  logs: [],
}

const NAMES: readonly ContractFacts[] = [
  {
    address: COIN,
    kind: 'ERC-20',
    name: bytes(2, 0),
    symbol: Uint8Array.of(0xef, 0xbb, 0xbf, 0x41, 0xff),
    decimals: undefined,
  },
  {
    address: NFT,
    kind: 'ERC-721',
    name: undefined,
    symbol: undefined,
    decimals: undefined,
    proxy: { kind: 'EIP-1967-BEACON', implementation: bytes(20, 6), beacon: bytes(20, 7) },
  },
]

async function serve(chain: Partial<EvmChain> = {}) {
  const store = await openEvm()
  const described = { ...TEST_CHAIN, hasTraces: false, ...chain }
  const writer = await EvmWriter.open(store, described)
  const first = described.firstHeight
  await writer.commit([
    { block: block(first, []), contracts: [] },
    { block: block(first + 1n, [TRANSACTION, CREATION]), contracts: NAMES },
  ])
  return { store, ask: await serveEvm([store]) }
}

const CHAIN = `/v1/chains/${TEST_CHAIN.chainId}`
const of = (address: Uint8Array) => `${CHAIN}/addresses/${text(address)}`

test('returns large numbers and arbitrary bytes exactly, and omits fields that the node did not provide', async () => {
  const { ask } = await serve()
  const { json: full } = await ask(`${CHAIN}/transactions/0x${'aa'.repeat(32)}`)
  const coin = {
    address: '0x0303030303030303030303030303030303030303',
    name: '',
    symbol: '\ufeffA\ufffd',
    decimals: 0,
  }
  expect(full).toEqual({
    nativeTransaction: {
      blockNumber: '1',
      blockTimestamp: 1_700_000_001,
      blockHash: `0x${'02'.repeat(32)}`,
      chainId: String(TEST_CHAIN.chainId),
      blockIndex: 0,
      txHash: `0x${'aa'.repeat(32)}`,
      txStatus: '1',
      txType: 0,
      gasLimit: String(2n ** 63n),
      gasUsed: '21000',
      gasPrice: String(MAX),
      nonce: String(2n ** 64n - 1n),
      from: { address: '0x0101010101010101010101010101010101010101' },
      to: coin,
      method: { callType: 'CONTRACT_CALL', methodHash: '0xa905' },
      value: String(MAX),
      input: '0xa905',
      baseFeePerGas: '0',
    },
    erc20Transfers: [
      {
        from: { address: `0x${'00'.repeat(20)}` },
        to: { address: '0x0202020202020202020202020202020202020202' },
        logIndex: 0,
        value: String(MAX),
        erc20Token: { ...coin, ercType: 'ERC-20' },
      },
    ],
    erc721Transfers: [
      {
        from: { address: `0x${'00'.repeat(20)}` },
        to: { address: '0x0202020202020202020202020202020202020202' },
        logIndex: 4_294_967_295,
        erc721Token: {
          address: '0x0404040404040404040404040404040404040404',
          name: '',
          symbol: '',
          ercType: 'ERC-721',
          tokenId: String(MAX),
          tokenUri: '',
          metadata: { indexStatus: 'UNINDEXED' },
          ownerAddress: '0x0202020202020202020202020202020202020202',
        },
      },
    ],
    erc1155Transfers: [],
    networkTokenDetails: { networkToken: TEST_CHAIN.token },
  })
  const { json: newest } = await ask(`${CHAIN}/blocks/1`)
  expect(newest).toMatchObject({ baseFee: '0', gasCost: '0', feesSpent: String(2n * 21_000n * MAX) })
  expect(Object.keys(newest)).not.toContain('blockTimestampMilliseconds')
  const { json: tokens } = await ask(`${CHAIN}/nfts/collections/${text(NFT)}/tokens/${MAX}`)
  expect(tokens.tokenId).toBe(String(MAX))
})

test('returns the implementation and the beacon of a proxy', async () => {
  const { ask } = await serve()
  const { json: proxy } = await ask(`${CHAIN}/addresses/${text(NFT)}`)
  expect(proxy.proxy).toEqual({
    kind: 'EIP-1967-BEACON',
    implementation: `0x${'06'.repeat(20)}`,
    beacon: `0x${'07'.repeat(20)}`,
  })
  const { json: other } = await ask(`${CHAIN}/addresses/${text(COIN)}`)
  expect(Object.keys(other)).not.toContain('proxy')
})

test('lists only top-level contract creations if traces are missing, and returns 404 for internal calls', async () => {
  const { ask } = await serve()
  const { json } = await ask(`${CHAIN}/contracts/${text(SENDER)}/deployments`)
  const deployed = {
    address: '0x0505050505050505050505050505050505050505',
    ercType: 'UNKNOWN',
    spamReasons: [],
    deploymentDetails: {
      txHash: `0x${'bb'.repeat(32)}`,
      deployerAddress: '0x0101010101010101010101010101010101010101',
    },
  }
  expect(json).toEqual({ contracts: [deployed] })
  const { json: creation } = await ask(`${CHAIN}/transactions/0x${'bb'.repeat(32)}`)
  expect(creation.nativeTransaction).toMatchObject({
    to: { address: `0x${'00'.repeat(20)}` },
    method: { callType: 'CONTRACT_CREATION', methodHash: '', methodName: 'Contract Created' },
  })
  expect(Object.keys(creation)).not.toContain('internalTransactions')
  const internals = await ask(`${of(SENDER)}/transactions:listInternals`)
  expect([internals.status, internals.json.message]).toEqual([404, expect.stringContaining('does not trace')])
})

test('returns 503 for the native balance if no node of the chain is configured, but lists tokens without it', async () => {
  const { ask } = await serve()
  const { status, json } = await ask(`${of(RECEIVER)}/balances:getNative`)
  const message = 'the native balance requires a node of this chain, but no node is configured'
  expect([status, json.message]).toEqual([503, message])
  for (const [list, member] of Object.entries(BALANCE_LISTS)) {
    const balances = await ask(`${of(RECEIVER)}/balances:${list}`)
    expect([list, balances.status, Object.keys(balances.json)]).toEqual([list, 200, [member]])
  }
  const { json: collectibles } = await ask(`${of(RECEIVER)}/balances:listCollectibles`)
  expect(collectibles.collectibleBalances.map(({ tokenId }: { tokenId: string }) => tokenId)).toEqual([
    String(MAX),
  ])
})

test('rejects requests for token balances if the first blocks are missing, but returns NFT owners', async () => {
  const { store } = await serve({ firstHeight: 5n })
  const ask = await serveEvm([store], { nativeBalance: async () => 0n })
  const erc20 = await ask(`${of(RECEIVER)}/balances:listErc20`)
  expect([erc20.status, erc20.json.message]).toEqual([
    404,
    expect.stringContaining('before 5 are not indexed here'),
  ])
  const erc721 = await ask(`${of(RECEIVER)}/balances:listErc721`)
  expect(erc721.json.erc721TokenBalances).toHaveLength(1)
  for (const [block, status] of [
    [4, 400],
    [5, 200],
    [6, 200],
    [7, 400],
  ] as const) {
    const { status: got } = await ask(`${of(RECEIVER)}/balances:getNative?blockNumber=${block}`)
    expect([block, got]).toEqual([block, status])
  }
})

test('accepts a chain by its EVM chain id or blockchain id, and an address in upper or lower case', async () => {
  const blockchainId = bytes(32, 7)
  const { ask } = await serve({ blockchainId })
  const { json } = await ask(`${CHAIN}/blocks`)
  expect((await ask(`/v1/chains/${Id.format(blockchainId)}/blocks`)).json.blocks).toEqual(json.blocks)
  expect((await ask(`/v1/chains/${Id.format(bytes(32, 8))}/blocks`)).status).toBe(404)
  expect((await ask('/v1/chains/1/blocks')).status).toBe(404)
  expect((await ask('/v1/chains/avalanche/blocks')).status).toBe(400)
  const digits = 'aBcDeF'.padEnd(40, '0')
  for (const address of [`0x${digits}`, `0X${digits.toUpperCase()}`, `0x${digits.toLowerCase()}`]) {
    expect((await ask(`${CHAIN}/addresses/${address}/transactions`)).status).toBe(200)
  }
  expect((await ask(`${CHAIN}/addresses/0x${digits.slice(1)}/transactions`)).status).toBe(400)
})

test('returns 503 for a chain without blocks, and lists it as UNAVAILABLE', async () => {
  const store = await openEvm()
  await EvmWriter.open(store, TEST_CHAIN)
  const ask = await serveEvm([store])
  const { status, json } = await ask(`${CHAIN}/blocks`)
  expect([status, json.message]).toEqual([503, 'no block is indexed yet; try again later'])
  const { json: chains } = await ask('/v1/chains')
  expect(chains.chains[0].status).toBe('UNAVAILABLE')
  expect((await ask('/v1/blocks')).json).toEqual({ blocks: [] })
  expect((await ask(`/v1/address/0x${'01'.repeat(20)}/chains`)).json.indexedChains).toEqual([])
})

test('rejects a page token from a different list, chain or filter', async () => {
  const stores = [await recordedEvmStore('c'), await recordedEvmStore('l1')]
  const ask = await serveEvm(stores, { nativeBalance: async () => 1n })
  const { json } = await ask('/v1/chains/43112/transactions?status=success&pageSize=1')
  const token = json.nextPageToken
  const again = await ask(`/v1/chains/43112/transactions?pageToken=${token}&pageSize=3`)
  expect(again.json.transactions).toHaveLength(3)
  for (const [path, reason] of [
    ['/v1/chains/43112/transactions?status=failed&', "status as on the list's first page"],
    ['/v1/chains/43112/blocks?', 'a token of a different list or network'],
    ['/v1/chains/99112/transactions?', 'a token of a different list or network'],
  ] as const) {
    const { status, json } = await ask(`${path}pageToken=${token}`)
    expect([path, status, json.message]).toEqual([path, 400, expect.stringContaining(reason)])
  }
})

test.each([
  ['blocks?pageSize=0', 400],
  ['blocks?pageSize=101', 400],
  ['blocks/1/transactions?pageSize=0', 200],
  ['transactions?status=ok', 400],
  [`addresses/${text(SENDER)}/transactions:listErc721?startBlock=-1`, 400],
  [`addresses/${text(SENDER)}/transactions:listErc721?startBlock=1.5`, 400],
  [`addresses/${text(SENDER)}/transactions:listErc721?startBlock=2&endBlock=1`, 200],
  [`addresses/${text(SENDER)}/transactions:listErc721?endBlock=999999999999999999`, 200],
  [`addresses/${text(SENDER)}/balances:listErc721?pageSize=500`, 200],
  [`addresses/${text(SENDER)}/balances:listErc721?pageSize=501`, 400],
  [`addresses/${text(SENDER)}/balances:listErc721?contractAddress=0x12`, 400],
  [`addresses/${text(SENDER)}/balances:listErc20?currency=xyz`, 400],
  [`nfts/collections/${text(SENDER)}/tokens/${2n ** 256n}`, 400],
  [`nfts/collections/${text(SENDER)}/tokens`, 404],
  ['blocks/0x12', 400],
  ['transactions/12', 400],
])('answers %s with the status %i', async (path, status) => {
  const ask = await serveEvm([await recordedEvmStore('l1')], { nativeBalance: async () => 1n })
  expect((await ask(`/v1/chains/99112/${path}`)).status).toBe(status)
})

test('schedules an immediate refresh of a token’s metadata when a client requests a reindex', async () => {
  const { store, ask } = await serve()
  const row = { contract: NFT, token_id: MAX, uri: 'x:', index_status: 'INVALID_TOKEN_URI_SCHEME' }
  const tried = { checked_at: 1n, attempts: 3, retry_at: null, metadata: null }
  await database(store)
    .insertInto('token_metadata')
    .values({ ...row, ...tried })
    .execute()
  const path = `${CHAIN}/nfts/collections/${text(NFT)}/tokens/${MAX}`
  expect((await ask(path)).json.metadata).toEqual({
    indexStatus: 'INVALID_TOKEN_URI_SCHEME',
    metadataLastUpdatedTimestamp: 1,
  })
  expect((await ask(`${path}:reindex`, 'POST')).status).toBe(201)
  const due = await database(store).selectFrom('token_metadata').select('retry_at').executeTakeFirst()
  expect(due).toEqual({ retry_at: 1_795_220_000n })
  expect((await ask(`${CHAIN}/nfts/collections/${text(NFT)}/tokens/1:reindex`, 'POST')).status).toBe(404)
})

const EWOQ = '0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc'

/**
 * Recorded answers of nodes to `eth_getBalance` for one address, by block height. The last entry is the
 * newest block.
 */
const ANSWERED = {
  c: { '0x53': '0x295e0036b2b54a70001533' },
  helicon: { '0xf': '0x295be14cb05286bed78dfb', '0x6c': '0x295bda4e5ad0a643ce93ea' },
} as const

test.each(['c', 'helicon'] as const)(
  'returns the native balances that the node of the chain %s reported',
  async (name) => {
    const store = await recordedEvmStore(name)
    const answered: Readonly<Record<string, string>> = ANSWERED[name]
    const node = (async (_url: string, { body }: { body: string }) => {
      const { id, method, params } = JSON.parse(body)
      const result = method === 'eth_getBalance' && params[0] === EWOQ ? answered[params[1]] : undefined
      return Response.json({
        id,
        ...(result === undefined ? { error: { message: 'not recorded' } } : { result }),
      })
    }) as unknown as typeof fetch
    const nativeBalance = createNativeBalances(
      createNodePools(new Map([[store.chainId, ['http://node']]]), { fetch: node }, () => 0),
    )
    const ask = await serveEvm([store], { nativeBalance })
    const path = `/v1/chains/${store.chainId}/addresses/${EWOQ}/balances`
    for (const [height, balance] of Object.entries(answered)) {
      const { json } = await ask(`${path}:getNative?blockNumber=${Number(height)}`)
      expect(json.nativeTokenBalance.balance).toBe(String(BigInt(balance)))
    }
    const newest = await ask(`${path}:listErc721`)
    // Only the recording of the chain `c` contains an answer for the chain's newest block.
    expect([newest.status, newest.json.nativeTokenBalance?.balance]).toEqual([
      200,
      name === 'c' ? String(BigInt(ANSWERED.c['0x53'])) : undefined,
    ])
  },
)
