import { BlockReader } from '@firn/evm'
import { type InventedChain, inventedChain, inventedFacts } from '@firn/evm/testing'
import { type EvmStore, EvmWriter } from '@firn/evm-store'
import { openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { emptyDatabase, explain, listening } from '@firn/sql/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tokensOf } from '../testing/plainHolders.ts'
import { serveEvm } from '../testing/serveEvm.ts'

const CHAIN = `/v1/chains/${TEST_CHAIN.chainId}`

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

let store: EvmStore
let chain: InventedChain

beforeAll(async () => {
  // A distributed chain has the plans of its workers.
  store = await openEvm(await emptyDatabase())
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  chain = inventedChain({ seed: 3, transactions: [6, 10], accounts: 12 })
  for (let i = 0; i < 5; i++) {
    const blocks = chain.grow(80).map((parts) => BlockReader.read(parts))
    const addresses = (block: (typeof blocks)[number]) =>
      block.transactions.flatMap(({ logs }) => logs.map(({ address }) => address))
    await writer.commit(blocks.map((block) => ({ block, contracts: addresses(block).map(inventedFacts) })))
  }
  await store.driver.transaction(async (session) => {
    for (const [table, columns] of MULTIPLIED) await session.query(multiplied(table, columns))
    await session.query('analyze')
  })
})

/**
 * Token tables, each with the columns that follow the contract and the token id. The test adds rows, because
 * the generated chain has few tokens.
 */
const MULTIPLIED = [
  ['token', 'standard, since'],
  ['token_owner', 'since, until, owner'],
  ['token_balance', 'standard, address, since, balance'],
  ['item_holder', 'address, balance'],
] as const

function multiplied(table: string, columns: string): string {
  return `insert into ${table} (contract, token_id, ${columns})
    select contract, token_id + 1000000 * n, ${columns} from ${table}, generate_series(1, 30) as n`
}

afterAll(() => store.close())

/** Returns the paths of all lists, for the most active address and for an address without activity. */
function paths(): readonly string[] {
  const [tx] = chain.blocks.flatMap(({ block }) => block['transactions'] as { from: string; hash: string }[])
  const logs = chain.blocks.flatMap(({ receipts }) =>
    (receipts as { logs: { address: string }[] }[]).flatMap((receipt) => receipt.logs),
  )
  const contracts = [...new Set(logs.map(({ address }) => address))]
  const addresses = [tx?.from ?? '', `0x${'12'.repeat(20)}`]
  return [
    '/blocks',
    '/blocks/7',
    `/blocks/${chain.blocks[9]?.block.hash}`,
    '/blocks/9/transactions?pageSize=2',
    '/transactions',
    '/transactions?status=failed',
    '/transactions?status=success',
    '/logs',
    `/logs?topic0=${TRANSFER}`,
    `/logs?topic2=0x${'00'.repeat(32)}`,
    `/transactions/${tx?.hash}`,
    ...addresses.flatMap((address) => [
      ...['', ':listNative', ':listErc20', ':listErc721', ':listErc1155', ':listInternals'].flatMap(
        (list) => [
          `/addresses/${address}/transactions${list}`,
          `/addresses/${address}/transactions${list}?startBlock=100&endBlock=300`,
        ],
      ),
      `/addresses/${address}/transactions?sortOrder=asc`,
      ...['Erc20', 'Erc721', 'Erc1155', 'Collectibles'].map(
        (of) => `/addresses/${address}/balances:list${of}`,
      ),
      `/addresses/${address}/balances:listErc20?blockNumber=50&contractAddresses=${contracts.slice(0, 3)}`,
      `/contracts/${address}/deployments`,
      `/contracts/${address}/transactions:getDeployment`,
      `/addresses/${address}`,
    ]),
    ...contracts
      .slice(0, 4)
      .flatMap((contract) => [
        `/tokens/${contract}/transfers`,
        `/logs?addresses=${contract}&topic0=${TRANSFER}`,
        `/nfts/collections/${contract}/tokens?pageSize=2`,
      ]),
    ...[721, 1155].flatMap((standard) =>
      tokensOf(chain.blocks, standard)
        .slice(0, 3)
        .flatMap(({ contract, tokenId }) => [
          `/nfts/collections/${contract}/holders?pageSize=2`,
          `/nfts/collections/${contract}/holders?blockNumber=390&threshold=1`,
          `/nfts/collections/${contract}/tokens/${tokenId}/holders?pageSize=2`,
          `/nfts/collections/${contract}/tokens/${tokenId}/transfers?pageSize=2`,
          `/nfts/collections/${contract}/tokens/${tokenId}/transfers?startBlock=10`,
        ]),
    ),
  ]
}

/**
 * Matches a full scan of a table that can grow without limit and has many rows in this test. The block table has too
 * few rows to be included.
 */
const LARGE =
  /Seq Scan on (transaction_|transfer_|internal_call_|creation_|log_|token|token_owner|token_balance|token_holder|item_holder)\d*\b/

/** Matches the number of rows that a plan's node read from a table of blocks' rows. */
const READ =
  /Scan[^\n]* on (?:(?:transaction|transfer|internal_call|creation|log)_\d+|token_balance|token_holder) [^\n]*rows=([\d.]+) loops=(\d+)\)/g
/** Matches the number of rows that a plan's node read and left out. */
const REMOVED = /Rows Removed by Filter: (\d+)/g
/** A page examines 220 balances and has 100 transfers, of 4,000 each. */
const MOST_READ = 600

