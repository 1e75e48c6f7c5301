import { Hex } from '@firn/codec'
import { explain, listening } from '@firn/sql/testing'
import { describe, expect, test } from 'vitest'
import type { EvmStore } from '../EvmStore.ts'
import { EvmWriter } from '../EvmWriter.ts'
import { ALL_BALANCES } from '../internal/allBalances.ts'
import { busyChain } from '../testing/busyChain.ts'
import { eachDatabase } from '../testing/databases.ts'
import { TEST_CHAIN } from '../testing/evm.ts'
import { type Holder, page, type Query } from './TokenHolders.ts'

const BLOCKS = 40n
const MANY = 30_000
/** Maximum number of database pages that a page of ten holders may read. */
const MOST_BUFFERS = 150

eachDatabase(({ openEvm }) => {
  describe('EvmTokenHolders.page', () => {
    test('reads the same holders in any order, for all pages and heights', async () => {
      const store = await filled(openEvm)
      let compared = 0
      for (const threshold of [0n, 10n ** 18n, 3n * 10n ** 18n]) {
        for (const to of [BLOCKS - 1n, 25n]) {
          const query = { ...(await busiest(store)), threshold, from: 0n, to } as const
          const [whole, sorted, ordered] = await Promise.all([
            page(store, { ...query, after: undefined, limit: 1_000 }),
            inPages(store, { ...query, few: 1_000 }),
            inPages(store, { ...query, few: 0 }),
          ])
          expect(whole).toHaveLength(await everAbove(store, query))
          expect(sorted).toEqual(whole)
          expect(ordered).toEqual(whole)
          compared += whole.length
        }
      }
      expect(compared).toBeGreaterThan(100)
    })

    test('reads no more than a page of a contract with many holders', async () => {
      const store = await filled(openEvm)
      const own = await busiest(store)
      await store.driver.transaction(async (session) => {
        await session.query(MORE, [Hex.encodeBare(own.contract), String(MANY)])
        await session.query('analyze token_holder')
      })
      const heard = listening(store as never)
      let after: Holder | undefined
      for (const threshold of [0n, 500n, 10n ** 30n]) {
        for (let i = 0; i < 3; i++) {
          const query = { ...own, threshold, from: 0n, to: BLOCKS, after, limit: 10, few: 100 }
          const found = await page(heard.store as never, query)
          after = found.at(-1)
          for (const statement of heard.take()) {
            const plan = (await explain(store as never, statement, true)).join('\n')
            const buffers = Number(/Buffers: shared hit=(\d+)/.exec(plan)?.[1])
            expect([threshold, buffers < MOST_BUFFERS ? 'a page' : plan]).toEqual([threshold, 'a page'])
          }
        }
        after = undefined
      }
    })
  })
})

/** Holders with small balances. Every second one has sold its tokens, of which it had more. */
const MORE = `insert into token_holder (contract, standard, address, since, balance, peak, peak_since)
  select decode($1, 'hex'), 20, substr(sha256(g::text::bytea), 1, 20), 2,
    case when g % 2 = 0 then 0 else g % 1000 end, case when g % 2 = 0 then g % 1000 end, case when g % 2 = 0 then 1 end
  from generate_series(1, $2::int) as g`

async function filled(open: () => Promise<EvmStore>): Promise<EvmStore> {
  const store = await open()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  const shape = { blocks: Number(BLOCKS), transactions: 2, transfers: 10, accounts: 60, contracts: 2 }
  await writer.commit([...busyChain(shape)].map((block) => ({ block, contracts: [] })))
  return store
}

async function busiest(store: EvmStore): Promise<Pick<Query, 'contract' | 'standard'>> {
  const [row] = await store.driver.transaction((session) =>
    session.query(
      'select contract from token_holder where standard = 20 group by 1 order by count(*) desc limit 1',
    ),
  )
  return { contract: row?.['contract'] as Uint8Array, standard: 20 }
}

async function everAbove(store: EvmStore, { contract, threshold, to }: Omit<Query, 'after' | 'limit'>) {
  const text = `select count(distinct address) as count from ${ALL_BALANCES} as b
    where contract = decode($1, 'hex') and standard = 20 and balance > $2::numeric and since <= $3::int8`
  const values = [Hex.encodeBare(contract), String(threshold), String(to)]
  const [row] = await store.driver.transaction((session) => session.query(text, values))
  return Number(row?.['count'])
}

async function inPages(store: EvmStore, query: Omit<Query, 'after' | 'limit'>): Promise<Holder[]> {
  const all: Holder[] = []
  for (;;) {
    const found = await page(store, { ...query, after: all.at(-1), limit: 7 })
    all.push(...found)
    if (found.length < 7) return all
  }
}
