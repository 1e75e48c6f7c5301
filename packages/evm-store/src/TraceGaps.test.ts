import { Hex } from '@firn/codec'
import type { Block, CallFrame, ContractFacts, Log, Transaction } from '@firn/evm'
import { database } from '@firn/sql/testing'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import * as EvmDoctor from './EvmDoctor.ts'
import type { EvmStore } from './EvmStore.ts'
import { EvmWriter } from './EvmWriter.ts'
import type { IndexedBlock } from './IndexedBlock.ts'
import { MAX_UNCHECKED } from './internal/storeChecks.ts'
import * as BalanceChecks from './queries/BalanceChecks.ts'
import * as BlockContents from './queries/BlockContents.ts'
import * as Changes from './queries/Changes.ts'
import * as Contracts from './queries/Contracts.ts'
import * as InternalCalls from './queries/InternalCalls.ts'
import * as TraceGaps from './queries/TraceGaps.ts'
import { eachDatabase } from './testing/databases.ts'
import { TEST_CHAIN } from './testing/evm.ts'
import { evmContents } from './testing/evmContents.ts'

const HOUR = 3_600n
/** Hours of the blocks: some in the same hour, some in the same day, the last ones in later weeks and months. */
const HOURS = [0n, 1n, 1n, 5n, 23n, 30n, 200n, 2_000n]

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value)
const SENDER = bytes(20, 0x51)
const FACTORY = bytes(20, 0xfa)
const OTHER = bytes(20, 0xfb)
const CREATED = bytes(20, 0xc0)

const frame = (given: Partial<CallFrame>): CallFrame => ({
  ...{ type: 'CALL', from: SENDER, to: FACTORY, value: 0n, gas: 90_000n, gasUsed: 50_000n },
  ...{ succeeded: true, calls: [] },
  ...given,
})

function transaction(height: number, logs: Transaction['logs']): Transaction {
  return {
    ...{ hash: bytes(32, 100 + height), index: 0, type: 2, from: SENDER, to: FACTORY, nonce: BigInt(height) },
    ...{ value: 0n, input: bytes(4, 1), gasLimit: 90_000n, succeeded: true, gasUsed: 50_000n, gasPrice: 25n },
    ...{ maxFeePerGas: 50n, maxPriorityFeePerGas: 1n, contractAddress: undefined, logs },
  }
}

/**
 * Returns a block in which a factory, called by a transaction, creates a contract, and then calls it. The contract of
 * block 3 is also created again in block 5. Another factory creates a contract in blocks 2 and 6.
 */
function blockAt(height: number): IndexedBlock {
  const created = Uint8Array.of(...CREATED.subarray(1), height === 5 ? 3 : height)
  const calls = [
    frame({ type: 'CREATE2', from: FACTORY, to: created, gas: 70_000n, gasUsed: 40_000n }),
    frame({ from: FACTORY, to: created, value: 7n, gas: 5_000n, gasUsed: 3_000n }),
    ...([2, 6].includes(height)
      ? [frame({ type: 'CREATE', from: OTHER, to: bytes(20, 0xd0 + height) })]
      : []),
  ]
  const block: Block = {
    ...{ height: BigInt(height), hash: bytes(32, height + 1), parentHash: bytes(32, height) },
    timestamp: 1_750_000_000n - (1_750_000_000n % 86_400n) + (HOURS[height] ?? 0n) * HOUR,
    ...{ timestampMilliseconds: undefined, minDelayExcess: undefined, miner: bytes(20, 0), baseFee: 25n },
    ...{ gasLimit: 8_000_000n, gasUsed: 50_000n, blockGasCost: undefined, settledHeight: undefined },
    transactions: [transaction(height, [])],
    traces: [frame({ calls })],
  }
  return { block, contracts: [{ address: created, kind: 'UNKNOWN' }] as unknown as IndexedBlock['contracts'] }
}

const ALL = HOURS.map((_hour, height) => blockAt(height))
const untraced = ({ block }: IndexedBlock): IndexedBlock => ({
  block: { ...block, traces: undefined },
  contracts: [],
  tracesDue: 5n,
})
const PRUNED = ['blocks', 'transactions', 'transfers', 'traces', 'logs', 'events'] as const

