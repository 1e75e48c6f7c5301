import { database } from '@firn/sql/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import { openPGlite } from '../testing/pglite.ts'
import * as Recordings from '../testing/recordings.ts'
import { Writer } from '../Writer.ts'
import * as Utxos from './index.ts'

const [MANY, FEW] = [new Uint8Array(20).fill(1), new Uint8Array(20).fill(2)]
const ASSET = new Uint8Array(32).fill(9)
const OUTPUT = RecordCodec.encodeOutput({
  type: 'TransferOutput',
  amount: 1n,
  locktime: 0n,
  threshold: 1,
  addresses: [MANY],
})
const COUNT = Utxos.MOST_SEARCHED + 1

let store: Store
let at: Snapshot

beforeAll(async () => {
  store = await openPGlite()
  await store.migrate()
  const { genesis, constants } = Recordings.load('local')
  await Writer.open(store, genesis, constants)
  // In addition to the genesis, one address gets more outputs than a search reads. Another address shares the
  // first ten of them.
  await sql`insert into ${sql.table('utxo')} select decode(lpad(to_hex(i), 64, '0'), 'hex'), 'P', 'P', 0, 100000 + i, 5, ${ASSET}, i,
    ${ASSET}, ${OUTPUT},
    7, i % 7, 0, null, 1, array[${MANY}::bytea], 'output' from generate_series(1, ${COUNT}) as i`.execute(
    database(store),
  )
  await sql`insert into ${sql.table('utxo_address')} select ${MANY}, 'P', 'P', 0, 100000 + i, decode(lpad(to_hex(i), 64, '0'), 'hex'), null
    from generate_series(1, ${COUNT}) as i`.execute(database(store))
  await sql`insert into ${sql.table('utxo_address')} select ${FEW}, 'P', 'P', 0, 100000 + i, decode(lpad(to_hex(i), 64, '0'), 'hex'), null
    from generate_series(1, 10) as i`.execute(database(store))
  await sql`analyze`.execute(database(store))
  at = await store.snapshot()
})

afterAll(() => store.close())

const base = { order: 'asc', after: undefined, limit: 4, assetId: undefined, minAmount: undefined } as const

test('limits the number of outputs read by a search, but not by a page', async () => {
  const search = { ...base, sortBy: 'amount', isSpentToo: false } as const
  expect(await Utxos.search(store, at, 'P', { ...search, addresses: [MANY] })).toBeUndefined()
  const few = await Utxos.search(store, at, 'P', { ...search, addresses: [FEW] })
  expect(few?.map(({ rank: { value, ordinal } }) => [value, ordinal])).toEqual([
    [0n, 100_007],
    [1n, 100_001],
    [1n, 100_008],
    [2n, 100_002],
  ])
  const least = { ...search, addresses: [FEW], minAmount: 6n }
  expect((await Utxos.search(store, at, 'P', least))?.map(({ utxo }) => utxo.amount)).toEqual([6n])
  const last = { ...base, order: 'desc', addresses: [MANY, FEW] } as const
  const page = await Utxos.page(store, at, 'P', last)
  expect(page.map(({ rank: { ordinal } }) => ordinal - 100_000)).toEqual([0, 1, 2, 3].map((i) => COUNT - i))
})

test('lists an output once if it is owned by two of the requested addresses', async () => {
  const pages: number[] = []
  let after: Utxos.Rank | undefined
  for (let i = 0; i < 4; i++) {
    const page = await Utxos.page(store, at, 'P', { ...base, after, addresses: [FEW, MANY] })
    pages.push(...page.map(({ rank: { ordinal } }) => ordinal - 100_000))
    after = page.at(-1)?.rank
  }
  expect(pages).toEqual(Array.from({ length: 16 }, (_, i) => i + 1))
})