/** An address whose transfers the planner's statistics don't contain. There are ten in each block. */
const BUSY = `0x${'99'.repeat(20)}`
const TRANSFERS = `insert into transfer select b.height, 1000000 + n, 0, 0, 20, decode(repeat('77', 20), 'hex'),
  decode(repeat('99', 20), 'hex'), decode(repeat('88', 20), 'hex'), null, 1 from block b, generate_series(1, 10) n
  where b.transactions > 0`

/** A token that was transferred in the first blocks only. Another token of its contract is transferred in each block. */
const BUSY_TOKEN = `nfts/collections/0x${'66'.repeat(20)}/tokens/7`
const TOKEN = [
  `insert into transfer select b.height, 2000000 + n, 0, 0, 1155, decode(repeat('66', 20), 'hex'),
    decode(repeat('55', 20), 'hex'), decode(repeat('44', 20), 'hex'), case when b.height < 50 then 7 + n % 2 else 8 end, 1 from block b, generate_series(1, 20) n
    where b.transactions > 0`,
  `insert into token (contract, token_id, standard, since) values (decode(repeat('66', 20), 'hex'), 7, 1155, 0)`,
]

const LOWEST = `0x${'00'.repeat(20)}`

const BALANCES = `insert into token_balance (since, standard, contract, address, token_id, balance)
  select - n, 20, decode(repeat('77', 20), 'hex'), decode(repeat('99', 20), 'hex'), 0, n from generate_series(1, 4000) n`

/** Logs of the contract with the lowest address. There are ten in each block. */
const LOGS = `insert into log (height, log_index, transaction_index, address, topic0, topic1, data)
  select b.height, 1000000 + n, 0, decode(repeat('00', 20), 'hex'), decode(repeat('00', 32), 'hex'),
  decode(repeat('00', 32), 'hex'), '' from block b, generate_series(1, 10) n where b.transactions > 0`

/** Tokens that the busy address got after the tests' blocks. */
const HOLDERS = `insert into token_holder (since, standard, contract, address, balance)
  select 1000000 + n, 20, decode(lpad(to_hex(n), 40, '0'), 'hex'), decode(repeat('99', 20), 'hex'), 1 from generate_series(1, 4000) n`

test('reads a bounded number of rows for busy addresses and contracts, even with wrong estimates', async () => {
  await store.driver.transaction(async (session) => {
    for (const statement of [TRANSFERS, ...TOKEN]) await session.query(statement)
    await session.query(BALANCES)
    await session.query(HOLDERS)
    await session.query(LOGS)
    await session.query('analyze log')
  })
  const heard = listening(store as never)
  const ask = await serveEvm([heard.store as never], { nativeBalance: async () => 1n })
  let most = 0
  const contract = `contractAddresses=0x${'77'.repeat(20)}`
  const lists = ['', '?sortOrder=asc', '?startBlock=10', ':listErc20'].map((list) => `transactions${list}`)
  const balances = ['', `?${contract}`, '?blockNumber=50'].map((list) => `balances:listErc20${list}`)
  const ofAddress = [...lists, ...balances].map((list) => `addresses/${BUSY}/${list}`)
  const zero = `0x${'00'.repeat(32)}`
  const logs = [`addresses=${LOWEST}`, `topic0=${zero}`, `topic1=${zero}`, `topic0=${zero}&endBlock=300`]
  const ofToken = ['transfers', 'transfers?startBlock=10', 'holders', 'holders?blockNumber=398'].map(
    (list) => `${BUSY_TOKEN}/${list}`,
  )
  for (const list of [...ofAddress, ...ofToken, ...logs.map((filter) => `logs?${filter}`)]) {
    heard.take()
    const { status } = await ask(`${CHAIN}/${list}`)
    expect(status).toBe(200)
    for (const statement of heard.take()) {
      const plan = (await explain(store as never, statement, true)).join('\n')
      for (const [line, rows, loops] of plan.matchAll(READ)) {
        const read = Number(rows) * Number(loops)
        most = Math.max(most, read)
        expect([list, read <= MOST_READ ? 'a page' : line]).toEqual([list, 'a page'])
      }
      for (const [, removed] of plan.matchAll(REMOVED))
        expect([list, Number(removed) <= MOST_READ ? 'a page' : plan]).toEqual([list, 'a page'])
    }
  }
  expect(most).toBeGreaterThan(10)
})

test('uses an index of each large table for the first three pages of every list', async () => {
  const heard = listening(store as never)
  const ask = await serveEvm([heard.store as never], { nativeBalance: async () => 1n })
  for (const first of [...paths().map((path) => CHAIN + path), '/v1/blocks', '/v1/transactions']) {
    let next: string | undefined = first
    for (let page = 0; page < 3 && next !== undefined; page++) {
      heard.take()
      const { status, json } = await ask(next)
      expect([next, status === 404 || status === 200]).toEqual([next, true])
      for (const statement of heard.take()) {
        const plan = (await explain(store as never, statement)).join('\n')
        expect([first, statement.text, LARGE.exec(plan)?.[0] ?? 'index']).toEqual([
          first,
          statement.text,
          'index',
        ])
      }
      const [where = ''] = first.split('?')
      const token: string | undefined = json.nextPageToken
      next = token === undefined ? undefined : `${where}?pageToken=${token}`
    }
  }
})
