import { CHAIN_ALIASES } from '@firn/codec'
import { database } from '@firn/sql/testing'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UtxoRow } from '../Schema.ts'
import * as Snapshots from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import { openPGlite } from '../testing/pglite.ts'
import * as Utxos from './index.ts'

const filled = (length: number, value: number) => new Uint8Array(length).fill(value)
const ADDRESSES = [1, 2, 3].map((value) => filled(20, value))
const HEIGHTS = fc.bigInt(0n, 12n)
/** Current height of the chains, which is the highest height that readers may see. */
const TIP = 12n

/** Generates mostly the same pair of chains, so that lists get long. */
const CHAIN = fc.constantFrom('P', 'P', 'P', 'X', 'C')
const SOURCE = fc.constantFrom('P', 'P', 'X')

/**
 * The stored UTXOs. They share owners, and some are consumed. `height` is a height of `source`, and `consumed` is a
 * height of `chain`.
 */
const made = fc.array(
  fc.record({
    chain: CHAIN,
    source: SOURCE,
    owners: fc.subarray(ADDRESSES, { minLength: 1 }),
    height: fc.bigInt(0n, 9n),
    consumed: fc.option(fc.bigInt(0n, 12n), { nil: null }),
  }),
  { minLength: 1, maxLength: 30 },
)

let store: Store
beforeAll(async () => {
  store = await openPGlite()
  await store.migrate()
  for (const table of ['utxo', 'utxo_address'])
    for (const chain of ['p', 'x', 'c'])
      for (const [name, from, to] of [
        ['low', 0, 5],
        ['high', 5, 1000],
      ])
        await sql
          .raw(
            `create table ${table}_${chain}_${name} partition of ${table}_${chain} for values from (${from}) to (${to})`,
          )
          .execute(database(store))
})
afterAll(() => store.close())

type Made = typeof made extends fc.Arbitrary<infer T> ? T : never

function rows(all: Made): UtxoRow[] {
  return all.map(({ chain, source, owners, height, consumed }, ordinal) => ({
    id: filled(32, ordinal),
    chain,
    source,
    height,
    ordinal,
    time: 0n,
    tx_id: filled(32, 100 + ordinal),
    output_index: ordinal,
    asset_id: filled(32, 7),
    output: filled(3, ordinal),
    output_type: 7,
    amount: BigInt(ordinal),
    locktime: 2n ** 64n - 1n,
    stakeable_locktime: null,
    threshold: 1,
    addresses: owners,
    origin: 'output',
    reward_tx_id: null,
    consumed_height: consumed,
    consumed_tx_id: null,
    consumed_time: null,
  }))
}

async function fill(all: readonly UtxoRow[]): Promise<void> {
  await sql`truncate utxo, utxo_address, cursor`.execute(database(store))
  const cursors = CHAIN_ALIASES.map((chain) => ({
    chain,
    height: TIP,
    block_id: filled(32, 0),
    time: 0n,
  }))
  await database(store).insertInto('cursor').values(cursors).execute()
  await database(store).insertInto('utxo').values(all).execute()
  const addresses = all.flatMap(({ addresses, ...row }) => addresses.map((address) => ({ address, ...row })))
  const entries = addresses.map(({ address, chain, source, height, ordinal, id, consumed_height }) => ({
    address,
    chain,
    source,
    height,
    ordinal,
    id,
    consumed_height,
  }))
  await database(store).insertInto('utxo_address').values(entries).execute()
}

function snapshot(P: bigint, X: bigint, C: bigint): Snapshots.Snapshot {
  const at = (height: bigint) => ({ height, blockId: filled(32, 0), time: 0n })
  return Snapshots.create({ P: at(P), X: at(X), C: at(C) })
}

/** Returns the UTXOs that are unspent at a snapshot, newest first. */
function live(all: readonly UtxoRow[], at: Snapshots.Snapshot, { chain, source }: Utxos.Place): UtxoRow[] {
  return all
    .filter((row) => row.chain === chain && row.source === source && row.height <= at[source].height)
    .filter(({ consumed_height: end }) => end === null || end > at[chain].height)
    .toSorted((a, b) => Number(b.height - a.height) || b.ordinal - a.ordinal)
}

function owned(all: readonly UtxoRow[], address: Uint8Array): UtxoRow[] {
  return all.filter(({ addresses }) => addresses.some((owner) => Buffer.compare(owner, address) === 0))
}

