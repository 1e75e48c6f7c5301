import { expect, test } from 'vitest'
import * as pglite from './pglite.ts'

test('makes a checkpoint when the write-ahead log has grown, so that it stays short', async () => {
  const sizeAfter = async (maxWalBytes: number) => {
    const driver = await pglite.open({ maxWalBytes }, 'walled')
    for (let i = 0; i < 12; i++) {
      const rows = `select sha256(int8send(n)) from generate_series(1, 5000::int8) n`
      await driver.transaction(({ query }) => query(`create table t${i} as ${rows}`))
    }
    const [row] = await driver.control(
      'select (pg_current_wal_insert_lsn() - redo_lsn)::int8 as bytes from pg_control_checkpoint()',
    )
    await driver.close()
    return Number(row?.['bytes'])
  }
  expect(await sizeAfter(1 << 20)).toBeLessThan(2 << 20)
  expect(await sizeAfter(1 << 30)).toBeGreaterThan(3 << 20)
})
