import type { Block, Transaction } from '@firn/evm'
import { BlockReader, EventAbi } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { SPAN } from '@firn/sql'
import { CITUS_URL, codeOf, database } from '@firn/sql/testing'
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import * as EventTables from './EventTables.ts'
import * as EvmDoctor from './EvmDoctor.ts'
import type { EvmStore } from './EvmStore.ts'
import { EvmWriter } from './EvmWriter.ts'
import type { PruneOptions } from './internal/prune.ts'
import * as Blocks from './queries/Blocks.ts'
import * as EvmChanges from './queries/Changes.ts'
import * as Logs from './queries/Logs.ts'
import * as EvmMetrics from './queries/Metrics.ts'
import * as Retention from './queries/Retention.ts'
import { resetEvmChain } from './resetEvmChain.ts'
import { eachDatabase } from './testing/databases.ts'
import { openEvm, TEST_CHAIN } from './testing/evm.ts'
import { evmAddress, evmBlock, evmTransaction, evmTransfer } from './testing/evmBlocks.ts'
import { evmContents } from './testing/evmContents.ts'

const DAY = 86_400n
/** Number of blocks per day. */
const DAILY = 4n
const START = 1_700_000_000n
const SERVERS = CITUS_URL === '' ? 1 : 2
/**
 * Bytes by which removable kinds may grow in six months: the totals of days, weeks and months remain, at most 150 kB a year,
 * and so does a partition with the first header, which has one page or two of each index. Each server has its own pages.
 */
const GROWTH: Readonly<Record<string, number>> = { metrics: 100_000, blocks: 80_000 * SERVERS }
/** Bytes by which the state of a chain without new contracts, tokens and addresses may grow: empty pages. */
const STATE_GROWTH = 100_000 * SERVERS

/** Tables from which rows are deleted one by one. */
const CHANGED_TABLES =
  'log internal_call transfer transaction block token_balance change rollup last_activity_count'.split(' ')

/** Returns a block of a chain with a block every six hours. Each has five transfers and an internal call. */
function block(height: bigint, first: bigint, fork = 0): Block {
  const logs = Array.from({ length: 5 }, (_, i) =>
    evmTransfer(BigInt(i), evmAddress(9), evmAddress(1), evmAddress(2 + fork), {
      amount: height + BigInt(i),
    }),
  )
  const transaction: Transaction = evmTransaction({ logs, input: new Uint8Array(100) })
  const { from, to = from, gasLimit: gas, gasUsed, value, succeeded } = transaction
  const call = { type: 'CALL', from, to, value, gas, gasUsed, succeeded } as const
  return evmBlock(height, {
    timestamp: START + ((height - first) * DAY) / DAILY,
    transactions: [transaction],
    traces: [{ ...call, calls: [{ ...call, from: to, to: from, calls: [] }] }],
  })
}

async function add(writer: EvmWriter, first: bigint, from: bigint, until: bigint): Promise<void> {
  const blocks = Array.from({ length: Number(until - from) }, (_, i) => block(from + BigInt(i), first))
  await writer.commit(blocks.map((one) => ({ block: one, contracts: [] })))
}

async function pruneAll(writer: EvmWriter, options: PruneOptions): Promise<void> {
  while (await writer.prune(options));
}

async function heights(store: EvmStore, table: string): Promise<bigint[]> {
  const { rows } = await sql<{ height: bigint }>`
    select distinct height from ${sql.table(table)} order by height`.execute(database(store))
  return rows.map(({ height }) => height)
}

