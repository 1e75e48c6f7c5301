import { Hex } from '@firn/codec'
import { BlockReader } from '@firn/evm'
import { type InventedParts, inventedChain, type Random, seeded } from '@firn/evm/testing'
import { type EvmStore, EvmWriter } from '@firn/evm-store'
import { openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { EvmAddress } from '@firn/keys'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contractsOf, plainHolders } from '../testing/plainHolders.ts'
import type { Answered } from '../testing/serve.ts'
import { listenMetrics, serveMetrics } from '../testing/serveMetrics.ts'

let store: EvmStore
let writer: EvmWriter
let ask: (url: string) => Promise<Answered>
const chain = inventedChain({ seed: 11, transactions: [2, 6], accounts: 12 })
const blocks = chain.grow(150)
const indexed = (parts: InventedParts) => ({ block: BlockReader.read(parts), contracts: [] })

beforeAll(async () => {
  store = await openEvm()
  writer = await EvmWriter.open(store, TEST_CHAIN)
  await writer.commit(blocks.map(indexed))
  ask = await serveMetrics([store])
})

afterAll(() => store.close())

const urlOf = (contract: string, threshold: bigint, query = '') =>
  `/v2/chains/1337/contracts/${contract}/balances?threshold=${threshold}${query}`

const plain = (holders: readonly (readonly [string, bigint])[]) =>
  holders.map(([address, balance]) => ({
    address: EvmAddress.format(Hex.decode(address)),
    sortKey: Number(balance),
  }))

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

async function allOf(url: string, size: number): Promise<unknown[]> {
  const found: unknown[] = []
  for (let token: string | undefined = ''; token !== undefined; ) {
    const { status, json }: Answered = await ask(`${url}&pageSize=${size}&pageToken=${token}`)
    expect(status).toBe(200)
    expect(json.addresses.length).toBeLessThanOrEqual(size)
    found.push(...json.addresses)
    token = json.nextPageToken
    if (token !== undefined) expect(token).toMatch(UUID)
  }
  return found
}

/** Returns a block's time, a time close to a block, or undefined. */
function anyTime(random: Random): number | undefined {
  const time = Number(random.pick(blocks).block['timestamp'])
  return random.pick([undefined, time, time + 1, time - 1, 1])
}

test.each([20, 721])(
  'lists the same holders of ERC-%i tokens as the reference, for random times and thresholds',
  async (standard) => {
    const random = seeded(standard)
    const contracts = contractsOf(blocks, standard)
    expect(contracts.length).toBeGreaterThan(1)
    let most = 0
    for (let i = 0; i < 120; i++) {
      const contract = random.pick(contracts)
      const threshold =
        standard === 721 ? BigInt(random.below(4)) : random.pick([0n, 1_000n, 300_000n, 2n ** 64n])
      const [start, end] = [anyTime(random), anyTime(random)]
      const frame = { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) }
      const query = Object.entries(frame).map(([name, time]) => `&${name}Timestamp=${time}`)
      const found = await allOf(urlOf(contract, threshold, query.join('')), 1 + random.below(6))
      expect(found).toEqual(plain(plainHolders(blocks, contract, standard, threshold, frame)))
      most = Math.max(most, found.length)
    }
    expect(most).toBeGreaterThan(5)
  },
)

test('returns balances above 2^53 exactly', async () => {
  const [contract = ''] = contractsOf(blocks, 20).filter((one) =>
    plainHolders(blocks, one, 20, 2n ** 60n).some(([, balance]) => balance > 2n ** 60n),
  )
  const { url, close } = await listenMetrics([store])
  const [[address = '', balance] = []] = plainHolders(blocks, contract, 20, 2n ** 60n)
  const text = await (await fetch(url + urlOf(contract, 2n ** 60n))).text()
  expect(text).toContain(`{"address":"${EvmAddress.format(Hex.decode(address))}","sortKey":${balance}}`)
  await close()
})

test('tells the class of a contract whose balances were checked', async () => {
  const [contract = '', other = ''] = contractsOf(blocks, 20)
  const { height, hash } = await store.snapshot()
  const stored = await writer.storeChecks({
    ...{ first: height, last: height, hash, continues: false, unchecked: [], checked: [], readings: [] },
    contracts: [
      {
        ...{ contract: Hex.decode(contract), since: 0n, basis: 'chain', class: 'rebasing', agreements: 0 },
        ...{ agreedFrom: null, checkedTo: height, due: null },
      },
    ],
  })
  expect(stored).toBe(true)
  expect((await ask(urlOf(contract, 0n))).json.tokenClass).toBe('rebasing')
  expect((await ask(urlOf(other, 0n))).json).not.toHaveProperty('tokenClass')
})

test.each([
  ['no threshold', 400, '20', ''],
  ['a threshold that is not an integer', 400, '20', '?threshold=1.5'],
  ['a negative threshold', 400, '20', '?threshold=-1'],
  ['a threshold above the maximum balance', 400, '20', `?threshold=${2n ** 256n}`],
  ['too large a page size', 400, '20', '?threshold=1&pageSize=5001'],
  ['a token that is not a UUID', 400, '20', '?threshold=1&pageToken=next'],
  ['an ERC-1155 contract', 404, '1155', '?threshold=1'],
])('rejects %s', async (_, status, standard, query) => {
  const [contract] = contractsOf(blocks, Number(standard))
  expect((await ask(`/v2/chains/1337/contracts/${contract}/balances${query}`)).status).toBe(status)
})

test('returns 404 for an address without a contract', async () => {
  expect((await ask(urlOf(`0x${'ee'.repeat(20)}`, 1n))).status).toBe(404)
})

test('starts again with a UUID of another list, and with one that no service issued', async () => {
  const [contract = '', other = ''] = contractsOf(blocks, 20)
  const first = await ask(`${urlOf(contract, 0n)}&pageSize=2`)
  const foreign = await ask(`${urlOf(other, 0n)}&pageSize=1`)
  for (const token of [foreign.json.nextPageToken, 'ffffffff-ffff-4fff-bfff-ffffffffffff'])
    expect((await ask(`${urlOf(contract, 0n)}&pageSize=2&pageToken=${token}`)).json).toEqual(first.json)
})

test("reads all pages at the first page's block, and starts again if a reorg reverted the block", async () => {
  const [contract = ''] = contractsOf(blocks, 20)
  const url = urlOf(contract, 0n)
  const first = await ask(`${url}&pageSize=2`)
  const next = `${url}&pageSize=5000&pageToken=${first.json.nextPageToken}`
  const rest = plain(plainHolders(blocks, contract, 20, 0n)).slice(2)
  expect((await ask(next)).json.addresses).toEqual(rest)
  const later = chain.grow(30)
  await writer.commit(later.map(indexed))
  const now = plain(plainHolders([...blocks, ...later], contract, 20, 0n))
  expect(now.slice(2)).not.toEqual(rest)
  expect((await ask(next)).json.addresses).toEqual(rest)
  expect((await ask(url)).json.addresses).toEqual(now)
  const changed = await ask(next.replace('threshold=0', 'threshold=1'))
  expect(changed.json.addresses).toEqual(plain(plainHolders([...blocks, ...later], contract, 20, 1n)))

  await writer.undo(100n)
  const other = chain.branch(100n, 'other')
  await writer.commit(other.grow(60).map(indexed))
  expect((await ask(next)).json.addresses).toEqual(plain(plainHolders(other.blocks, contract, 20, 0n)))
})
