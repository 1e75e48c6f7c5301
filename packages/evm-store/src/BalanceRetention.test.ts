import { BlockReader } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { codeOf, database } from '@firn/sql/testing'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import * as EvmDoctor from './EvmDoctor.ts'
import type { EvmStore } from './EvmStore.ts'
import { EvmWriter } from './EvmWriter.ts'
import type { Holding } from './queries/BalanceChecks.ts'
import * as Retention from './queries/Retention.ts'
import * as TokenBalances from './queries/TokenBalances.ts'
import { eachDatabase } from './testing/databases.ts'
import { TEST_CHAIN } from './testing/evm.ts'
import { evmContents } from './testing/evmContents.ts'

const BLOCKS = 80
const DEPTH = 24n
const LAST = BigInt(BLOCKS - 1)

eachDatabase(({ openEvm }) => {
  it('knows the same balances and owners from the kept block on', async () => {
    const [store, whole] = [await openEvm(), await openEvm()]
    const blocks = inventedChain({ seed: 3, transactions: [2, 6], accounts: 6 })
      .grow(BLOCKS)
      .map((parts) => ({ block: BlockReader.read(parts), contracts: [] }))
    const [writer, other] = [await EvmWriter.open(store, TEST_CHAIN), await EvmWriter.open(whole, TEST_CHAIN)]
    await writer.commit(blocks.slice(0, 45))
    // The first removal is followed by another one, from which rows remain that the first one left.
    const prune = async (depth: bigint) => {
      while (await writer.prune({ keep: { balances: 0n }, depth, batch: 50 }));
    }
    await prune(20n)
    await writer.commit(blocks.slice(45))
    await other.commit(blocks)
    await prune(DEPTH)
    const kept = (await Retention.keptFrom(store, 'balances')) ?? 0n
    expect(kept).toBe(LAST - DEPTH)
    expect(await countOld(store, kept)).toBeLessThan(0.6 * (await countOld(whole, kept)))
    const holdings = await holdingsOf(whole)
    for (const height of [kept - 1n, kept, kept + 7n, LAST])
      expect(await TokenBalances.ofHoldings(store, holdings, height)).toEqual(
        await TokenBalances.ofHoldings(whole, holdings, height),
      )
    expect((await EvmDoctor.check(store)).faults).toEqual([])
    for (const height of [LAST - 3n, kept - 1n]) {
      await writer.undo(height)
      await other.undo(height)
      expect(await newest(store, kept)).toEqual(await newest(whole, kept))
      expect((await EvmDoctor.check(store)).faults).toEqual([])
    }
    await writer.commit(blocks.slice(Number(kept)))
    await other.commit(blocks.slice(Number(kept)))
    expect(await newest(store, kept)).toEqual(await newest(whole, kept))
    expect((await EvmDoctor.check(store)).faults).toEqual([])
    expect(await codeOf(writer.undo(kept - 2n))).toBe('STORE_CURSOR')
  })
})

const HISTORIES = ['token_balance', 'token_owner'] as const

async function countOld(store: EvmStore, height: bigint): Promise<number> {
  const counts = HISTORIES.map((table) => `select count(*) as n from ${table} where since < ${height}`)
  const { rows } = await sql
    .raw<{ n: bigint }>(`select sum(n)::int8 as n from (${counts.join(' union all ')}) as c`)
    .execute(database(store))
  return Number(rows[0]?.n)
}

async function holdingsOf(store: EvmStore): Promise<readonly Holding[]> {
  const { rows } = await sql<Holding>`select distinct contract, standard, token_id as "tokenId", address
    from (select contract, standard, token_id, address from token_balance
      union select contract, standard, 0, address from token_holder) as h`.execute(database(store))
  return rows
}

/** Returns the rows that are valid at the kept blocks. */
async function newest(store: EvmStore, height: bigint): Promise<unknown> {
  const { token_holder, token, last_activity } = await evmContents(store)
  const { rows } = await sql`select * from token_owner where until is null or until >= ${height}
    order by contract, token_id, since`.execute(database(store))
  return { token_holder, token, last_activity, owners: rows }
}
