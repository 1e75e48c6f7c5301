import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ADDRESSES,
  atomicByTheNode,
  isLive,
  listOf,
  lists,
  nativeByTheNode,
  request,
  same,
  type TestUtxo,
  utxos,
} from '../testing/utxoLists.ts'
import * as Paging from './Paging.ts'

const height = fc.bigInt(0n, 8n)
const RUNS = { numRuns: 1000 }

test("returns the same pages of the chain's own UTXOs as the node's algorithm", async () => {
  await fc.assert(
    fc.asyncProperty(utxos, height, request, async (allUtxos, at, page) => {
      expect(await Paging.native(lists(allUtxos, at), page)).toEqual(nativeByTheNode(allUtxos, at, page))
    }),
    RUNS,
  )
})

test("returns the same pages of exported UTXOs as the node's algorithm", async () => {
  await fc.assert(
    fc.asyncProperty(utxos, height, request, async (allUtxos, at, page) => {
      expect(await Paging.atomic(lists(allUtxos, at), page)).toEqual(atomicByTheNode(allUtxos, at, page))
    }),
    RUNS,
  )
})

type Algorithm = typeof Paging.native

/** Returns all pages. Each page is read at its own height, as if blocks arrived in between. */
async function pages(
  algorithm: Algorithm,
  allUtxos: readonly TestUtxo[],
  addresses: readonly Uint8Array[],
  limit: number,
  heights: (page: number) => bigint,
): Promise<Paging.Entry[][]> {
  const all: Paging.Entry[][] = []
  let start: Paging.Cursor | undefined
  for (;;) {
    const page = await algorithm(lists(allUtxos, heights(all.length)), { addresses, start, limit })
    all.push([...page.utxos])
    if (page.utxos.length < limit) return all
    start = page.end
  }
}

const key = ({ id }: Pick<Paging.Entry, 'id'>) => Buffer.from(id).toString('hex')
const owners = fc.shuffledSubarray([...ADDRESSES], { minLength: 1 })

for (const [name, algorithm, least] of [
  ['native', Paging.native, 1],
  ['atomic', Paging.atomic, 2],
] as const) {
  test(`returns all UTXOs of one height in ${name} pages, newest first`, async () => {
    const limits = fc.integer({ min: least, max: 9 })
    await fc.assert(
      fc.asyncProperty(utxos, height, owners, limits, async (allUtxos, at, addresses, limit) => {
        const all = await pages(algorithm, allUtxos, addresses, limit, () => at)
        const expected = addresses.flatMap((address) => listOf(allUtxos, at, address))
        expect(new Set(all.flat().map(key))).toEqual(new Set(expected.map(key)))
        for (const page of all) {
          expect(new Set(page.map(key)).size).toBe(page.length)
          expectNewestFirst(page)
        }
      }),
      RUNS,
    )
  })

  test(`returns in ${name} pages every UTXO that stays unspent while they are read, even if blocks arrive between pages`, async () => {
    const limits = fc.integer({ min: least, max: 9 })
    const steps = fc.array(fc.bigInt(0n, 2n), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(utxos, owners, limits, steps, async (allUtxos, addresses, limit, grown) => {
        const heights = (page: number) => grown.slice(0, page).reduce((sum, step) => sum + step, 0n)
        const all = await pages(algorithm, allUtxos, addresses, limit, heights)
        const last = heights(all.length - 1)
        const found = new Set(all.flat().map(key))
        const always = allUtxos.filter((utxo) => isLive(utxo, 0n) && isLive(utxo, last))
        for (const utxo of always.filter((utxo) => isOwned(utxo, addresses)))
          expect(found).toContain(key(utxo))
        for (const [page, entries] of all.entries())
          for (const entry of entries) expect(isLiveAt(allUtxos, entry, heights(page))).toBe(true)
      }),
      RUNS,
    )
  })
}

test('returns all UTXOs in half-open pages, and each UTXO with a single owner exactly once', async () => {
  const limits = fc.integer({ min: 1, max: 9 })
  await fc.assert(
    fc.asyncProperty(utxos, height, owners, limits, async (allUtxos, at, addresses, limit) => {
      const found: string[] = []
      let start: Paging.Cursor | undefined
      do {
        const page = await Paging.halfOpen(lists(allUtxos, at), { addresses, start, limit })
        expect(page.utxos.length).toBeLessThanOrEqual(limit)
        if (page.next !== undefined) expect(page.utxos.length).toBe(limit)
        found.push(...page.utxos.map(key))
        start = page.next
      } while (start !== undefined)
      const expected = addresses.flatMap((address) => listOf(allUtxos, at, address)).map(key)
      expect(new Set(found)).toEqual(new Set(expected))
      const isShared = (id: string) => expected.filter((other) => other === id).length > 1
      const single = found.filter((id) => !isShared(id))
      expect(new Set(single).size).toBe(single.length)
    }),
    RUNS,
  )
})

test("returns no UTXO twice in pages of the chain's own UTXOs if no UTXO has two owners", async () => {
  const single = utxos.map((allUtxos) =>
    allUtxos.map((utxo) => ({ ...utxo, owners: utxo.owners.slice(0, 1) })),
  )
  const limits = fc.integer({ min: 1, max: 9 })
  await fc.assert(
    fc.asyncProperty(single, height, owners, limits, async (allUtxos, at, addresses, limit) => {
      const all = (await pages(Paging.native, allUtxos, addresses, limit, () => at)).flat()
      expect(new Set(all.map(key)).size).toBe(all.length)
    }),
    RUNS,
  )
})

/** Expects the entries of each list to be newest first, and the lists to be sorted by address. */
function expectNewestFirst(page: readonly Paging.Entry[]): void {
  for (const [i, entry] of page.entries()) {
    const next = page[i + 1]
    if (next === undefined) continue
    const order = Buffer.compare(entry.address, next.address)
    expect(order).toBeLessThanOrEqual(0)
    if (order === 0) expect(entry.height).toBeGreaterThanOrEqual(next.height)
  }
}

function isOwned(utxo: TestUtxo, addresses: readonly Uint8Array[]): boolean {
  return addresses.some((address) => utxo.owners.some((owner) => same(owner, address)))
}

function isLiveAt(allUtxos: readonly TestUtxo[], entry: Paging.Entry, at: bigint): boolean {
  const utxo = allUtxos.find(({ id }) => same(id, entry.id))
  return utxo !== undefined && isLive(utxo, at)
}