describe('a year with retention', () => {
  it('bounds the size of the whole chain, and keeps the remaining data complete', async () => {
    const store = await openEvm()
    // The year crosses the boundary between two partitions.
    const first = SPAN - 200n * DAILY
    const writer = await EvmWriter.open(store, { ...TEST_CHAIN, firstHeight: first })
    const keep = {
      logs: 30n * DAY,
      traces: 14n * DAY,
      transfers: 30n * DAY,
      events: DAY,
      transactions: 40n * DAY,
      blocks: 40n * DAY,
      changes: 20n * DAY,
      balances: 20n * DAY,
      metrics: 20n * DAY,
    }
    const months: { readonly bytes: ReadonlyMap<string, bigint>; readonly partitions: number }[] = []
    for (let month = 0n; month < 12n; month++) {
      const from = first + month * 30n * DAILY
      for (let start = from; start < from + 30n * DAILY; start += 10n * DAILY) {
        await add(writer, first, start, start + 10n * DAILY)
        await pruneAll(writer, { keep, depth: 16n, batch: 1_000 })
        const kept = {
          log: await heights(store, 'log'),
          internal_call: await heights(store, 'internal_call'),
          transfer: await heights(store, 'transfer'),
          transaction: await heights(store, 'transaction'),
          block: await heights(store, 'block'),
          change: await heights(store, 'change'),
        }
        // The first header remains, and the change from which the feed can be read.
        if (kept.block[1] !== first + 1n) expect(kept.block.shift()).toBe(first)
        if (kept.change[0] !== first) kept.change.shift()
        const tip = start + 10n * DAILY - 1n
        for (const [table, days] of [
          ['log', 30n],
          ['internal_call', 14n],
          ['transfer', 30n],
          ['transaction', 40n],
          ['block', 40n],
          ['change', 20n],
        ] as const) {
          const least = [days * DAILY, tip - first].reduce((a, b) => (a < b ? a : b))
          // A quarter of the kept blocks may wait to be removed.
          const most = (days * DAILY * 5n) / 4n + 1n
          const count = BigInt(kept[table].length)
          expect([table, count, count >= least && count <= most]).toEqual([table, count, true])
        }
        expect(kept.log[0]).toBe(await Logs.completeFrom(store))
        expect(kept.internal_call[0]).toBe((await Retention.keptFrom(store, 'traces')) ?? first)
      }
      for (const table of CHANGED_TABLES) await sql.raw(`vacuum ${table}`).execute(database(store))
      const sizes = await Retention.sizes(store)
      const { rows } = await sql`select from pg_inherits where inhparent = to_regclass('log')`.execute(
        database(store),
      )
      months.push({
        bytes: new Map(sizes.map(({ kind, bytes }) => [kind, bytes])),
        partitions: rows.length,
      })
    }
    const bytesOf = (month: number, kind: string) => Number(months[month]?.bytes.get(kind))
    for (const kind of Object.keys(keep)) {
      const before = Math.max(...[2, 3, 4, 5].map((month) => bytesOf(month, kind)))
      const after = bytesOf(11, kind)
      const isFlat = after <= 1.1 * before + (GROWTH[kind] ?? 0)
      expect([kind, before, after, isFlat]).toEqual([kind, before, after, true])
    }
    expect(bytesOf(11, 'state')).toBeLessThanOrEqual(bytesOf(3, 'state') + STATE_GROWTH)
    expect(months.map(({ partitions }) => partitions)).toEqual([1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1])
    const { faults, blocks } = await EvmDoctor.check(store)
    expect(faults).toEqual([])
    expect(blocks).toBe(BigInt((await heights(store, 'block')).length))
    await store.close()
  })
})

