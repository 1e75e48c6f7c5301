import { Hex } from '@firn/codec'
import { BlockReader, EventAbi } from '@firn/evm'
import { type InventedParts, inventedChain } from '@firn/evm/testing'
import { codeOf } from '@firn/sql/testing'
import { describe, expect, test } from 'vitest'
import * as EventTables from './EventTables.ts'
import * as EvmDoctor from './EvmDoctor.ts'
import type { EvmStore } from './EvmStore.ts'
import { EvmWriter } from './EvmWriter.ts'
import * as Events from './queries/Events.ts'
import { eachDatabase } from './testing/databases.ts'
import { TEST_CHAIN } from './testing/evm.ts'

const address = (name: string, indexed = true) => ({ name, type: 'address', indexed })
const event = (name: string, ...inputs: object[]) =>
  EventAbi.parse([{ type: 'event', name, inputs }])[0] as EventAbi.EventAbi
const number = (name: string, indexed = false) => ({ name, type: 'uint256', indexed })
const TRANSFER = event('Transfer', address('from'), address('to'), number('value'))
const NFT = event('Transfer', address('from'), address('to'), number('tokenId', true))
const BATCH = event(
  'TransferBatch',
  address('operator'),
  address('from'),
  address('to'),
  {
    ...{ name: 'order', type: 'uint256[]', indexed: false },
  },
  { name: 'height', type: 'uint256[]', indexed: false },
)

interface Log {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly logIndex: string
}

/** Returns the events of blocks, newest first: height, log index, contract and values, decoded without the code under test. */
function expected(blocks: readonly InventedParts[], of: EventAbi.EventAbi, from = 0): unknown[] {
  const topic = Hex.encode(EventAbi.topic(of))
  const account = (word = '') => `0x${word.slice(26)}`
  const rows = blocks.flatMap(({ block, receipts }): unknown[][] =>
    (receipts as { logs: Log[] }[]).flatMap(({ logs }) =>
      logs.flatMap((log): unknown[][] => {
        const words = log.data.slice(2).match(/.{64}/g) ?? []
        const accounts = log.topics.slice(1).map(account)
        const areAddresses = (count: number) =>
          log.topics.slice(1, 1 + count).every((one) => /^0x0{24}/.test(one))
        const place = [Number(block.number), Number(log.logIndex), log.address]
        if (log.topics[0] !== topic || Number(block.number) < from) return []
        if (of === BATCH) {
          // The lookalikes have wrong lengths or offsets.
          const count = Number(`0x${words[2]}`)
          const [first, second] = [0, 1].map((i) => Number(`0x${words[i]}`))
          if (log.topics.length !== 4 || !areAddresses(3) || first !== 64 || second !== 96 + 32 * count)
            return []
          const other = Number(`0x${words[3 + count]}`)
          if (words.length < 4 + count + other) return []
          const list = (at: number, length: number) =>
            words.slice(at, at + length).map((word) => String(BigInt(`0x${word}`)))
          return [[...place, ...accounts, list(3, count), list(4 + count, other)]]
        }
        const isNft = of === NFT
        if (log.topics.length !== (isNft ? 4 : 3) || !areAddresses(2) || (!isNft && words.length === 0))
          return []
        if (isNft) return [[...place, ...accounts.slice(0, 2), BigInt(log.topics[3] as string)]]
        return [[...place, ...accounts, BigInt(`0x${words[0]}`)]]
      }),
    ),
  )
  return rows.toReversed()
}

const plain = (value: unknown): unknown => (value instanceof Uint8Array ? Hex.encode(value) : value)

async function stored(
  store: EvmStore,
  table: EventTables.EventTable,
  { addresses = [], limit = 40, ...rest }: Partial<Events.EventQuery> = {},
) {
  const rows: unknown[] = []
  for (let after: Events.EventQuery['after']; ; ) {
    const at = await store.snapshot()
    const { events, stoppedAt } = await Events.page(store, at, table, { ...rest, addresses, after, limit })
    rows.push(
      ...events.map((one) => [
        Number(one.height),
        Number(one.logIndex),
        plain(one.address),
        ...one.values.map(plain),
      ]),
    )
    if (events.length < limit && stoppedAt === undefined) return rows
    after = stoppedAt ?? events.at(-1)
  }
}

