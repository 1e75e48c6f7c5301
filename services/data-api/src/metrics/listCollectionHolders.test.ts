import { Hex } from '@firn/codec'
import { BlockReader } from '@firn/evm'
import { type InventedParts, inventedChain } from '@firn/evm/testing'
import { type EvmStore, EvmWriter } from '@firn/evm-store'
import { openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { EvmAddress } from '@firn/keys'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contractsOf, plainHoldersAt } from '../testing/plainHolders.ts'
import type { Answered } from '../testing/serve.ts'
import { serveMetrics } from '../testing/serveMetrics.ts'

const chain = inventedChain({ seed: 21, transactions: [3, 7], accounts: 9 })
const blocks = chain.grow(90)
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let store: EvmStore
let writer: EvmWriter
let ask: (url: string) => Promise<Answered>

beforeAll(async () => {
  store = await openEvm()
  writer = await EvmWriter.open(store, TEST_CHAIN)
  await commit(blocks)
  ask = await serveMetrics([store])
})

afterAll(() => store.close())

const commit = (parts: readonly InventedParts[]) =>
  writer.commit(parts.map((one) => ({ block: BlockReader.read(one), contracts: [] })))

const urlOf = (contract: string, query = '') =>
  `/v2/chains/1337/contracts/${contract}/nfts:listHolders${query}`

const expected = (all: readonly InventedParts[], contract: string, standard: number) => {
  const height = BigInt(String(all.at(-1)?.block['number']))
  return plainHoldersAt(all, { contract, standard, height }, 0n).map(([address, balance]) => ({
    address: EvmAddress.format(Hex.decode(address)),
    sortKey: String(balance),
  }))
}

/** Contracts with transfers of this standard and of no other. */
const contracts = (standard: number) => {
  const others = new Set(
    [20, 721, 1155].filter((one) => one !== standard).flatMap((one) => contractsOf(blocks, one)),
  )
  return contractsOf(blocks, standard).filter((one) => !others.has(one))
}

test.each([721, 1155])('lists the holders of an ERC-%i contract by pages, with totals', async (standard) => {
  let most = 0
  for (const contract of contracts(standard)) {
    const all = expected(blocks, contract, standard)
    const found: unknown[] = []
    for (let token: string | undefined = ''; token !== undefined; ) {
      const { status, json }: Answered = await ask(urlOf(contract, `?pageSize=2&pageToken=${token}`))
      expect(status).toBe(200)
      expect(json.addresses.length).toBeLessThanOrEqual(2)
      found.push(...json.addresses)
      expect([json.totalHolders, json.totalTokens]).toEqual([
        all.length,
        all.reduce((sum, { sortKey }) => sum + Number(sortKey), 0),
      ])
      token = json.nextPageToken
      if (token !== undefined) expect(token).toMatch(UUID)
    }
    expect(found).toEqual(all)
    most = Math.max(most, found.length)
  }
  expect(most).toBeGreaterThan(2)
})

test.each([721, 1155])(
  'reads pages of an ERC-%i contract at the first block until it is replaced',
  async (standard) => {
    const [contract = ''] = contracts(standard).filter((one) => expected(blocks, one, standard).length > 2)
    const first = await ask(urlOf(contract, '?pageSize=1'))
    const next = urlOf(contract, `?pageSize=5000&pageToken=${first.json.nextPageToken}`)
    const rest = expected(blocks, contract, standard).slice(1)
    const later = chain.branch(89n, `later ${standard}`).grow(30)
    await commit(later)
    const now = expected([...blocks, ...later], contract, standard)
    expect(now.slice(1)).not.toEqual(rest)
    expect((await ask(next)).json.addresses).toEqual(rest)
    await writer.undo(50n)
    await commit(chain.branch(50n, `other ${standard}`).grow(45))
    const restarted = (await ask(next)).json.addresses
    expect(restarted).toEqual((await ask(urlOf(contract, '?pageSize=5000'))).json.addresses)
    await writer.undo(50n)
    await commit(blocks.slice(51))
  },
)

test.each([
  ['an ERC-20 contract', 404, contractsOf(blocks, 20)[0], ''],
  ['an address without a contract', 404, `0x${'ee'.repeat(20)}`, ''],
  ['too large a page size', 400, contractsOf(blocks, 721)[0], '?pageSize=5001'],
  ['a token that is not a UUID', 400, contractsOf(blocks, 721)[0], '?pageToken=next'],
])('rejects %s', async (_, status, contract = '', query) => {
  expect((await ask(urlOf(contract, query))).status).toBe(status)
})