describe('removed headers, changes and totals', () => {
  /** Stores 40 blocks of ten days, of which the newest four are never pruned, and removes all that is older. */
  async function pruned(store: EvmStore): Promise<EvmWriter> {
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    await add(writer, 0n, 0n, 40n)
    // The chain has no tables of events, so events need no period.
    const keep = { logs: 0n, traces: 0n, transfers: 0n, transactions: 0n }
    await pruneAll(writer, { keep: { ...keep, blocks: 0n, changes: 0n, metrics: 0n }, depth: 4n })
    return writer
  }

  it('leaves the first header, the block before the hour that an undo sums, and all later ones', async () => {
    const store = await openEvm()
    await pruned(store)
    expect(await heights(store, 'block')).toEqual([0n, 34n, 35n, 36n, 37n, 38n, 39n])
    const at = await store.snapshot()
    const page = await Blocks.page(store, at, { until: undefined, limit: 10 })
    expect(page.map(({ height }) => height)).toEqual([39n, 38n, 37n, 36n, 35n, 34n])
    expect((await EvmDoctor.check(store)).faults).toEqual([])
    await store.close()
  })

  it('returns to the same contents when blocks are undone, except what is older', async () => {
    const store = await openEvm()
    const writer = await pruned(store)
    const before = await evmContents(store)
    await add(writer, 0n, 40n, 43n)
    await writer.undo(39n)
    expect(await evmContents(store)).toEqual(before)
    await writer.undo(34n)
    expect((await EvmDoctor.check(store)).faults).toEqual([])
    expect(await codeOf(writer.undo(33n))).toBe('STORE_CURSOR')
    await store.close()
  })

  it('names the first kept change to a reader of removed changes', async () => {
    const store = await openEvm()
    await pruned(store)
    const all = await database(store).selectFrom('change').selectAll().orderBy('sequence').execute()
    expect(all.map(({ height }) => height)).toEqual([34n, 35n, 36n, 37n, 38n, 39n])
    const oldest = all[0]?.sequence as bigint
    for (const removed of [0n, oldest - 1n]) {
      const error = await EvmChanges.after(store, removed, 10).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'STORE_PRUNED', details: { oldest, actual: removed } })
    }
    expect(await EvmChanges.after(store, oldest, 10)).toEqual(all.slice(1))
    await store.close()
  })

  it('keeps the totals of days, and of the hours of which an undo changes some', async () => {
    const store = await openEvm()
    await pruned(store)
    const hours = await EvmMetrics.rollups(store, 'hour', { from: 0n, to: START * 2n }, ['transactions'])
    // Block 35 is in the day that starts at block 33, and the hours of the day before are kept, too.
    const from = (await Retention.hoursFrom(store)) as bigint
    expect(hours[0]?.start).toBeGreaterThanOrEqual(from)
    expect(hours.length).toBeLessThan(14)
    const days = await EvmMetrics.rollups(store, 'day', { from: 0n, to: START * 2n }, ['transactions'])
    expect(days.reduce((sum, { transactions }) => sum + transactions, 0n)).toBe(40n)
    await store.close()
  })

  it('knows the last block before a window whose hours are removed', async () => {
    const [store, whole] = await Promise.all([openEvm(), openEvm()])
    const later = evmBlock(40n, { timestamp: START + 40n * DAY, transactions: [], traces: [] })
    for (const one of [store, whole]) {
      const writer = await EvmWriter.open(one, TEST_CHAIN)
      await add(writer, 0n, 0n, 40n)
      await writer.commit([{ block: later, contracts: [] }])
      const options = { keep: { metrics: 0n }, depth: 0n }
      if (one === store) await pruneAll(writer, options)
    }
    const windows = [{ period: 'hour', from: later.timestamp - (later.timestamp % 3_600n) }] as const
    const read = (one: EvmStore) => EvmMetrics.windows(one, windows, ['last_milliseconds'])
    expect((await read(store))[0]?.before).not.toBeNull()
    expect(await read(store)).toEqual(await read(whole))
    await Promise.all([store.close(), whole.close()])
  })
})

it('removes nothing after another writer has taken over', async () => {
  const store = await openEvm()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  await add(writer, 0n, 0n, 40n)
  const { driver } = store
  const run = driver.transaction.bind(driver)
  // The first database transaction announces what is removed.
  const spied = vi.spyOn(driver, 'transaction').mockImplementationOnce(run)
  spied.mockImplementationOnce(async (work) => {
    await run((session) => session.query('update writer set fence = fence + 1'))
    return run(work)
  })
  expect(await codeOf(writer.prune({ keep: { logs: 0n }, depth: 4n }))).toBe('STORE_FENCED')
  expect(await heights(store, 'log')).toHaveLength(40)
  await store.close()
})

it('leaves a partition that a reader uses for the next call, and starts over after a reset', async () => {
  const store = await openEvm()
  const first = SPAN - 10n
  const open = () => EvmWriter.open(store, { ...TEST_CHAIN, firstHeight: first })
  const writer = await open()
  await add(writer, first, first, SPAN + 30n)
  const options = { keep: { logs: 4n * DAY, traces: 4n * DAY }, depth: 4n }
  const partitions = async () =>
    (
      await sql<{ name: string }>`select inhrelid::regclass::text as name from pg_inherits
        where inhparent in ('log'::regclass, 'internal_call'::regclass) order by 1`.execute(database(store))
    ).rows.map(({ name }) => name)
  const all = ['internal_call_0', 'internal_call_1', 'log_0', 'log_1']
  await store.driver.transaction(async (session) => {
    await session.query('select count(*) from log')
    // PGlite has one connection, so no reader can keep a lock there.
    if (!store.driver.isShared) return
    await pruneAll(writer, options)
    expect(await partitions()).toEqual(all.filter((name) => name !== 'internal_call_0'))
    expect((await session.query('select count(*) as count from log'))[0]).toEqual({ count: 200n })
  })
  expect(await Logs.completeFrom(store)).toBe(SPAN + 13n)
  await pruneAll(writer, options)
  expect(await partitions()).toEqual(['internal_call_1', 'log_1'])
  await resetEvmChain(store)
  await add(await open(), first, first, SPAN + 30n)
  expect(await Logs.completeFrom(store)).toBe(first)
  expect(await partitions()).toEqual(all)
  expect((await EvmDoctor.check(store)).faults).toEqual([])
  await store.close()
})

