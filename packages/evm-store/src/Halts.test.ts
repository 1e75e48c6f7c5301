import { BlockReader } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { ApiKeys } from '@firn/service-store'
import { codeOf, database } from '@firn/sql/testing'
import { describe, expect, test } from 'vitest'
import { EvmWriter } from './EvmWriter.ts'
import { EvmDoctor } from './index.ts'
import * as Changes from './queries/Changes.ts'
import { resetEvmChain } from './resetEvmChain.ts'
import { eachDatabase } from './testing/databases.ts'
import { TEST_CHAIN } from './testing/evm.ts'

const GENESIS = new Uint8Array(32).fill(7)
const chain = inventedChain({ seed: 3, transactions: [1, 3] })
const blocks = chain.grow(30).map((parts) => ({ block: BlockReader.read(parts), contracts: [] }))

eachDatabase(({ openEvm, againEvm }) => {
  const sequences = async (store: Awaited<ReturnType<typeof openEvm>>) =>
    (await Changes.after(store, 0n, 1_000)).map(({ sequence }) => sequence)

  describe('EvmWriter.halt', () => {
    test('stops serving the chain in every process until the writer resumes', async () => {
      const store = await openEvm()
      const writer = await EvmWriter.open(store, TEST_CHAIN)
      await writer.commit(blocks.slice(0, 10))
      await writer.halt('the chain was reset')
      const other = await againEvm(store)
      for (const one of [store, other]) {
        await expect(one.snapshot()).rejects.toMatchObject({
          code: 'STORE_HALTED',
          message: 'the chain was reset',
        })
        expect(await codeOf(one.snapshotAt(3n))).toBe('STORE_HALTED')
      }
      // Opening a writer doesn't end the halt.
      const next = await EvmWriter.open(store, TEST_CHAIN)
      expect(await codeOf(store.snapshot())).toBe('STORE_HALTED')
      expect(await codeOf(writer.resume())).toBe('STORE_FENCED')
      await next.resume()
      expect((await store.snapshot()).height).toBe(9n)
    })
  })

  describe('EvmWriter and the hash of block 0', () => {
    test('stores the hash of block 0 once it is known, and rejects a different hash afterwards', async () => {
      const store = await openEvm()
      await EvmWriter.open(store, TEST_CHAIN)
      await EvmWriter.open(store, { ...TEST_CHAIN, genesisHash: GENESIS })
      await EvmWriter.open(store, TEST_CHAIN)
      expect((await store.chain())?.genesisHash).toEqual(GENESIS)
      const other = { ...TEST_CHAIN, genesisHash: new Uint8Array(32) }
      expect(await codeOf(EvmWriter.open(store, other))).toBe('STORE_NETWORK')
    })
  })

  describe('sequence numbers of changes', () => {
    test('does not reuse sequence numbers after the database has lost its last commits', async () => {
      const store = await openEvm()
      const writer = await EvmWriter.open(store, TEST_CHAIN)
      await writer.commit(blocks.slice(0, 10))
      await writer.commit(blocks.slice(10, 20))
      const seen = await sequences(store)
      expect(seen).toHaveLength(20)
      // This simulates a crash that lost the second commit, but not the reservation that was committed
      // synchronously before.
      await writer.undo(9n)
      await database(store).deleteFrom('change').where('sequence', '>', 10n).execute()
      await database(store).updateTable('cursor').set({ height: 9n, sequence: 10n }).execute()
      const next = await EvmWriter.open(store, TEST_CHAIN)
      // A reader that has seen the lost changes continues from this sequence number.
      expect((await store.snapshot()).sequence).toBeGreaterThanOrEqual(20n)
      await next.commit(blocks.slice(10, 12))
      const given = (await sequences(store)).slice(10)
      expect(given).toHaveLength(2)
      for (const one of given) expect(one).toBeGreaterThan(20n)
      expect((await Changes.after(store, 17n, 10)).map(({ height }) => height)).toEqual([10n, 11n])
    })

    test('uses consecutive sequence numbers within a writer, even across reservations', async () => {
      const store = await openEvm()
      await EvmWriter.open(store, TEST_CHAIN)
      await database(store).updateTable('writer').set({ reserved: 9_990n }).execute()
      const writer = await EvmWriter.open(store, TEST_CHAIN)
      for (const block of blocks) await writer.commit([block])
      await writer.undo(19n)
      expect(await sequences(store)).toEqual(Array.from({ length: 40 }, (_, i) => BigInt(9_991 + i)))
      const { reserved } = await database(store)
        .selectFrom('writer')
        .select('reserved')
        .executeTakeFirstOrThrow()
      expect(reserved).toBeGreaterThanOrEqual(10_030n)
    })
  })

  describe('resetEvmChain', () => {
    test('removes only the chain, fences off open writers, and lets the next writer start over', async () => {
      const store = await openEvm()
      expect(await codeOf(resetEvmChain(store))).toBe('STORE_EMPTY')
      const writer = await EvmWriter.open(store, { ...TEST_CHAIN, genesisHash: GENESIS })
      await writer.commit(blocks)
      const key = {
        hash: new Uint8Array(32),
        hint: 'h',
        name: 'n',
        scopes: ['data'],
        units_per_minute: 1,
        units_per_day: 1,
        created_at: 0n,
        revoked_at: null,
      }
      await ApiKeys.add(store, key)
      const last = (await sequences(store)).at(-1) as bigint
      expect(await resetEvmChain(store)).toMatchObject({
        chain: { chainId: TEST_CHAIN.chainId, genesisHash: GENESIS },
        blocks: { first: 0n, last: 29n },
      })
      expect(await codeOf(writer.undo(3n))).toBe('STORE_FENCED')
      expect(await store.chain()).toBeUndefined()
      expect(await codeOf(store.snapshot())).toBe('STORE_EMPTY')
      expect(await ApiKeys.list(store)).toHaveLength(1)
      const anew = await EvmWriter.open(store, { ...TEST_CHAIN, firstHeight: 5n })
      await anew.commit(blocks.slice(5, 9))
      expect((await EvmDoctor.check(store)).faults).toEqual([])
      for (const one of await sequences(store)) expect(one).toBeGreaterThan(last)
    })
  })
})
