import { Hex } from '@firn/codec'
import type { Log } from '@firn/evm'
import { btcbLogs, seeded } from '@firn/evm/testing'
import { type EvmStore, EvmWriter, type IndexedBlock } from '@firn/evm-store'
import { evmBlock, evmTransaction, openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { EvmAddress } from '@firn/keys'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answered } from '../testing/serve.ts'
import { serveMetrics } from '../testing/serveMetrics.ts'

const CHAIN = { ...TEST_CHAIN, chainId: 43_114n }
const URL = '/v2/chains/43114/btcb/bridged:getAddresses'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const NO_OUTPUT = 2n ** 256n - 1n

const addressAt = (i: number) => `0x${(i + 1).toString(16).padStart(2, '0').repeat(20)}` as const

/** Returns a block whose transactions have logs; the logs are numbered within the block. */
function blockOf(height: bigint, logs: readonly (readonly Omit<Log, 'index'>[])[]): IndexedBlock {
  let index = 0n
  const transactions = logs.map((own, i) =>
    evmTransaction({ index: i, logs: own.map((log) => ({ ...log, index: index++ })) }),
  )
  return { block: evmBlock(height, { transactions }), contracts: [] }
}

const stores: EvmStore[] = []

async function storeOf(blocks: readonly IndexedBlock[], chain = CHAIN, options = {}): Promise<EvmStore> {
  const store = await openEvm({ chainId: chain.chainId })
  stores.push(store)
  const writer = await EvmWriter.open(store, chain, options)
  await writer.commit(blocks)
  return store
}

const [ANN, BOB, CAT, DAN] = [0, 1, 2, 3].map(addressAt) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]
const BLOCKS = [
  blockOf(0n, []),
  blockOf(1n, [
    btcbLogs.minted(ANN, 500n, 7n),
    btcbLogs.minted(BOB, 300n),
    btcbLogs.minted(DAN, 10n, 0n, NO_OUTPUT),
  ]),
  // A transfer is no bridging, and a burn without `Unwrap` returns nothing to Bitcoin yet.
  blockOf(2n, [btcbLogs.transferred(ANN, CAT, 400n), btcbLogs.burned(ANN, 20n)]),
  blockOf(3n, [btcbLogs.unwrapped(BOB, 120n), btcbLogs.unwrapped(CAT, 100n)]),
  // The new minter redeems without `Unwrap`.
  blockOf(4n, [btcbLogs.migrated(DAN)]),
  blockOf(5n, [btcbLogs.minted(CAT, 150n, 0n, 3n), btcbLogs.burned(CAT, 50n), btcbLogs.burned(BOB, 1n)]),
]

let ask: (url: string) => Promise<Answered>

beforeAll(async () => {
  ask = await serveMetrics([await storeOf(BLOCKS)])
})

afterAll(async () => {
  for (const store of stores) await store.close()
})

const bridger = (address: string, amount: bigint) => ({
  address: EvmAddress.format(Hex.decode(address)),
  sortKey: String(amount),
})

test('returns net amounts without fees, transfers, mints without a Bitcoin output and earlier plain burns', async () => {
  const { status, json } = await ask(`${URL}?threshold=0`)
  expect(status).toBe(200)
  expect(json).toEqual({ addresses: [bridger(ANN, 500n), bridger(BOB, 179n)] })
})

test.each([
  [178n, [bridger(ANN, 500n), bridger(BOB, 179n)]],
  [179n, [bridger(ANN, 500n)]],
  [500n, []],
])('lists only addresses with more than %i', async (threshold, addresses) => {
  expect((await ask(`${URL}?threshold=${threshold}`)).json).toEqual({ addresses })
})

