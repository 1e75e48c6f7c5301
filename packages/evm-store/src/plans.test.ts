import type { Session } from '@firn/sql'
import { explain, listening } from '@firn/sql/testing'
import { describe, expect, test } from 'vitest'
import { EvmWriter } from './EvmWriter.ts'
import * as BalanceChecks from './queries/BalanceChecks.ts'
import * as TokenBalances from './queries/TokenBalances.ts'
import { busyChain } from './testing/busyChain.ts'
import { eachDatabase } from './testing/databases.ts'
import { TEST_CHAIN } from './testing/evm.ts'

/**
 * Matches sequential scans of growing tables. A writer must find each row by an index while it stores and
 * undoes blocks.
 */
const LARGE =
  /Seq Scan on (token_|last_activity\b|pruned_activity|contract|transfer|transaction|block|internal_call|creation|log)/

eachDatabase(({ openEvm }) => {
  describe('a writer', () => {
    test.each([
      ['all indexes', false],
      ['the indexes that only requests need missing', true],
    ])('looks up each row by an index, with %s', async (_which, defersIndexes) => {
      const store = await openEvm()
      const blocks = [
        ...busyChain({ blocks: 30, transactions: 10, transfers: 60, accounts: 300, contracts: 9 }),
      ]
      const indexed = blocks.map((block) => ({ block, contracts: [] }))
      await (await EvmWriter.open(store, TEST_CHAIN, { defersIndexes })).commit(indexed.slice(0, 20))
      await store.driver.transaction((session) => session.query('analyze'))
      // The cache holds almost nothing, so the writer looks up every row.
      const writer = await EvmWriter.open(store, TEST_CHAIN, { remembered: 1 })
      const plans: string[] = []
      const { transaction } = store.driver
      const explaining: typeof transaction = (work) =>
        transaction((session) => work({ ...session, query: explained(session, plans) }))
      Object.assign(store.driver, { transaction: explaining })
      await writer.commit(indexed.slice(20))
      await writer.undo(24n)
      expect(plans.filter((plan) => LARGE.test(plan))).toEqual([])
      for (const table of ['last_activity', 'token_balance', 'token_owner']) {
        expect(
          plans.some((plan) => new RegExp(`Index.* on ${table}`).test(plan)),
          table,
        ).toBe(true)
      }
    })
  })
})

eachDatabase(({ openEvm }) => {
  test('checks of balances look up each row by an index', async () => {
    const store = await openEvm()
    const options = { blocks: 30, transactions: 10, transfers: 60, accounts: 300, contracts: 9 }
    const blocks = [...busyChain(options)]
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    await writer.commit(blocks.map((block) => ({ block, contracts: [] })))
    const last = BigInt(blocks.length - 1)
    const { changed } = await BalanceChecks.changedIn(store, { first: 0n, last })
    const contracts = [...new Map(changed.map(({ contract }) => [String(contract), contract])).values()]
    const stored = await writer.storeChecks({
      first: 0n,
      last,
      hash: blocks.at(-1)?.hash as Uint8Array,
      continues: false,
      contracts: contracts.map((contract) => ({
        ...{ contract, since: 0n, basis: 'logs', class: 'wellBehaved', agreements: 1 },
        ...{ agreedFrom: 0n, checkedTo: last, due: 0n },
      })),
      unchecked: changed,
      checked: [],
      readings: changed,
    })
    expect(stored).toBe(true)
    await store.driver.transaction((session) => session.query('analyze'))
    const heard = listening(store)
    await BalanceChecks.changedIn(heard.store, { first: last, last })
    await BalanceChecks.holders(heard.store, contracts.slice(0, 1), { height: last, limit: 4 })
    await BalanceChecks.creators(heard.store, contracts.slice(0, 1))
    await BalanceChecks.due(heard.store, 0n, 4)
    await BalanceChecks.unchecked(heard.store, { height: last, limit: 4 })
    await TokenBalances.ofHoldings(heard.store, changed.slice(0, 4), last)
    const plans = await Promise.all(heard.take().map((one) => explain(store, one)))
    expect(plans.length).toBeGreaterThan(8)
    const scans = plans.flatMap((plan) => plan.filter((line) => SCANS.test(line)))
    expect(scans).toEqual([])
  })
})

/** Matches sequential scans of the growing tables that checks of balances read. */
const SCANS = /Seq Scan on (token_balance|balance_reading|unchecked_balance|transfer)/

function explained({ query }: Session, plans: string[]): Session['query'] {
  return async (text, values) => {
    if (
      /^\s*(select k|update|delete)/.test(text) &&
      !/cursor|writer|rollup|last_activity_count|set_config/.test(text)
    ) {
      const rows = await query(`explain ${text}`, values)
      plans.push(`${text}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}`)
    }
    return query(text, values)
  }
}
