import { BlockReader } from '@firn/evm'
import { inventedChain, inventedFacts } from '@firn/evm/testing'
import { database } from '@firn/sql/testing'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import * as EvmDoctor from './EvmDoctor.ts'
import type { EvmStore } from './EvmStore.ts'
import { EvmWriter } from './EvmWriter.ts'
import * as IcmBackfill from './IcmBackfill.ts'
import type { IndexedBlock } from './IndexedBlock.ts'
import * as Icm from './queries/Icm.ts'
import { eachDatabase } from './testing/databases.ts'
import { TEST_CHAIN } from './testing/evm.ts'
import { clearEvm, evmContents } from './testing/evmContents.ts'
import { withMessages } from './testing/withMessages.ts'

const run = (store: EvmStore, text: string) => sql.raw(text).execute(database(store))

function blocksOf(seed: number, count: number): IndexedBlock[] {
  return inventedChain({ seed })
    .grow(count)
    .map((parts) => {
      const block = withMessages(BlockReader.read(parts))
      const contracts = block.transactions.flatMap(({ logs }) => logs.map(({ address }) => address))
      return { block, contracts: contracts.map(inventedFacts) }
    })
}

/** Makes a database look as an earlier version left it. */
async function forget(store: EvmStore): Promise<void> {
  await run(store, 'truncate icm_message, icm_event, icm_count, icm_progress')
}

const messagesOf = async (store: EvmStore) => {
  const { icm_message, icm_event, icm_count, icm_progress } = await evmContents(store)
  return { icm_message, icm_event, icm_count, icm_progress }
}

eachDatabase(({ openEvm }) => {
  describe('IcmBackfill.advance', () => {
    test('reads the same messages from stored logs as the writer from blocks', async () => {
      const store = await openEvm()
      const blocks = blocksOf(7, 40)
      await (await EvmWriter.open(store, TEST_CHAIN)).commit(blocks)
      const written = await messagesOf(store)
      expect(written.icm_message?.length).toBeGreaterThan(5)
      expect(written.icm_event?.length).toBeGreaterThan(5)
      await forget(store)
      await EvmWriter.open(store, TEST_CHAIN)
      while (await IcmBackfill.advance(store));
      expect(await messagesOf(store)).toEqual(written)
    })

    test('lets the writer go on once all older messages are read, and not before', async () => {
      const store = await openEvm()
      const blocks = blocksOf(8, 40)
      const whole = await openEvm()
      await (await EvmWriter.open(whole, TEST_CHAIN)).commit(blocks)
      await (await EvmWriter.open(store, TEST_CHAIN)).commit(blocks.slice(0, 20))
      await forget(store)
      const writer = await EvmWriter.open(store, TEST_CHAIN)
      await writer.commit(blocks.slice(20, 25))
      expect((await messagesOf(store)).icm_message).toEqual([])
      expect(await Icm.progress(store)).toEqual({ from: 0n, next: 0n, isWhole: true })
      await writer.undo(22n)
      while (await IcmBackfill.advance(store));
      expect(await Icm.progress(store)).toEqual({ from: 0n, next: 23n, isWhole: true })
      for (const block of blocks.slice(23)) await writer.commit([block])
      expect(await messagesOf(store)).toEqual(await messagesOf(whole))
      expect(await IcmBackfill.advance(store)).toBe(false)
    })

    test('starts at the first block whose logs are stored', async () => {
      const store = await openEvm()
      await clearEvm(store)
      const blocks = blocksOf(9, 30)
      await (await EvmWriter.open(store, TEST_CHAIN, { logs: false })).commit(blocks.slice(0, 10))
      await (await EvmWriter.open(store, TEST_CHAIN)).commit(blocks.slice(10))
      // Messages are read from blocks, so they are stored without the logs.
      const written = await messagesOf(store)
      await forget(store)
      await EvmWriter.open(store, TEST_CHAIN)
      while (await IcmBackfill.advance(store));
      const heightOf = (row: string) => Number(/height (\d+)/.exec(row)?.[1])
      const isLate = (row: string) => heightOf(row) >= 10
      const read = await messagesOf(store)
      expect(read.icm_message?.every(isLate)).toBe(true)
      // A message that was first sent before looks like a new one.
      const others = (rows: readonly string[] = []) =>
        rows.filter((row) => isLate(row) && !row.includes('kind resent'))
      expect(others(read.icm_event)).toEqual(others(written.icm_event))
      expect(await Icm.progress(store)).toEqual({ from: 10n, next: 30n, isWhole: false })
      expect((await EvmDoctor.check(store)).faults).toEqual([])
    })
  })

  test('EvmDoctor.check finds messages that do not match the logs', async () => {
    const store = await openEvm()
    await (await EvmWriter.open(store, TEST_CHAIN)).commit(blocksOf(7, 40))
    expect((await EvmDoctor.check(store)).faults).toEqual([])
    for (const [harm, back, table] of [
      [
        'update icm_count set messages = messages + 1',
        'update icm_count set messages = messages - 1',
        'icm_count',
      ],
      ['update icm_message set time = time + 1', 'update icm_message set time = time - 1', 'icm_message'],
      [
        'update icm_message set gas_used = gas_used + 1',
        'update icm_message set gas_used = gas_used - 1',
        'icm_message',
      ],
      [
        'update icm_message set log_index = log_index + 10000',
        'update icm_message set log_index = log_index - 10000',
        'icm_message',
      ],
      [
        // The source marks these rows, because only the one of a Warp message has one.
        `update icm_event set kind = 'failed', source = contract where kind = 'executed'`,
        `update icm_event set kind = 'executed', source = null where kind = 'failed' and source = contract`,
        'icm_event',
      ],
      [
        `update icm_event set message_id = contract where kind = 'warp'`,
        `update icm_event set message_id = sha256(body) where kind = 'warp'`,
        'icm_event',
      ],
      [
        'update icm_progress set next_height = 0',
        'update icm_progress set next_height = (select height + 1 from cursor)',
        'icm_message',
      ],
    ] as const) {
      await run(store, harm)
      const { faults } = await EvmDoctor.check(store)
      expect([...new Set(faults.map((fault) => fault.table))], harm).toContain(table)
      await run(store, back)
      expect((await EvmDoctor.check(store)).faults, back).toEqual([])
    }
  })
})