eachDatabase((kind) => {
  const keep = { logs: 4n * DAY, traces: 2n * DAY }
  const options = { keep, depth: 4n }

  it('removes the rest after a restart, even without a retention', async () => {
    const store = await kind.openEvm()
    const before = await EvmWriter.open(store, TEST_CHAIN)
    await add(before, 0n, 0n, 40n)
    expect(await before.prune({ ...options, batch: 10 })).toBe(true)
    // Blocks 0 to 22 are older than four days. Only the first batch of their logs is removed yet.
    expect(await Logs.completeFrom(store)).toBe(23n)
    expect((await heights(store, 'log'))[0]).toBeLessThan(23n)
    expect((await EvmDoctor.check(store)).faults).toEqual([])
    const after = await EvmWriter.open(store, TEST_CHAIN)
    await pruneAll(after, { keep: {}, depth: 4n })
    expect((await heights(store, 'log'))[0]).toBe(23n)
    expect((await heights(store, 'internal_call'))[0]).toBe(31n)
    expect(await codeOf(before.prune(options))).toBe('STORE_FENCED')
  })

  it('keeps the newest blocks, so that an undo returns to the same contents', async () => {
    const store = await kind.openEvm()
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    await add(writer, 0n, 0n, 40n)
    await pruneAll(writer, { keep: { logs: 0n, traces: 0n }, depth: 4n })
    expect(await heights(store, 'log')).toEqual([35n, 36n, 37n, 38n, 39n])
    const before = await evmContents(store)
    await add(writer, 0n, 40n, 43n)
    await writer.undo(39n)
    expect(await evmContents(store)).toEqual(before)
    expect(await codeOf(writer.undo(33n))).toBe('STORE_CURSOR')
  })
})

it('finds differences in the remaining data of pruned blocks', async () => {
  const store = await openEvm()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  await add(writer, 0n, 0n, 40n)
  await pruneAll(writer, { keep: { logs: 4n * DAY, traces: 2n * DAY }, depth: 4n })
  const run = (text: string) => sql.raw(text).execute(database(store))
  for (const [harm, back] of [
    [
      'update log set data = data || data where height = 35',
      'update log set data = substr(data, 1, 32) where height = 35',
    ],
    ['delete from internal_call where height = 35', undefined],
    ['update block set digest = hash where height = 5', undefined],
  ] as const) {
    await run(harm)
    const { faults } = await EvmDoctor.check(store)
    expect(faults.map(({ height }) => height)).toContain(harm.includes('35') ? 35n : 5n)
    if (back !== undefined) await run(back)
  }
  await store.close()
})

it('verifies state against the kept transfers, with older state as given', async () => {
  const store = await openEvm()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  const blocks = inventedChain({ seed: 7, transactions: [4, 8], accounts: 8 })
    .grow(80)
    .map((parts) => BlockReader.read(parts))
  await writer.commit(blocks.map((one) => ({ block: one, contracts: [] })))
  await pruneAll(writer, { keep: { transfers: 0n }, depth: 40n })
  const kept = await Retention.keptFrom(store, 'transfers')
  expect([kept, (await heights(store, 'transfer'))[0]]).toEqual([39n, expect.any(BigInt)])
  expect((await EvmDoctor.check(store)).faults).toEqual([])
  const run = (text: string) => sql.raw(text).execute(database(store))
  for (const [table, harm, back] of [
    [
      'token_balance',
      'update token_balance set balance = balance + 1 where since >= 39',
      'balance = balance - 1',
    ],
    [
      'token_owner',
      "update token_owner set owner = '\\x01' || owner where since >= 39",
      'owner = substr(owner, 2)',
    ],
    [
      'token_owner',
      'update token_owner set until = until + 1000 where until >= 39 and since >= 39',
      undefined,
    ],
    ['token', 'update token set since = since + 1000 where since >= 39', 'since = since - 1000'],
    ['contract', 'update contract set since = since + 1000 where since >= 39', 'since = since - 1000'],
    ['last_activity', 'update last_activity set last = last - 3600 where last > 0', 'last = last + 3600'],
  ] as const) {
    await run(harm)
    const { faults } = await EvmDoctor.check(store)
    expect([harm, faults.map((fault) => fault.table)]).toEqual([harm, expect.arrayContaining([table])])
    if (back !== undefined) await run(harm.replace(/set .* where/, `set ${back} where`))
  }
  await store.close()
})

