import { join } from 'node:path'
import { type ChainAlias, Hex } from '@firn/codec'
import { systemClock } from '@firn/runtime'
import { database } from '@firn/sql/testing'
import { StateDigest, type Store } from '@firn/store'
import { eachDatabase, recordedStore } from '@firn/store/testing'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { temporaryFolder, unpack } from '../../testing/archives.ts'
import { createArchiveSource } from '../archive/ArchiveSource.ts'
import * as GenesisFiles from '../archive/GenesisFiles.ts'
import { createIndexer } from '../Indexer.ts'
import * as Doctor from './Doctor.ts'

const { folder, remove } = temporaryFolder()
const archive = join(folder, 'local')
let rules: GenesisFiles.NetworkRules
beforeAll(async () => {
  unpack('local', archive)
  rules = await GenesisFiles.load({ archive, now: 0n })
})
afterAll(remove)

const signal = new AbortController().signal
const messages = ({ findings }: Doctor.Examination) => findings.map(({ message }) => message)
const checks = ({ findings }: Doctor.Examination) =>
  findings.map(({ check, chain, height }) => `${check} ${chain} ${height}`)

/** Tables that tests change. They are restored after each test. */
const CHANGED = ['block', 'cursor', 'utxo']
const copyOf = ({ schema }: Store, table: string) =>
  `create table ${schema}.intact_${table} as table ${schema}.${table}`
const restored = ({ schema }: Store, table: string) => [
  `delete from ${schema}.${table}`,
  `insert into ${schema}.${table} table ${schema}.intact_${table}`,
]
/** Waits until a store reads its cursors again, which it does a few times per second. */
const untilRead = () => systemClock.sleep(300)

eachDatabase(({ open }) => {
  let store: Store
  beforeAll(async () => {
    store = await open()
    const source = createArchiveSource(archive)
    await createIndexer({ store, source, ...rules }).run(signal)
    await source.close()
    for (const table of CHANGED) await store.driver.control(copyOf(store, table))
  })
  afterEach(async () => {
    for (const table of CHANGED) for (const text of restored(store, table)) await store.driver.control(text)
    await untilRead()
  })

  it('reports no findings for an intact database', async () => {
    const source = createArchiveSource(archive)
    const found = await Doctor.examine({ store, source, replay: true }, signal)
    await source.close()
    expect(messages(found)).toEqual([])
    expect(found.blocks).toEqual({ P: 86, X: 36, C: 83 })
    expect(found.digests.map(({ chain, height }) => `${chain} ${height}`)).toEqual(['P 85', 'X 35', 'C 83'])
    const recorded = await StateDigest.of(await recordedStore('local'))
    expect(Hex.encode(found.state ?? new Uint8Array())).toBe(Hex.encode(recorded))
  })

  it('reports a missing block and a missing range of blocks', async () => {
    await database(store).deleteFrom('block').where('chain', '=', 'P').where('height', '=', 41n).execute()
    await database(store).deleteFrom('block').where('chain', '=', 'C').where('height', '>=', 82n).execute()
    const found = await Doctor.examine({ store, source: undefined }, signal)
    expect(checks(found)).toContain('gap P 41')
    expect(messages(found)).toContain('P-chain: block 41 is missing')
    expect(messages(found)).toContain('C-chain: blocks 82 to 83 are missing')
  })

  it('reports findings for a block in which a byte of its container or inner block was changed', async () => {
    const row = await database(store)
      .selectFrom('block')
      .selectAll()
      .where('chain', '=', 'X')
      .where('height', '=', 20n)
      .executeTakeFirstOrThrow()
    const change = async (at: number) => {
      const container = row.container.slice()
      container[at] = (container[at] ?? 0) ^ 1
      await database(store)
        .updateTable('block')
        .set({ container })
        .where('chain', '=', 'X')
        .where('height', '=', 20n)
        .execute()
      return checks(await Doctor.examine({ store }, signal))
    }
    for (const at of [3, row.inner_offset + 10, row.inner_offset + row.inner_length - 1]) {
      const found = await change(at)
      expect(found.length).toBeGreaterThan(0)
      expect(found.every((it) => it.includes('X 20') || it.includes('X 21'))).toBe(true)
    }
  })

  it('detects ids, parents, digests and transactions that do not match the block bytes', async () => {
    const set = (height: bigint, values: object) =>
      database(store)
        .updateTable('block')
        .set(values)
        .where('chain', '=', 'P')
        .where('height', '=', height)
        .execute()
    await set(10n, { digest: new Uint8Array(32) })
    await set(20n, { parent_id: new Uint8Array(32) })
    await set(30n, { transactions: 77 })
    await set(50n, { id: new Uint8Array(32).fill(1) })
    const found = checks(await Doctor.examine({ store }, signal))
    for (const finding of [
      'digest P 10',
      'digest P 11',
      'parent P 20',
      'transactions P 30',
      'block P 50',
      'parent P 51',
    ])
      expect(found).toContain(finding)
    expect(found).not.toContain('block P 20')
  })

  it('detects a cursor with the wrong block id', async () => {
    const other = { block_id: new Uint8Array(32).fill(9) }
    await database(store).updateTable('cursor').set(other).where('chain', '=', 'X').execute()
    await untilRead()
    expect(checks(await Doctor.examine({ store }, signal))).toEqual(['cursor X 35'])
  })

  it('detects, by replaying the blocks, a changed UTXO that the other checks miss', async () => {
    await database(store).updateTable('utxo').set({ locktime: 5n }).where('tx_id', 'is not', null).execute()
    expect(messages(await Doctor.examine({ store }, signal))).toEqual([])
    const found = await Doctor.examine({ store, replay: true }, signal)
    expect(messages(found)).toEqual([expect.stringContaining('the tables do not match the blocks')])
  })

  it('compares heights and block ids with a source', async () => {
    const source = createArchiveSource(archive)
    const longer = { ...source, tip: async () => 100n }
    expect(messages(await Doctor.examine({ store, source: longer }, signal))[0]).toMatch(
      /ends at height 85, .* at 100/,
    )
    const other = {
      ...source,
      blocks: (_chain: ChainAlias, from: bigint, limit: number) => source.blocks('P', from - 1n, limit),
    }
    expect(checks(await Doctor.examine({ store, source: other }, signal))).toContain('source P 85')
    await source.close()
  })
})
