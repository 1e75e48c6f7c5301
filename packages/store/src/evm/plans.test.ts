import { describe, expect, test } from 'vitest'
import type { Session } from '../internal/Driver.ts'
import { busyChain } from '../testing/busyChain.ts'
import { eachDatabase } from '../testing/databases.ts'
import { TEST_CHAIN } from '../testing/evm.ts'
import { EvmWriter } from './EvmWriter.ts'

/**
 * Matches sequential scans of growing tables. A writer must find each row by an index while it stores and
 * undoes blocks.
 */
const LARGE =
  /Seq Scan on (token_|hourly_activity|last_activity\b|contract|transfer|transaction|block|internal_call|creation|log)/

eachDatabase(({ openEvm }) => {
  describe('a writer', () => {
    test('looks up each row by an index', async () => {
      const store = await openEvm()
      const blocks = [
        ...busyChain({ blocks: 30, transactions: 10, transfers: 60, accounts: 300, contracts: 9 }),
      ]
      const indexed = blocks.map((block) => ({ block, contracts: [] }))
      await (await EvmWriter.open(store, TEST_CHAIN)).commit(indexed.slice(0, 20))
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
      for (const table of ['hourly_activity', 'last_activity', 'token_balance', 'token_owner']) {
        expect(
          plans.some((plan) => new RegExp(`Index.* on ${table}`).test(plan)),
          table,
        ).toBe(true)
      }
      // For hours, the index condition must compare both columns of the key.
      const keys = plans.flatMap((plan) => plan.split('\n')).filter((line) => /Index Cond.*hour/.test(line))
      expect(keys.length).toBeGreaterThan(0)
      for (const key of keys) expect(key).toContain('address')
    })
  })
})

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