/** Returns the UTXO's bytes: codec version, transaction, index, asset and output. */
function bytesOf(row: UtxoRow): string {
  const index = Buffer.alloc(4)
  index.writeUInt32BE(row.output_index)
  return Buffer.concat([Buffer.alloc(2), row.tx_id, index, row.asset_id, row.output]).toString('hex')
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const place = fc.record({ chain: CHAIN, source: SOURCE })
const queried = fc.shuffledSubarray(ADDRESSES, { minLength: 1 })
const RUNS = { numRuns: 80 }

test('lists the unspent UTXOs of a snapshot per address, newest first, from any start position', async () => {
  const after = fc.option(fc.record({ height: HEIGHTS, ordinal: fc.nat(30) }), { nil: undefined })
  const query = fc.record({
    place,
    queried,
    after,
    limit: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 20 })),
  })
  await fc.assert(
    fc.asyncProperty(made, HEIGHTS, HEIGHTS, HEIGHTS, query, async (all, P, X, C, asked) => {
      const stored = rows(all)
      await fill(stored)
      const at = snapshot(P, X, C)
      const { limit } = asked
      const found = await Utxos.list(store, at, {
        ...asked.place,
        addresses: asked.queried,
        after: asked.after,
        limit,
      })
      const expected = asked.queried.flatMap((address, i) =>
        owned(live(stored, at, asked.place), address)
          .filter((row) => i > 0 || isBehind(row, asked.after))
          .map((row) => `${hex(address)} ${hex(row.id)} ${row.height} ${row.ordinal} ${bytesOf(row)}`),
      )
      const shown = found.map(
        ({ address, id, height, ordinal, bytes }) =>
          `${hex(address)} ${hex(id)} ${height} ${ordinal} ${hex(bytes)}`,
      )
      expect(shown).toEqual(expected.slice(0, limit))
    }),
    RUNS,
  )
})

function isBehind(row: UtxoRow, after: Utxos.Age | undefined): boolean {
  if (after === undefined) return true
  return row.height < after.height || (row.height === after.height && row.ordinal < after.ordinal)
}

test('returns the position of a UTXO in the lists of its owners while the UTXO is unspent', async () => {
  await fc.assert(
    fc.asyncProperty(made, HEIGHTS, HEIGHTS, place, fc.nat(29), async (all, P, X, where, n) => {
      const stored = rows(all)
      await fill(stored)
      const at = snapshot(P, X, 5n)
      for (const address of ADDRESSES) {
        const row = owned(live(stored, at, where), address).find(({ ordinal }) => ordinal === n)
        const age = await Utxos.ageOf(store, at, where, address, filled(32, n))
        expect(age).toEqual(row && { height: row.height, ordinal: row.ordinal })
      }
    }),
    { numRuns: 60 },
  )
})

test('returns each unspent UTXO of the addresses once as a holding, in the order of the lists', async () => {
  await fc.assert(
    fc.asyncProperty(made, HEIGHTS, HEIGHTS, queried, async (all, P, X, addresses) => {
      const stored = rows(all)
      await fill(stored)
      const at = snapshot(P, X, 5n)
      const native = live(stored, at, { chain: 'X', source: 'X' })
      const sorted = addresses.toSorted(Buffer.compare)
      const expected = [...new Set(sorted.flatMap((address) => owned(native, address)))]
      const found = await Utxos.holdings(store, at, 'X', addresses)
      expect(found).toEqual(
        expected.map((row) => ({
          id: expect.toSatisfy((id: Uint8Array) => hex(id) === hex(row.id)),
          txId: expect.toSatisfy((id: Uint8Array) => hex(id) === hex(row.tx_id)),
          outputIndex: row.output_index,
          assetId: expect.anything(),
          outputType: 7,
          amount: row.amount,
          locktime: 2n ** 64n - 1n,
          stakeableLocktime: undefined,
          addresses: row.addresses.length,
        })),
      )
    }),
    { numRuns: 60 },
  )
})

test('lists a UTXO once if it is spent between two reads', async () => {
  const [row] = rows([{ chain: 'P', source: 'P', owners: ADDRESSES.slice(0, 1), height: 3n, consumed: null }])
  if (row === undefined) throw new RangeError('no row')
  await fill([row])
  const query = { chain: 'P', source: 'P', addresses: ADDRESSES, after: undefined, limit: 9 } as const
  // The database has one connection, so the updates run after the first read and before the second.
  const listed = Utxos.list(store, snapshot(5n, 5n, 5n), query)
  const spent = ['utxo', 'utxo_address'].map((table) =>
    sql.raw(`update ${table} set consumed_height = ${TIP}`).execute(database(store)),
  )
  await Promise.all(spent)
  expect((await listed).map(({ id }) => hex(id))).toEqual([hex(row.id)])
  const again = await Utxos.list(store, snapshot(5n, 5n, 5n), query)
  expect(again.map(({ id }) => hex(id))).toEqual([hex(row.id)])
  expect(await Utxos.list(store, snapshot(TIP, 5n, 5n), query)).toEqual([])
})

test('lists UTXOs spent since the snapshot together with unspent UTXOs, in order and up to the limit', async () => {
  const owners = ADDRESSES.slice(0, 1)
  const made = [1n, 2n, 3n, 4n, 5n, 5n].map((height, i) => {
    const consumed = i % 2 === 0 ? TIP : null
    return { chain: 'P', source: 'P', owners, height, consumed } as const
  })
  await fill(rows(made))
  for (const limit of [1, 2, 3, 4, 5, 6, 7]) {
    const query = { chain: 'P', source: 'P', addresses: ADDRESSES, after: undefined, limit } as const
    const listed = await Utxos.list(store, snapshot(5n, 5n, 5n), query)
    expect(listed.map(({ ordinal }) => ordinal)).toEqual([5, 4, 3, 2, 1, 0].slice(0, limit))
  }
})
