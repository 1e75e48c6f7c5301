import { fetchRows } from '@firn/sql'
import { explain, listening } from '@firn/sql/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { recordedStore } from '../testing/recordedStore.ts'
import { page } from './pages.ts'

const QUERY = { from: undefined, until: undefined, isStaking: false, after: undefined, limit: 100 } as const

/** A part of a plan that read UTXOs, or would read all of an owner. */
const READ_UTXOS = / on utxo.*\(actual|hashed SubPlan/

test('looks up no UTXOs for proposals that never have outputs', async () => {
  const store = await recordedStore('eras')
  const [busiest] = await fetchRows(
    store,
    sql<{ address: Uint8Array; rewards: bigint }>`select address, count(*) as rewards from transaction_address
      where name like 'Reward%' group by address having bool_and(name = 'RewardValidatorTx') order by rewards desc limit 1`,
  )
  expect(busiest?.rewards).toBeGreaterThan(1n)
  const { store: heard, take } = listening(store)
  const at = await store.snapshot()
  const addresses = [busiest?.address ?? new Uint8Array()]
  for (const names of [undefined, ['AdvanceTimeTx', 'RewardValidatorTx']]) {
    take()
    const found = await page(heard, at, 'P', { ...QUERY, addresses, names, order: 'desc' })
    expect([names, found.length > 0]).toEqual([names, names === undefined])
    const plans = await Promise.all(take().map((statement) => explain(store, statement, true)))
    expect(plans.flat().length).toBeGreaterThan(0)
    expect(plans.flat().filter((line) => READ_UTXOS.test(line))).toEqual([])
  }
})