test('lists the same addresses as a plain sum, page by page, also while blocks arrive and after a reorg', async () => {
  const random = seeded(5)
  const net = new Map<string, bigint>()
  const add = (address: string, amount: bigint) => net.set(address, (net.get(address) ?? 0n) + amount)
  let hasMigrated = false
  const grow = (height: number): IndexedBlock => {
    if (height === 25) {
      hasMigrated = true
      return blockOf(25n, [btcbLogs.migrated(DAN)])
    }
    const logs = Array.from({ length: 1 + random.below(6) }, () => {
      const address = addressAt(random.below(24))
      const amount = BigInt(1 + random.below(1_000))
      const kind = random.pick(['minted', 'minted', 'minted', 'unlocked', 'unwrapped', 'burned'])
      if (kind === 'minted') {
        add(address, amount)
        return btcbLogs.minted(address, amount, BigInt(random.below(3)), BigInt(random.below(3)))
      }
      if (kind === 'unlocked') return btcbLogs.minted(address, amount, 0n, NO_OUTPUT)
      if (kind === 'unwrapped' || hasMigrated) add(address, -amount)
      return kind === 'unwrapped' ? btcbLogs.unwrapped(address, amount) : btcbLogs.burned(address, amount)
    })
    return blockOf(BigInt(height), logs)
  }
  const store = await storeOf(Array.from({ length: 50 }, (_, height) => grow(height)))
  const askIt = await serveMetrics([store])
  const expected = (threshold: bigint) =>
    [...net]
      .filter(([, amount]) => amount > threshold)
      .sort(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1))
      .map(([address, amount]) => bridger(address, amount))
  expect(expected(0n).length).toBeGreaterThan(8)
  expect([...net.values()].some((amount) => amount < 0n)).toBe(true)
  const writer = await EvmWriter.open(store, CHAIN)
  for (const threshold of [0n, 300n]) {
    const all = expected(threshold)
    const found: unknown[] = []
    for (let token: string | undefined = ''; token !== undefined; ) {
      const { json } = await askIt(`${URL}?threshold=${threshold}&pageSize=3&pageToken=${token}`)
      found.push(...json.addresses)
      token = json.nextPageToken
      if (token !== undefined) expect(token).toMatch(UUID)
      const { height } = await store.snapshot()
      await writer.commit([grow(Number(height) + 1)])
    }
    expect(found).toEqual(all)
  }
  const { json } = await askIt(`${URL}?threshold=0&pageSize=3`)
  expect(json.addresses).toEqual(expected(0n).slice(0, 3))
  await writer.undo(2n)
  const other = blockOf(3n, [btcbLogs.minted(ANN, 10_000n)])
  await writer.commit([{ ...other, block: { ...other.block, hash: new Uint8Array(32).fill(0xaa) } }])
  const again = await askIt(`${URL}?threshold=9000&pageToken=${json.nextPageToken}`)
  expect(again.json.addresses.map(({ address }: { address: string }) => address)).toEqual([
    EvmAddress.format(Hex.decode(ANN)),
  ])
})

test.each([
  [
    'a chain that is stored from a later block',
    { ...CHAIN, firstHeight: 3n },
    {},
    'those before block 3 are not stored',
  ],
  ['a chain without logs', CHAIN, { logs: false }, 'the indexer does not store them'],
])('refuses %s', async (_, chain, options, reason) => {
  const { firstHeight } = chain
  const store = await storeOf(BLOCKS.slice(Number(firstHeight)), chain, options)
  const { status, json } = await (await serveMetrics([store]))(`${URL}?threshold=0`)
  expect([status, json.message]).toEqual([404, expect.stringContaining(reason)])
})

test('refuses a chain whose first logs were removed', async () => {
  const store = await storeOf(BLOCKS)
  const writer = await EvmWriter.open(store, CHAIN)
  const options = { keep: { logs: 1n }, depth: 1n }
  while (await writer.prune(options));
  const { status, json } = await (await serveMetrics([store]))(`${URL}?threshold=0`)
  expect([status, json.message]).toEqual([
    404,
    expect.stringMatching(/those before block \d+ are not stored/),
  ])
})

test('serves a chain that is stored from before the creation of the contract', async () => {
  const created = evmTransaction({
    to: undefined,
    contractAddress: Hex.decode('0x152b9d0fdc40c096757f570a51e494bd4b943e50'),
  })
  const first = { block: evmBlock(9n, { transactions: [created] }), contracts: [] }
  const later = blockOf(10n, [btcbLogs.minted(ANN, 5n)])
  const store = await storeOf([first, later], { ...CHAIN, firstHeight: 9n })
  const { json } = await (await serveMetrics([store]))(`${URL}?threshold=4`)
  expect(json).toEqual({ addresses: [bridger(ANN, 5n)] })
})

test('says that the chain is not served', async () => {
  const store = await storeOf([blockOf(0n, [])], TEST_CHAIN)
  const { status, json } = await (await serveMetrics([store]))(`${URL}?threshold=0`)
  expect([status, json.message]).toEqual([404, expect.stringContaining('does not serve this chain')])
})

test.each(['', '?threshold=-1', '?threshold=1&pageSize=5001', '?threshold=1&pageToken=next'])(
  'rejects the query %j',
  async (query) => {
    expect((await ask(URL + query)).status).toBe(400)
  },
)
