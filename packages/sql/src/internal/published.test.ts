import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Statement } from '@firn/runtime'
import { Kysely, sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { openDriver } from '../openDriver.ts'
import { borrowPGlite } from '../testing/pglite.ts'

const seen: Statement.Statement[] = []
const listener = (message: unknown) => void seen.push(message as Statement.Statement)
afterEach(() => unsubscribe(Statement.CHANNEL, listener))

describe('published', () => {
  it('publishes queries and statements of transactions with their rows', async () => {
    const driver = await openDriver({ pglite: await borrowPGlite() }, 'public')
    subscribe(Statement.CHANNEL, listener)
    await sql`select generate_series(1, 3)`.execute(new Kysely({ dialect: driver.dialect }))
    await driver.transaction((session) => session.query('select generate_series(1, $1::int)', [2]))
    expect(seen.map(({ text, rows }) => [text, rows])).toEqual([
      ['select generate_series(1, 3)', 3],
      ['select generate_series(1, $1::int)', 2],
    ])
    await driver.close()
  })
})