/** Stores all blocks, those at the given heights without their traces. */
const storeAll = async (store: EvmStore, gaps: readonly number[]) => {
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  await writer.commit(ALL.map((one, height) => (gaps.includes(height) ? untraced(one) : one)))
  return writer
}
const at = (height: number) => ALL[height] as IndexedBlock

/** Returns the contract that a block's factory creates. */
const createdAt = (height: number) => Uint8Array.of(...CREATED.subarray(1), height)
const tokenAt = (height: number): ContractFacts => ({
  ...{ address: createdAt(height), kind: 'ERC-20', decimals: 6 },
  ...{ name: bytes(1, 0x41), symbol: bytes(1, 0x42) },
})
const UPGRADED = Hex.decode('0xbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b')

/** Returns a block that creates a complete token, and in which another contract tells that it was upgraded. */
const upgrade = (height: number, address: Uint8Array): IndexedBlock => {
  const log: Log = { index: 0n, address, topics: [UPGRADED, bytes(32, 0)], data: bytes(0, 0) }
  const { block } = at(height)
  return { block: { ...block, transactions: [transaction(height, [log])] }, contracts: [tokenAt(height)] }
}

/** Returns whether a contract is to be read again at the block of a height, or a second after it. */
const dueAt = async (store: EvmStore, address: Uint8Array, height: number) => {
  const { timestamp } = at(height).block
  const isDue = async (time: bigint) =>
    (await Contracts.due(store, time, 99)).some((one) => Buffer.from(one.address).equals(address))
  return [await isDue(timestamp), await isDue(timestamp + 1n)]
}

