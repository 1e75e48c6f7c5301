import { Hex } from '@firn/codec'
import { BlockReader } from '@firn/evm'
import { inventedChain, inventedFacts, recordedChain } from '@firn/evm/testing'
import { database } from '@firn/sql/testing'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import * as EvmDoctor from './EvmDoctor.ts'
import type { EvmStore } from './EvmStore.ts'
import { EvmWriter } from './EvmWriter.ts'
import { eachDatabase } from './testing/databases.ts'
import { recordedEvmStore, TEST_CHAIN } from './testing/evm.ts'

const run = (store: EvmStore, text: string) => sql.raw(text).execute(database(store))

/**
 * Corruptions of the tables. Each consists of the corrupting statement, the statement that reverts it, and
 * the table in which a fault is expected.
 */
const HARMS: readonly (readonly [text: string, back: string, table: string])[] = [
  ['update block set parent_hash = hash where height = 9', restore('block', 'parent_hash', 9), 'block'],
  [
    'update transaction set value = value + 1 where height = 20',
    'update transaction set value = value - 1 where height = 20',
    'block',
  ],
  [
    'update block set gas_executed = gas_executed + 1',
    'update block set gas_executed = gas_executed - 1',
    'block',
  ],
  [
    "update log set data = data || '\\x00'",
    'update log set data = substr(data, 1, length(data) - 1)',
    'block',
  ],
  [
    'update block set log_digest = null where height = 9',
    "update block set log_digest = sha256(convert_to(E'log 0\\n', 'UTF8')) where height = 9",
    'log',
  ],
  [
    'update block set settled_height = height where height = 9',
    'update block set settled_height = null where height = 9',
    'block',
  ],
  ['update cursor set height = height - 1', 'update cursor set height = height + 1', 'cursor'],
  [
    'update token_balance set balance = balance + 1',
    'update token_balance set balance = balance - 1',
    'token_balance',
  ],
  [
    'update token_holder set balance = balance + 1',
    'update token_holder set balance = balance - 1',
    'token_balance',
  ],
  [
    'update token_holder set peak = coalesce(peak, -1) + 1',
    'update token_holder set peak = nullif(peak - 1, -1)',
    'token_holder',
  ],
  [
    'update token_owner set since = since + 10000',
    'update token_owner set since = since - 10000',
    'token_owner',
  ],
  [
    'update token_owner set until = coalesce(until + 1, -1)',
    'update token_owner set until = nullif(until, -1) - 1 where until <> -1; update token_owner set until = null where until = -1',
    'token_owner',
  ],
  [
    'update item_holder set balance = balance + 1',
    'update item_holder set balance = balance - 1',
    'item_holder',
  ],
  [
    'update token_airdrop set others = others + 1',
    'update token_airdrop set others = others - 1',
    'token_airdrop',
  ],
  ['update contract set since = since + 1', 'update contract set since = since - 1', 'contract'],
  ['update token set since = since + 1', 'update token set since = since - 1', 'token'],
  ['update block set contracts = contracts + 1', 'update block set contracts = contracts - 1', 'block'],
  ['update rollup set creations = creations + 1', 'update rollup set creations = creations - 1', 'rollup'],
  ['update rollup set deployers = deployers + 1', 'update rollup set deployers = deployers - 1', 'rollup'],
  ['update rollup set fees = fees + 1', 'update rollup set fees = fees - 1', 'rollup'],
  [
    'update rollup set max_gas_per_second = max_gas_per_second + 1',
    'update rollup set max_gas_per_second = max_gas_per_second - 1',
    'rollup',
  ],
  [
    'update rollup set senders = senders + 1, new_addresses = new_addresses - 1',
    'update rollup set senders = senders - 1, new_addresses = new_addresses + 1',
    'rollup',
  ],
  [
    'update last_activity set last = last + 3600',
    'update last_activity set last = last - 3600',
    'last_activity',
  ],
  [
    'update last_activity_count set senders = senders + 1',
    'update last_activity_count set senders = senders - 1',
    'last_activity_count',
  ],
]

