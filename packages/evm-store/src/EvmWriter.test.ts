import { Hex } from '@firn/codec'
import { type Block, BlockReader } from '@firn/evm'
import { recordedChain } from '@firn/evm/testing'
import { codeOf, database } from '@firn/sql/testing'
import { describe, expect, test } from 'vitest'
import * as EvmDoctor from './EvmDoctor.ts'
import type { EvmStore } from './EvmStore.ts'
import { EvmWriter } from './EvmWriter.ts'
import { eachDatabase } from './testing/databases.ts'
import { TEST_CHAIN } from './testing/evm.ts'
import { evmAddress, evmBlock, evmHash, evmTransaction, evmTransfer } from './testing/evmBlocks.ts'
import { evmContents } from './testing/evmContents.ts'

const indexed = (block: Block) => ({ block, contracts: [] })
const recorded = recordedChain('c').map((parts) => indexed(BlockReader.read(parts)))
const LARGEST = 2n ** 256n - 1n
const [NOBODY, ANNA, BERT, COIN, ART] = [0, 1, 2, 3, 4].map(evmAddress) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
]

eachDatabase(({ openEvm, againEvm }) => {
  const opened = async (chain = TEST_CHAIN) => {
    const store = await openEvm()
    return { store, writer: await EvmWriter.open(store, chain) }
  }

  test('returns the chain, its newest block and the hash of any stored block', async () => {
    const { store, writer } = await opened()
    expect(await codeOf(store.snapshot())).toBe('STORE_EMPTY')
    let advances = 0
    const end = store.onAdvance(() => void advances++)
    await writer.commit(recorded)
    end()
    expect(advances).toBeGreaterThan(0)
    const last = recorded.at(-1)?.block as Block
    const { hash, height, sequence } = await store.snapshot()
    expect([hash, height, sequence]).toEqual([last.hash, last.height, BigInt(recorded.length)])
    expect(writer.cursor).toEqual({ hash, height, time: last.timestamp, settledHeight: null })
    expect(await writer.hashAt(7n)).toEqual(recorded[7]?.block.hash)
    expect(await writer.hashAt(height + 1n)).toBeUndefined()
    expect(await writer.timeAt(7n)).toBe(recorded[7]?.block.timestamp)
    expect(await writer.timeAt(height + 1n)).toBeUndefined()
    expect((await store.snapshotAt(7n, recorded[7]?.block.hash.subarray(0, 8)))?.height).toBe(7n)
    expect(await store.snapshotAt(7n, new Uint8Array(8))).toBeUndefined()
    expect(await store.snapshotAt(height + 1n)).toBeUndefined()
    expect(await store.chain()).toEqual(TEST_CHAIN)
  })

  test('returns the settled height of the newest block, after an undo too', async () => {
    const { store, writer } = await opened()
    const settled = async () => (await store.snapshot()).settledHeight
    const given = [undefined, 0n, 0n, 2n]
    await writer.commit(given.map((settledHeight, i) => indexed(evmBlock(BigInt(i), { settledHeight }))))
    expect([await settled(), (await store.snapshotAt(2n))?.settledHeight]).toEqual([2n, 0n])
    await writer.undo(2n)
    expect(await settled()).toBe(0n)
    await EvmWriter.open(store, TEST_CHAIN)
    expect(await settled()).toBe(0n)
    expect((await EvmDoctor.check(store)).faults).toEqual([])
  })

  test('stores concurrent commits in order', async () => {
    const { store, writer } = await opened()
    await Promise.all(recorded.map((one) => writer.commit([one])))
    const all = await evmContents(store)
    const other = await opened()
    await other.writer.commit(recorded)
    expect(await evmContents(other.store)).toEqual(all)
  })

  test('stores the first height of a chain that does not start at block 0', async () => {
    const { store, writer } = await opened({ ...TEST_CHAIN, firstHeight: 40n })
    expect(await codeOf(writer.commit(recorded.slice(39, 41)))).toBe('STORE_CURSOR')
    await writer.commit(recorded.slice(40))
    expect((await EvmDoctor.check(store)).faults).toEqual([])
    await writer.undo(39n)
    expect(writer.cursor).toBeUndefined()
    expect(await codeOf(store.snapshot())).toBe('STORE_EMPTY')
    await writer.commit(recorded.slice(40))
    expect((await store.snapshot()).sequence).toBe(BigInt(3 * recorded.slice(40).length))
  })

  test('rejects a chain that differs from the stored chain', async () => {
    const { store } = await opened()
    const others = [{ chainId: 7n }, { firstHeight: 1n }, { hasTraces: false }]
    for (const other of others) {
      expect(await codeOf(EvmWriter.open(store, { ...TEST_CHAIN, ...other }))).toBe('STORE_NETWORK')
    }
    await EvmWriter.open(store, { ...TEST_CHAIN, name: 'Renamed' })
    expect((await store.chain())?.name).toBe('Renamed')
  })

  test('rejects commits of a writer that was replaced by another writer, and stores nothing of the batch', async () => {
    const { store, writer: older } = await opened()
    await older.commit(recorded.slice(0, 20))
    const other = await againEvm(store)
    const newer = await EvmWriter.open(other, TEST_CHAIN)
    const before = await evmContents(store)
    expect(await codeOf(older.commit(recorded.slice(20)))).toBe('STORE_FENCED')
    expect(await codeOf(older.undo(5n))).toBe('STORE_FENCED')
    expect(await evmContents(other)).toEqual(before)
    await newer.commit(recorded.slice(20))
    expect((await EvmDoctor.check(other)).faults).toEqual([])
  })

  test('detects on the next commit that a crashed server lost commits, and stores nothing after the gap', async () => {
    const { store, writer } = await opened()
    await writer.commit(recorded.slice(0, 20))
    // This simulates a crash that lost the last transaction.
    await database(store).updateTable('cursor').set({ height: 9n, sequence: 10n }).execute()
    expect(await codeOf(writer.commit(recorded.slice(20)))).toBe('STORE_UNAVAILABLE')
    expect(await database(store).selectFrom('block').select('height').execute()).toHaveLength(20)
  })

  describe('logs', () => {
    const logsFrom = async (store: EvmStore) =>
      (await database(store).selectFrom('chain').select('logs_from').executeTakeFirst())?.logs_from

    test('are stored from the next block on if the stored blocks have none, without changing the digests of blocks', async () => {
      const { store, writer: older } = await opened()
      expect(await logsFrom(store)).toBe(0n)
      const without = await EvmWriter.open(store, TEST_CHAIN, { logs: false })
      expect(await codeOf(older.commit(recorded.slice(0, 1)))).toBe('STORE_FENCED')
      await without.commit(recorded.slice(0, 30))
      expect(await logsFrom(store)).toBeNull()
      await (await EvmWriter.open(store, TEST_CHAIN)).commit(recorded.slice(30, 60))
      const again = await EvmWriter.open(store, TEST_CHAIN)
      await again.undo(25n)
      await again.commit(recorded.slice(26))
      expect(await logsFrom(store)).toBe(30n)
      const { faults, ranges } = await EvmDoctor.check(store)
      expect(faults).toEqual([])
      // The digest of these blocks in version 0.1.0, which stored no logs.
      expect(Hex.encodeBare(ranges[0]?.chainDigest as Uint8Array)).toBe(
        'df493126d55baf4430e484cdf120de5820c326e95711943fa40f038e90e2d3e3',
      )
      const logs = await database(store).selectFrom('log').selectAll().orderBy('log_index').execute()
      const expected = recorded.slice(26).flatMap(({ block: { height, transactions } }) =>
        transactions.flatMap(({ index, logs }) =>
          logs.map((log) => ({
            height,
            log_index: log.index,
            transaction_index: index,
            address: log.address,
            ...Object.fromEntries([0, 1, 2, 3].map((i) => [`topic${i}`, log.topics[i] ?? null])),
            data: log.data,
          })),
        ),
      )
      const place = (one: { height: bigint; log_index: bigint }) => one.height * 1_000n + one.log_index
      expect(logs.toSorted((a, b) => Number(place(a) - place(b)))).toEqual(expected)
      expect(expected.length).toBeGreaterThan(50)
    })

    test('are no longer complete after a writer that does not store them', async () => {
      const { store, writer } = await opened()
      await writer.commit(recorded.slice(0, 20))
      await (await EvmWriter.open(store, TEST_CHAIN, { logs: false })).commit(recorded.slice(20, 25))
      expect(await logsFrom(store)).toBeNull()
      await (await EvmWriter.open(store, TEST_CHAIN)).commit(recorded.slice(25))
      expect(await logsFrom(store)).toBe(25n)
      expect((await EvmDoctor.check(store)).faults).toEqual([])
    })
  })

  describe('a batch that does not continue the chain', () => {
    const [first, second] = recorded.slice(10, 12).map(({ block }) => block) as [Block, Block]
    test.each([
      ['omits a block', [second]],
      ['repeats a block', [first, first]],
      ['repeats the newest block', [recorded[9]?.block as Block]],
      ['follows another block', [{ ...first, parentHash: first.hash }]],
      ['has another height', [{ ...first, height: 12n }]],
    ])('rejects a batch that %s', async (_name, batch) => {
      const { store, writer } = await opened()
      await writer.commit(recorded.slice(0, 10))
      const before = await evmContents(store)
      expect(await codeOf(writer.commit(batch.map(indexed)))).toBe('STORE_CURSOR')
      expect(await evmContents(store)).toEqual(before)
      await writer.commit(recorded.slice(10))
    })
  })

  test('rejects oversized numbers and incomplete blocks', async () => {
    const { writer } = await opened()
    const log = evmTransfer(2n ** 63n, COIN, NOBODY, ANNA, { amount: 1n })
    const refused: readonly Partial<Block>[] = [
      { timestamp: 2n ** 63n },
      { timestampMilliseconds: 2n ** 64n },
      { transactions: [evmTransaction({ logs: [log] })] },
      { transactions: [evmTransaction({})], traces: undefined },
    ]
    for (const given of refused) {
      expect(await codeOf(writer.commit([indexed(evmBlock(0n, given))]))).toBe('STORE_BLOCK')
    }
    await writer.commit([indexed(evmBlock(0n))])
    const earlier = { ...evmBlock(1n), timestamp: 5n }
    expect(await codeOf(writer.commit([indexed(earlier)]))).toBe('STORE_BLOCK')
    expect(await codeOf(writer.undo(1n))).toBe('STORE_CURSOR')
    expect(await codeOf(writer.undo(-2n))).toBe('STORE_CURSOR')
  })

  test('stores nothing of a batch that the database rejects', async () => {
    const { store, writer } = await opened()
    await writer.commit(recorded.slice(0, 30))
    const before = await evmContents(store)
    // The balances are written after the blocks' own rows, so the commit fails halfway.
    await database(store).schema.alterTable('token_balance').renameTo('renamed').execute()
    expect(await codeOf(writer.commit(recorded.slice(30)))).toBe('STORE_QUERY')
    await database(store).schema.alterTable('renamed').renameTo('token_balance').execute()
    expect(await evmContents(store)).toEqual(before)
    // The writer must be reopened to restore its position.
    expect(await codeOf(writer.commit(recorded.slice(30)))).toBe('STORE_QUERY')
    await (await EvmWriter.open(store, TEST_CHAIN)).commit(recorded.slice(30))
    expect((await EvmDoctor.check(store)).faults).toEqual([])
  })

  test('stores the largest possible amounts, balances above them, and names with arbitrary bytes unchanged', async () => {
    const { store, writer } = await opened()
    const minted = [2n ** 32n - 1n, 2n ** 63n - 1n].map((index) =>
      evmTransfer(index, COIN, NOBODY, ANNA, { amount: LARGEST }),
    )
    const spent = evmTransfer(0n, COIN, BERT, ANNA, { amount: 5n })
    const transactions = [
      evmTransaction({ value: LARGEST, gasPrice: LARGEST, nonce: 2n ** 64n - 1n, logs: [spent] }),
      evmTransaction({ index: 1, logs: minted }),
    ]
    const text = Uint8Array.of(0, 0xff, 0x41, 0xc3, 0x28, 0)
    const facts = {
      address: COIN,
      kind: 'ERC-20' as const,
      name: text,
      symbol: new Uint8Array(),
      decimals: 255,
    }
    expect(await writer.unknownContracts([COIN, COIN, ART])).toEqual([COIN, ART])
    await writer.commit([{ block: evmBlock(0n, { transactions }), contracts: [facts] }])
    expect(await writer.unknownContracts([COIN, ART])).toEqual([ART])
    const db = database(store)
    expect(
      await db.selectFrom('token_holder').select(['address', 'balance']).orderBy('address').execute(),
    ).toEqual([
      { address: ANNA, balance: 2n * LARGEST + 5n },
      { address: BERT, balance: -5n },
    ])
    const indices = await db.selectFrom('transfer').select('log_index').orderBy('log_index').execute()
    expect(indices.map(({ log_index }) => log_index)).toEqual([0n, 2n ** 32n - 1n, 2n ** 63n - 1n])
    expect(await db.selectFrom('contract').selectAll().execute()).toEqual([
      {
        ...{ address: COIN, since: 0n, standard: 20, name: text, symbol: new Uint8Array(), decimals: 255 },
        ...{ values_are_ids: null, proxy: null, implementation: null, beacon: null },
      },
    ])
    expect(await db.selectFrom('block').select(['fees_spent', 'gas_price_max']).execute()).toEqual([
      { fees_spent: 21_000n * LARGEST + 21_000n, gas_price_max: LARGEST },
    ])
    expect((await EvmDoctor.check(store)).faults).toEqual([])
  })

  test('keeps one owner per token when the token returns to an earlier owner or is burnt, and when a block is undone', async () => {
    const { store, writer } = await opened()
    const move = (from: Uint8Array, to: Uint8Array, index = 0n) =>
      evmTransfer(index, ART, from, to, { tokenId: LARGEST })
    const block = (height: bigint, ...logs: ReturnType<typeof move>[]) =>
      indexed(evmBlock(height, { transactions: [evmTransaction({ logs })] }))
    const owners = () =>
      database(store).selectFrom('token_owner').select(['since', 'until', 'owner']).orderBy('since').execute()
    await writer.commit([block(0n, move(NOBODY, ANNA))])
    // A token that moves away and back within one block keeps its owner.
    await writer.commit([block(1n, move(ANNA, BERT), move(BERT, ANNA, 1n))])
    await writer.commit([block(2n, move(ANNA, BERT)), block(3n, move(BERT, NOBODY))])
    expect(await owners()).toEqual([
      { since: 0n, until: 2n, owner: ANNA },
      { since: 2n, until: 3n, owner: BERT },
      { since: 3n, until: null, owner: NOBODY },
    ])
    await writer.undo(2n)
    expect((await owners()).at(-1)).toEqual({ since: 2n, until: null, owner: BERT })
    await writer.undo(1n)
    expect(await owners()).toEqual([{ since: 0n, until: null, owner: ANNA }])
    const other = { ...evmBlock(2n), hash: evmHash(2n, 1) }
    await writer.commit([indexed(other)])
    const changes = await database(store)
      .selectFrom('change')
      .select(['kind', 'height'])
      .orderBy('sequence')
      .execute()
    expect(changes.map(({ kind, height }) => `${kind === 'undone' ? '-' : '+'}${height}`).join(' ')).toBe(
      '+0 +1 +2 +3 -3 -2 +2',
    )
  })
})