eachDatabase(({ openEvm }) => {
  test.each([
    [[3], [3]],
    [[0], [0]],
    [[7], [7]],
    [
      [1, 2],
      [2, 1],
    ],
    [
      [0, 1, 2, 3, 4, 5, 6, 7],
      [4, 0, 7, 5, 2, 6, 3, 1],
    ],
  ])('counts the deployers of blocks %j, filled in in the order %j, in each period', async (gaps, order) => {
    const [store, honest] = await Promise.all([openEvm(), openEvm()])
    await storeAll(honest, [])
    const writer = await storeAll(store, gaps)
    for (const height of order) {
      expect((await EvmDoctor.check(store)).faults).toEqual([])
      expect(await writer.fillTraces(at(height))).toBe(true)
    }
    while (await writer.refreshDigests(3));
    expect(await evmContents(store)).toEqual(await evmContents(honest))
  })

  test('stores blocks without traces, and returns which ones until they are filled in', async () => {
    const store = await openEvm()
    const writer = await storeAll(store, [2, 4])
    expect(await TraceGaps.summary(store)).toEqual({ blocks: 2, first: 2n })
    expect(await TraceGaps.among(store, [1n, 2n, 3n, 4n])).toEqual(new Set([2n, 4n]))
    expect(await TraceGaps.next(store)).toMatchObject({ height: 2n, attempts: 0, due: 5n })
    await writer.postponeTraces(at(2).block, 9n)
    await writer.postponeTraces({ height: 4n, hash: at(3).block.hash }, 9n)
    expect(await TraceGaps.next(store)).toMatchObject({ height: 4n, attempts: 0, due: 5n })
    const before = await store.snapshot()
    expect(before.untracedFrom).toBe(2n)
    expect((await BlockContents.atHeight(store, 4n))?.calls).toBeUndefined()
    expect(await writer.fillTraces(at(4))).toBe(true)
    expect((await BlockContents.atHeight(store, 4n))?.calls).toHaveLength(2)
    const after = await store.snapshot()
    expect([after.sequence, after.untracedFrom]).toEqual([before.sequence + 1n, 2n])
    expect(await InternalCalls.ofTransactions(store, [{ height: 4n, index: 0 }], undefined)).toHaveLength(2)
    expect(await TraceGaps.summary(store)).toEqual({ blocks: 1, first: 2n })
    expect(await TraceGaps.next(store)).toMatchObject({ height: 2n, attempts: 1, due: 9n })
    await writer.fillTraces(at(2))
    expect(await TraceGaps.summary(store)).toBeUndefined()
    expect((await store.snapshot()).untracedFrom).toBeUndefined()
    const reopened = await EvmWriter.open(store, TEST_CHAIN)
    await reopened.undo(5n)
    await reopened.commit([untraced(at(6))])
    expect((await store.snapshot()).untracedFrom).toBe(6n)
    await reopened.undo(5n)
    expect((await store.snapshot()).untracedFrom).toBeUndefined()
  })

  test('continues to commit after traces are filled in, also while blocks are being stored', async () => {
    const [store, honest] = await Promise.all([openEvm(), openEvm()])
    await storeAll(honest, [])
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    await writer.commit([at(0), untraced(at(1)), at(2)])
    await Promise.all([writer.commit([at(3)]), writer.fillTraces(at(1)), writer.commit(ALL.slice(4))])
    while (await writer.refreshDigests());
    expect(await evmContents(store)).toEqual(await evmContents(honest))
  })

  test('adds a change for the traces of a block, with the change that added the block', async () => {
    const store = await openEvm()
    const writer = await storeAll(store, [2, 6])
    const { sequence } = await store.snapshot()
    await writer.undo(5n)
    await writer.commit([untraced(at(6)), at(7)])
    const before = (await store.snapshot()).sequence
    await writer.fillTraces(at(6))
    await writer.fillTraces(at(2))
    await writer.fillTraces(at(2))
    const changes = await Changes.after(store, before, 10)
    const { block } = at(6)
    expect(changes.map(({ kind, height, added }) => [kind, height, added])).toEqual([
      ['traced', 6n, sequence + 3n],
      ['traced', 2n, 3n],
    ])
    expect(changes[0]).toMatchObject({
      hash: block.hash,
      parent_hash: block.parentHash,
      time: block.timestamp,
    })
    const reopened = await EvmWriter.open(store, TEST_CHAIN)
    await reopened.undo(6n)
    expect((await Changes.after(store, changes[1]?.sequence ?? 0n, 10)).map(({ kind }) => kind)).toEqual([
      'undone',
    ])
  })

  test('changes the chain digests of later blocks in bounded steps, between which blocks are stored', async () => {
    const [store, honest] = await Promise.all([openEvm(), openEvm()])
    await storeAll(honest, [])
    let writer = await EvmWriter.open(store, TEST_CHAIN)
    await writer.commit([untraced(at(0)), ...ALL.slice(1, 4), untraced(at(4)), at(5)])
    const digests = async () =>
      (await database(store).selectFrom('block').select('chain_digest').orderBy('height').execute()).map(
        ({ chain_digest }) => Hex.encode(chain_digest),
      )
    const isStale = async () => (await EvmDoctor.completeness(store))[0]?.isDigestStale
    const before = await digests()
    expect(await isStale()).toBe(false)
    await writer.fillTraces(at(0))
    // Only the digest of the block itself is new.
    expect((await digests()).slice(1)).toEqual(before.slice(1))
    expect(await isStale()).toBe(true)
    expect(await writer.refreshDigests(2)).toBe(true)
    expect((await digests()).slice(3)).toEqual(before.slice(3))
    expect((await digests()).slice(1, 3)).not.toEqual(before.slice(1, 3))
    await writer.fillTraces(at(4))
    writer = await EvmWriter.open(store, TEST_CHAIN)
    await writer.commit([at(6)])
    expect((await EvmDoctor.check(store)).faults).toEqual([])
    expect(await writer.refreshDigests(2)).toBe(true)
    await writer.commit([at(7)])
    expect((await EvmDoctor.check(store)).faults).toEqual([])
    while (await writer.refreshDigests(2));
    expect(await isStale()).toBe(false)
    expect(await writer.refreshDigests(2)).toBe(false)
    expect(await evmContents(store)).toEqual(await evmContents(honest))
  })

  test('computes nothing again above a block that a reorg has removed', async () => {
    const [store, honest] = await Promise.all([openEvm(), openEvm()])
    const writer = await storeAll(store, [2])
    await writer.fillTraces(at(2))
    await writer.refreshDigests(1)
    await writer.undo(3n)
    expect(await writer.refreshDigests()).toBe(false)
    await writer.commit(ALL.slice(4))
    await storeAll(honest, [])
    expect(await evmContents(store)).toEqual(await evmContents(honest))
  })

  test('keeps the headers whose chain digests are to be computed again', async () => {
    const [store, honest] = await Promise.all([openEvm(), openEvm()])
    const keep = Object.fromEntries(PRUNED.map((kind) => [kind, HOUR * 1_900n]))
    const writers = [await storeAll(store, [1]), await storeAll(honest, [])] as const
    const prune = async (writer: EvmWriter) => {
      while (await writer.prune({ keep, depth: 1n }));
    }
    await writers[0].fillTraces(at(1))
    await prune(writers[0])
    expect((await EvmDoctor.check(store)).faults).toEqual([])
    while (await writers[0].refreshDigests(1));
    for (const writer of writers) await prune(writer)
    expect(await evmContents(store)).toEqual(await evmContents(honest))
  })

  test('finds a chain digest that follows from no other, and heights without a block', async () => {
    const store = await openEvm()
    const writer = await storeAll(store, [2])
    await writer.fillTraces(at(2))
    const run = (text: string) => sql.raw(text).execute(database(store))
    const faults = async () =>
      (await EvmDoctor.check(store)).faults.map(({ table, height }) => [table, height])
    expect(await faults()).toEqual([])
    await run("insert into stale_digest values (77, '\\x00')")
    expect(await faults()).toEqual([['stale_digest', 77n]])
    await run('delete from stale_digest')
    expect(await faults()).toEqual([['block', 3n]])
  })

  test('changes nothing for a block that is not stored, that has its traces, or that comes without them', async () => {
    const store = await openEvm()
    const writer = await storeAll(store, [6])
    const before = await evmContents(store)
    const other = { ...at(6).block, hash: bytes(32, 0xee) }
    expect(await writer.fillTraces({ block: other, contracts: [] })).toBe(false)
    expect(await writer.fillTraces(at(5))).toBe(false)
    expect(await writer.fillTraces(untraced(at(6)))).toBe(false)
    expect(await evmContents(store)).toEqual(before)
    await writer.undo(5n)
    expect(await writer.fillTraces(at(6))).toBe(false)
    expect(await TraceGaps.summary(store)).toBeUndefined()
  })

  test('rejects traces that come with other receipts than the stored ones, and goes on', async () => {
    const store = await openEvm()
    const writer = await storeAll(store, [6])
    const { block, contracts } = at(6)
    const [first] = block.transactions
    const changed = { ...block, transactions: [{ ...(first as Transaction), gasUsed: 49_999n }] }
    await expect(writer.fillTraces({ block: changed, contracts })).rejects.toMatchObject({
      code: 'STORE_BLOCK',
    })
    const logs = [{ index: 0n, address: FACTORY, topics: [], data: bytes(1, 1) }]
    const logged = { ...block, transactions: [{ ...(first as Transaction), logs }] }
    await expect(writer.fillTraces({ block: logged, contracts })).rejects.toMatchObject({
      code: 'STORE_BLOCK',
    })
    expect(await writer.fillTraces(at(6))).toBe(true)
  })

  test('still rejects a block without traces that is not marked so', async () => {
    const store = await openEvm()
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    const { block } = untraced(at(0))
    await expect(writer.commit([{ block, contracts: [] }])).rejects.toMatchObject({ code: 'STORE_BLOCK' })
  })

  test('has no fault for stored gaps, and one for traces that are missing unexpectedly', async () => {
    const store = await openEvm()
    await storeAll(store, [2, 4])
    expect(await EvmDoctor.check(store)).toMatchObject({ faults: [], untraced: [2n, 4n] })
    const run = (text: string) => sql.raw(text).execute(database(store))
    await run('delete from trace_gap where height = 2')
    const missing = await EvmDoctor.check(store)
    expect(missing.faults.map(({ height }) => height)).toContain(2n)
    expect(missing.untraced).toEqual([4n])
    await run("insert into trace_gap values (2, '\\x00', 0, 0), (77, '\\x00', 0, 0)")
    const { faults } = await EvmDoctor.check(store)
    expect(faults.filter(({ table }) => table === 'trace_gap').map(({ height }) => height)).toEqual([2n, 77n])
  })

  test('forgets gaps of blocks whose data was removed', async () => {
    const store = await openEvm()
    const writer = await storeAll(store, [1, 3, 6])
    const options = { keep: { traces: HOUR * 1_900n }, depth: 1n }
    while (await writer.prune(options));
    expect(await TraceGaps.summary(store)).toEqual({ blocks: 1, first: 6n })
    expect((await EvmDoctor.check(store)).faults).toEqual([])
    expect(await writer.fillTraces(at(3))).toBe(false)
    expect(await writer.fillTraces(at(6))).toBe(true)
    expect((await EvmDoctor.check(store)).faults).toEqual([])
  })

  test('adds traces to a block of which only the transfers were removed', async () => {
    const [store, honest] = await Promise.all([openEvm(), openEvm()])
    const writers = [await storeAll(store, [3]), await storeAll(honest, [])]
    const options = { keep: { transfers: HOUR * 1_900n }, depth: 1n }
    for (const writer of writers) while (await writer.prune(options));
    expect(await TraceGaps.summary(store)).toEqual({ blocks: 1, first: 3n })
    expect(await writers[0]?.fillTraces(at(3))).toBe(true)
    while (await writers[0]?.refreshDigests());
    expect(await evmContents(store)).toEqual(await evmContents(honest))
  })

  test('adds no traces to a block whose data is removed just before', async () => {
    const store = await openEvm()
    const writer = await storeAll(store, [3])
    const { transaction: begin } = store.driver
    const options = { keep: { traces: HOUR * 1_900n }, depth: 1n }
    vi.spyOn(store.driver, 'transaction').mockImplementationOnce(async (work) => {
      const result = await begin(work)
      while (await writer.prune(options));
      return result
    })
    expect(await writer.fillTraces(at(3))).toBe(false)
    expect(await InternalCalls.ofTransactions(store, [{ height: 3n, index: 0 }], undefined)).toEqual([])
    expect((await EvmDoctor.check(store)).faults).toEqual([])
    await writer.undo(6n)
    await writer.commit([at(7)])
  })

  test('reads a contract again that changed after its creation, before the traces tell of it', async () => {
    const store = await openEvm()
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    await writer.commit(ALL.slice(0, 4))
    await writer.commit([untraced(at(4)), at(5), upgrade(6, createdAt(4)), at(7)])
    expect(await dueAt(store, createdAt(4), 7)).toEqual([false, false])
    await writer.fillTraces({ ...at(4), contracts: [tokenAt(4)] })
    expect(await dueAt(store, createdAt(4), 7)).toEqual([false, true])
  })

  test('still reads a contract after its last change when traces of an earlier change arrive', async () => {
    const store = await openEvm()
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    await writer.commit([at(0), { ...at(1), contracts: [tokenAt(1)] }, at(2), at(3)])
    await writer.commit([untraced(upgrade(4, createdAt(1))), at(5), upgrade(6, createdAt(1)), at(7)])
    expect(await dueAt(store, createdAt(1), 6)).toEqual([false, true])
    await writer.fillTraces(upgrade(4, createdAt(1)))
    expect(await dueAt(store, createdAt(1), 6)).toEqual([false, true])
  })

  test('does not call balances checked that were not, when too many wait for a check', async () => {
    const store = await openEvm()
    const writer = await storeAll(store, [4])
    const unchecked = Array.from({ length: MAX_UNCHECKED }, (_, i) => ({
      ...{ contract: OTHER, standard: 1155, tokenId: BigInt(i), address: SENDER },
    }))
    const checks = (first: number, last: number) => ({
      ...{ first: BigInt(first), last: BigInt(last), hash: at(last).block.hash, continues: false },
      ...{ contracts: [], checked: [], readings: [] },
    })
    await writer.storeChecks({ ...checks(0, 1), unchecked: [] })
    await writer.storeChecks({ ...checks(5, 6), unchecked })
    await writer.fillTraces({ ...at(4), contracts: [tokenAt(4)] })
    expect(await BalanceChecks.checkedRange(store)).toEqual({ first: 5n, last: 6n })
    const { rows } =
      await sql`select min(since) as since, count(*)::int4 as count from unchecked_balance`.execute(
        database(store),
      )
    expect(rows).toEqual([{ since: 5n, count: MAX_UNCHECKED }])
  })

  test('adds traces to a block whose deployer was active only in blocks that were removed', async () => {
    const [store, honest] = await Promise.all([openEvm(), openEvm()])
    const keep = Object.fromEntries(PRUNED.map((kind) => [kind, HOUR * 1_900n]))
    const writers = [await storeAll(store, [6]), await storeAll(honest, [])]
    for (const writer of writers) while (await writer.prune({ keep, depth: 1n }));
    expect(await writers[0]?.fillTraces(at(6))).toBe(true)
    while (await writers[0]?.refreshDigests());
    expect(await evmContents(store)).toEqual(await evmContents(honest))
  })
})