function restore(table: string, column: string, height: number): string {
  return `with parent as materialized (select hash from block where height = ${height - 1})
    update ${table} set ${column} = parent.hash from parent where height = ${height}`
}

describe('EvmDoctor.check on a recorded chain', () => {
  test.each(['c', 'l1', 'helicon'] as const)('reports no faults in the recorded chain %s', async (name) => {
    const store = await recordedEvmStore(name)
    const { blocks, faults, ranges } = await EvmDoctor.check(store)
    expect(faults).toEqual([])
    const recorded = recordedChain(name)
    expect(blocks).toBe(BigInt(recorded.length))
    const hashes = [recorded.at(0), recorded.at(-1)].map((one) => one?.block['hash'])
    expect(ranges.map((range) => [Hex.encode(range.firstHash), Hex.encode(range.lastHash)])).toEqual([hashes])
    expect(await EvmDoctor.completeness(store)).toEqual(ranges)
  })

  test('names the table in which rows were tampered with', async () => {
    const store = await recordedEvmStore('c', undefined, {})
    for (const [harm, back, table] of HARMS) {
      await run(store, harm)
      const { faults } = await EvmDoctor.check(store)
      expect([...new Set(faults.map((fault) => fault.table))], harm).toContain(table)
      for (const text of back.split('; ')) await run(store, text)
    }
    // Every harm was undone, so no fault was found because of an earlier one.
    expect((await EvmDoctor.check(store)).faults).toEqual([])
  })

  test('says in words when an address was active', async () => {
    const store = await recordedEvmStore('c', undefined, {})
    await run(store, 'update last_activity set sender_last = null, deployer_last = 1')
    const { faults } = await EvmDoctor.check(store)
    const messages = faults.filter(({ table }) => table === 'last_activity').map(({ message }) => message)
    expect(messages).toContainEqual(
      expect.stringMatching(
        /: expected last active \d+(, last sender \d+)?(, last deployer \d+)?, got last active \d+, last deployer 1$/,
      ),
    )
    await run(store, 'delete from last_activity')
    const { faults: missing } = await EvmDoctor.check(store, { most: 1 })
    expect(missing.find(({ table }) => table === 'last_activity')?.message).toMatch(/, got no row$/)
  })

  test('reports missing blocks and the derived rows left behind', async () => {
    const store = await recordedEvmStore('c', undefined, {})
    await run(store, 'delete from block where height in (30, 31, 83)')
    const { faults } = await EvmDoctor.check(store)
    expect(faults[0]).toEqual({
      table: 'block',
      height: 30n,
      message: 'block 30 is missing; the next stored block is 32',
    })
    const left = faults.filter(
      ({ message }) => message === 'the table has rows of a block that is not stored',
    )
    expect(left.map(({ height }) => height)).toEqual(expect.arrayContaining([30n, 31n, 83n]))
    expect(
      faults.some(
        ({ table, message }) => table === 'cursor' && message.startsWith('expected the cursor at 82'),
      ),
    ).toBe(true)
  })
})

eachDatabase(({ openEvm }) => {
  test('reports no faults after blocks were undone', async () => {
    const store = await openEvm()
    expect(await EvmDoctor.check(store)).toEqual({ blocks: 0n, faults: [], ranges: [], untraced: [] })
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    const chain = inventedChain({ seed: 7 })
    const commit = async (count: number, of = chain) => {
      const blocks = of.grow(count).map((parts) => BlockReader.read(parts))
      await writer.commit(
        blocks.map((block) => ({
          block,
          contracts: block.transactions.flatMap(({ logs }) =>
            logs.map(({ address }) => inventedFacts(address)),
          ),
        })),
      )
    }
    await commit(60)
    await writer.undo(37n)
    await commit(40, chain.branch(37n, 'other'))
    const heights: bigint[] = []
    const { blocks, faults } = await EvmDoctor.check(store, { onProgress: (height) => heights.push(height) })
    expect([blocks, faults]).toEqual([78n, []])
    expect(heights).toEqual([15n, 31n, 47n, 63n])
  })
})