it('returns to the last activity of addresses when blocks are undone, also if it was removed', async () => {
  const [store, whole] = await Promise.all([openEvm(), openEvm()])
  const blocks = inventedChain({ seed: 3, transactions: [1, 3], accounts: 8 })
    .grow(90)
    .map((parts) => ({ block: BlockReader.read(parts), contracts: [] }))
  const [writer, other] = await Promise.all([
    EvmWriter.open(store, TEST_CHAIN),
    EvmWriter.open(whole, TEST_CHAIN),
  ])
  await Promise.all([writer.commit(blocks), other.commit(blocks)])
  const keep = { logs: 0n, traces: 0n, events: 0n, transfers: 0n, transactions: 0n, blocks: 0n, metrics: 0n }
  await pruneAll(writer, { keep, depth: 20n, batch: 10 })
  expect((await heights(store, 'block'))[1]).toBeGreaterThan(30n)
  expect((await heights(store, 'transaction'))[0]).toBe(69n)
  const from = (await Retention.hoursFrom(store)) ?? 0n
  for (const height of [85n, 77n, 69n]) {
    await Promise.all([writer.undo(height), other.undo(height)])
    expect(await activity(store, from)).toEqual(await activity(whole, from))
    expect((await EvmDoctor.check(store)).faults).toEqual([])
  }
  await Promise.all([store.close(), whole.close()])
})

it('knows the last activity of addresses in a dropped partition', async () => {
  const store = await openEvm()
  const first = SPAN - 2n
  const writer = await EvmWriter.open(store, { ...TEST_CHAIN, firstHeight: first })
  await writer.commit([first, first + 1n].map((at) => ({ block: block(at, first, 1), contracts: [] })))
  await add(writer, first, SPAN, SPAN + 40n)
  const keep = { logs: 0n, traces: 0n, events: 0n, transfers: 0n, transactions: 0n, blocks: 0n }
  await pruneAll(writer, { keep, depth: 30n, batch: 3 })
  expect((await heights(store, 'block')).slice(0, 2)).toEqual([first, SPAN + 8n])
  expect((await heights(store, 'transfer'))[0]).toBe(SPAN + 9n)
  expect((await EvmDoctor.check(store)).faults).toEqual([])
  await store.close()
})

/** Returns the activity of addresses, with the totals of hours from a time on, and of longer periods. */
async function activity(store: EvmStore, from: bigint): Promise<unknown> {
  const { last_activity, last_activity_count = [], rollup = [] } = await evmContents(store)
  const isKept = (row: string) => {
    const [, hour] = /^period hour, start (\d+)/.exec(row) ?? []
    return hour === undefined || BigInt(hour) >= from
  }
  return { last_activity, counts: last_activity_count.filter(isKept), totals: rollup.filter(isKept) }
}

it('keeps logs until their events are decoded, and removes old events', async () => {
  const store = await openEvm()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  const inputs = ['from', 'to'].map((name) => ({ name, type: 'address', indexed: true }))
  const value = { name: 'value', type: 'uint256', indexed: false }
  const [event] = EventAbi.parse([{ type: 'event', name: 'Transfer', inputs: [...inputs, value] }])
  const sources = [{ abi: 'Coin', event: event as EventAbi.EventAbi, addresses: [] }]
  const tables = await EventTables.create(store, sources)
  await add(writer, 0n, 0n, 40n)
  const keep = { logs: 2n * DAY, events: 4n * DAY }
  await pruneAll(writer, { keep, depth: 4n, eventTables: tables })
  expect(await Logs.completeFrom(store)).toBe(0n)
  while (await EventTables.advance(store, tables));
  await pruneAll(writer, { keep, depth: 4n, eventTables: tables })
  expect(await Logs.completeFrom(store)).toBe(31n)
  expect((await heights(store, tables[0] as string))[0]).toBe(23n)
  expect((await EvmDoctor.check(store)).faults).toEqual([])
  // The table is not created anew, because all kept logs are decoded.
  await EventTables.create(store, sources)
  expect((await heights(store, tables[0] as string))[0]).toBe(23n)
  const { rows } = await sql<{ from_height: bigint }>`select from_height from event_table`.execute(
    database(store),
  )
  expect(rows).toEqual([{ from_height: 23n }])
  // Transactions are kept as long as decoded events, even if these are no longer filled.
  await pruneAll(writer, { keep: { logs: 0n, traces: 0n, transfers: 0n, transactions: 0n }, depth: 4n })
  expect((await heights(store, 'transaction'))[0]).toBe(23n)
  await store.close()
})