const indexed = (blocks: readonly InventedParts[]) =>
  blocks.map((parts) => ({ block: BlockReader.read(parts), contracts: [] }))

eachDatabase(({ openEvm }) => {
  describe('tables of events', () => {
    test('contain the events of stored and of new blocks, and follow reorgs', async () => {
      const store = await openEvm()
      const chain = inventedChain({ seed: 5, transactions: [4, 9] })
      await (await EvmWriter.open(store, TEST_CHAIN, { logs: false })).commit(indexed(chain.grow(5)))
      const sources = [TRANSFER, NFT, BATCH].map((one) => ({
        abi: one === TRANSFER ? 'Coin' : 'MyArt',
        event: one,
        addresses: [],
      }))
      expect(await codeOf(EventTables.create(store, sources))).toBe('STORE_EMPTY')
      const writer = await EvmWriter.open(store, TEST_CHAIN)
      await writer.commit(indexed(chain.grow(40)))
      const names = await EventTables.create(store, sources)
      expect(names).toEqual(['event_coin_transfer', 'event_my_art_transfer', 'event_my_art_transfer_batch'])
      const follow = async () => {
        while (await EventTables.advance(store, names)) {
          // The next logs are decoded.
        }
      }
      const check = async (of: readonly InventedParts[]) => {
        for (const table of await Events.tables(store)) {
          expect([table.fromHeight, table.nextHeight]).toEqual([5n, BigInt(of.length)])
          const own = [TRANSFER, NFT, BATCH].find(
            (one) => JSON.stringify(one) === JSON.stringify(table.source.event),
          ) as EventAbi.EventAbi
          expect(await stored(store, table)).toEqual(expected(of, own, 5))
        }
        expect((await EvmDoctor.check(store)).faults).toEqual([])
      }
      await follow()
      await check(chain.blocks)
      const branch = chain.branch(30n, 'other')
      await writer.undo(30n)
      expect((await Events.tables(store)).map(({ nextHeight }) => nextHeight)).toEqual([31n, 31n, 31n])
      branch.grow(20)
      await writer.commit(indexed(branch.blocks.slice(31)))
      await Promise.all([follow(), follow()])
      await check(branch.blocks)
      expect(expected(branch.blocks, BATCH, 5).length).toBeGreaterThan(10)
    })

    test('are filled again if the event or its contracts change, and only with events of these contracts', async () => {
      const store = await openEvm()
      const chain = inventedChain({ seed: 6, transactions: [4, 9] })
      await (await EvmWriter.open(store, TEST_CHAIN)).commit(indexed(chain.grow(30)))
      const all = expected(chain.blocks, TRANSFER) as unknown[][]
      const contract = all[0]?.[2] as string
      const addresses = [Hex.decode(contract)]
      const create = async (of: readonly Uint8Array[]) => {
        const names = await EventTables.create(store, [{ abi: 'Coin', event: TRANSFER, addresses: of }])
        await EventTables.advance(store, names)
        return (await Events.tables(store))[0] as EventTables.EventTable
      }
      const whole = await create([])
      expect(await stored(store, whole)).toEqual(all)
      const own = all.filter((row) => row[2] === contract)
      expect(await stored(store, whole, { addresses: [...addresses, new Uint8Array(20)] })).toEqual(own)
      expect(own.length).toBeLessThan(all.length)
      expect(await stored(store, await create(addresses))).toEqual(own)
    })

    test('are listed by arguments, and examined up to a limit for each page', async () => {
      const store = await openEvm()
      const chain = inventedChain({ seed: 6, transactions: [4, 9] })
      await (await EvmWriter.open(store, TEST_CHAIN)).commit(indexed(chain.grow(30)))
      const names = await EventTables.create(store, [{ abi: 'Coin', event: TRANSFER, addresses: [] }])
      while (await EventTables.advance(store, names));
      const [table] = (await Events.tables(store)) as [EventTables.EventTable]
      const all = expected(chain.blocks, TRANSFER) as unknown[][]
      const [, , contract, from, to, value] = all.at(-9) as [number, number, string, string, string, bigint]
      const args = [Hex.decode(from), Hex.decode(to), value].map((one, index) => ({ index, value: one }))
      const isSame = (row: readonly unknown[], indices: readonly number[]) =>
        indices.every((index) => row[3 + index] === [from, to, value][index])
      for (const indices of [[0], [1], [2], [0, 1], [2, 1, 0]]) {
        const own = all.filter((row) => isSame(row, indices))
        expect(own.length).toBeGreaterThan(0)
        const chosen = indices.map((index) => args[index] as (typeof args)[number])
        for (const mostExamined of [1, 7, 10_000])
          for (const limit of [1, 40])
            expect(await stored(store, table, { args: chosen, mostExamined, limit })).toEqual(own)
        const addresses = [Hex.decode(contract), new Uint8Array(20)]
        expect(await stored(store, table, { args: chosen, addresses, mostExamined: 3 })).toEqual(
          own.filter((row) => row[2] === contract),
        )
      }
    })

    test('get the indexes of indexed parameters if an earlier version created them', async () => {
      const store = await openEvm()
      await EvmWriter.open(store, TEST_CHAIN)
      const sources = [{ abi: 'Coin', event: TRANSFER, addresses: [] }]
      const [name] = (await EventTables.create(store, sources)) as [string]
      const indexes = () =>
        store.driver.transaction((session) =>
          session.query(
            `select indexdef from pg_indexes where schemaname = current_schema() and tablename = $1 order by 1`,
            [name],
          ),
        )
      const before = await indexes()
      const columns = before.map(({ indexdef }) => String(indexdef).split('btree ')[1])
      expect(columns.toSorted()).toEqual([
        '("from", height, log_index)',
        '("to", height, log_index)',
        '(address, height, log_index)',
        '(height, log_index)',
      ])
      await store.driver.transaction(async (session) => {
        const own = await session.query(
          `select indexname from pg_indexes where schemaname = current_schema() and indexname like 'event_index_%'`,
        )
        for (const { indexname } of own) await session.query(`drop index "${indexname}"`)
      })
      expect(await indexes()).toHaveLength(2)
      expect(await EventTables.create(store, sources)).toEqual([name])
      expect(await indexes()).toEqual(before)
    })

    test('distinguish overloaded events, and accept any parameter names', async () => {
      const store = await openEvm()
      await EvmWriter.open(store, TEST_CHAIN)
      const inputs = ['select', 'height', 'height', '', 'a b$'.replace(' ', '_')].map((name) => number(name))
      const sources = [event('Moved', ...inputs), event('Moved')].map((one) => ({
        abi: 'A',
        event: one,
        addresses: [],
      }))
      const names = await EventTables.create(store, sources)
      expect(names).toEqual([expect.stringMatching(/^event_a_moved_[0-9a-f]{8}$/), expect.anything()])
      expect(new Set(names).size).toBe(2)
      expect(await EventTables.create(store, sources)).toEqual(names)
      const same = { abi: 'a', event: event('moved'), addresses: [] }
      expect(await codeOf(EventTables.create(store, [same, same]))).toBe('STORE_QUERY')
      const others = await EventTables.create(store, [same, { ...same, abi: 'A' }])
      expect(new Set(others).size).toBe(2)
    })

    test('give different names to columns, and none of PostgreSQL itself', async () => {
      const store = await openEvm()
      await EvmWriter.open(store, TEST_CHAIN)
      const inputs = ['to', 'to_2', 'To', 'xmin', 'ctid', 'größe', 'grö_e'].map((name) => number(name))
      const sources = [{ abi: 'A', event: event('Moved', ...inputs), addresses: [] }]
      expect(await EventTables.create(store, sources)).toEqual(['event_a_moved'])
    })

    test('are removed when the names of their events change', async () => {
      const store = await openEvm()
      await EvmWriter.open(store, TEST_CHAIN)
      const sources = [event('Moved'), event('Moved', number('to')), event('Moved', number('to', true))].map(
        (one) => ({ abi: 'A', event: one, addresses: [] }),
      )
      const stored = async () => (await Events.tables(store)).map(({ name }) => name)
      await EventTables.create(store, sources.slice(0, 1))
      expect(await stored()).toEqual(['event_a_moved'])
      const names = await EventTables.create(store, sources)
      expect(new Set(names).size).toBe(3)
      expect(await stored()).toEqual(names.toSorted())
    })
  })
})
