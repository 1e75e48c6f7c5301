import { setTimeout } from 'node:timers/promises'
import { CHAIN_ALIASES, Hex } from '@firn/codec'
import { LedgerState } from '@firn/ledger'
import { PostgresServer, prepared } from '@firn/sql'
import { codeOf, database, TestPostgres } from '@firn/sql/testing'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import * as StateDigest from './StateDigest.ts'
import { Store } from './Store.ts'
import { follow, load } from './testing/recordings.ts'
import { Writer } from './Writer.ts'

const { genesis, constants, chains } = load('local')
const blocks = [...follow(LedgerState.create(genesis, constants), chains)]
const digest = async (store: Store) => Hex.encode(await StateDigest.of(store))

describe.skipIf(TestPostgres.missing() !== undefined)(
  'Store connections to a PostgreSQL server',
  { tags: ['postgres'] },
  () => {
    const server = TestPostgres.start(['fsync=off'])
    afterAll(async () => (await server).close())
    const stores: Store[] = []
    const open = async (schema: string) => {
      const store = await Store.open({ url: (await server).url, schema, connections: 4 })
      stores.push(store)
      return store
    }
    afterAll(() => Promise.all(stores.map((store) => store.close())))

    test('lets several processes create the tables at the same time', async () => {
      const all = await Promise.all(Array.from({ length: 6 }, () => open('together')))
      await Promise.all(all.map((store) => store.migrate()))
      const [store] = all as [Store]
      const opened = await Promise.all(all.map((one) => Writer.open(one, genesis, constants)))
      expect((await store.snapshot()).key).toBe('0.0.0')
      const codes = await Promise.all(opened.map(({ writer }) => codeOf(writer.commit(blocks.slice(0, 5)))))
      // The process that opened last is the writer, so the other five are fenced off.
      expect(codes.toSorted()).toEqual([...Array(5).fill('STORE_FENCED'), 'none'])
    })

    test('does not let the server compile statements, which takes longer than running them', async () => {
      const store = await open('uncompiled')
      const setting = `select setting, boot_val as default from pg_settings where name = 'jit'`
      const { rows } = await sql`${sql.raw(setting)}`.execute(database(store))
      const ofTransaction = await store.driver.transaction((session) => session.query(setting))
      expect([...rows, ...ofTransaction]).toEqual(Array(2).fill({ setting: 'off', default: 'on' }))
    })

    test('waits for other processes that are creating the tables', async () => {
      const [store, other] = [await open('waiting'), await open('waiting')]
      const migrated = await other.driver.transaction(async (session) => {
        await session.query(`select pg_advisory_xact_lock(hashtextextended('firn waiting', 0))`)
        const migration = store.migrate()
        const count = (what: string) => session.query(`select count(*) from ${what}`)
        const isWaiting = async () => (await count(`pg_locks where locktype = 'advisory' and not granted`))[0]
        while ((await isWaiting())?.['count'] === 0n) await setTimeout(10)
        expect(await count(`pg_namespace where nspname = 'waiting'`)).toEqual([{ count: 0n }])
        return [migration]
      })
      await Promise.all(migrated)
      expect(await codeOf(store.snapshot())).toBe('STORE_EMPTY')
    })

    test('creates the tables in a schema that another program creates at the same time', async () => {
      const [store, other] = [await open('racing'), await open('racing')]
      const migrated = await other.driver.transaction(async (session) => {
        await session.query('create schema racing')
        const migration = store.migrate()
        const waiting = `select count(*) from pg_locks where locktype = 'transactionid' and not granted`
        while ((await session.query(waiting))[0]?.['count'] === 0n) await setTimeout(10)
        return [migration]
      })
      await Promise.all(migrated)
      expect(await codeOf(store.snapshot())).toBe('STORE_EMPTY')
    })

    test('takes no lock when migrating an up-to-date schema', async () => {
      const [store, other] = [await open('current'), await open('current')]
      await store.migrate()
      await other.driver.transaction(async (session) => {
        await session.query(`select pg_advisory_xact_lock(hashtextextended('firn current', 0))`)
        await store.migrate()
      })
    })

    test('keeps a prepared statement working after its columns change', async () => {
      const [store, other] = [await open('altered'), await open('altered')]
      await store.driver.transaction((session) => session.query('create schema altered'))
      const change = (text: string) => other.driver.transaction((session) => session.query(text))
      await change('create table changing as select 1 as a')
      const read = async () => {
        const query = sql`${prepared} select * from changing where a = ${1}`
        return (await query.execute(database(store))).rows
      }
      for (let i = 0; i < 3; i++) expect(await read()).toEqual([{ a: 1 }])
      const all = sql`select count(*) from pg_prepared_statements where name like 'firn_%' and not from_sql`
      expect((await all.execute(database(store))).rows).toEqual([{ count: 1n }])
      await change('alter table changing add b text')
      for (let i = 0; i < 3; i++) expect(await read()).toEqual([{ a: 1, b: null }])
    })

    test('plans a prepared statement only once, and others with their values', async () => {
      const single = new PostgresServer((await server).url, { connections: 1 })
      const store = await Store.open({ server: single, schema: 'planned' })
      await store.driver.transaction(async (session) => {
        await session.query('create schema planned')
        await session.query('create table many as select n from generate_series(1, 10000) as n')
        await session.query('create index on many (n)')
        await session.query('analyze many')
      })
      for (let i = 0; i < 8; i++) {
        const query = sql`${prepared} select n from many order by n limit ${1}`
        expect((await query.execute(database(store))).rows).toEqual([{ n: 1 }])
      }
      const plans = sql`select generic_plans, custom_plans, current_setting('plan_cache_mode') as mode
        from pg_prepared_statements where name like 'firn_%'`
      expect((await plans.execute(database(store))).rows).toEqual([
        { generic_plans: 8n, custom_plans: 0n, mode: 'auto' },
      ])
      await sql`${prepared} select 1`.execute(database(store))
      const mode = `select current_setting('plan_cache_mode') as mode`
      expect(await store.driver.transaction((session) => session.query(mode))).toEqual([{ mode: 'auto' }])
      await store.close()
      await single.close()
    })

    test('stores nothing if the connection is lost during a commit', async () => {
      const [store, other] = [await open('lost'), await open('lost')]
      await store.migrate()
      const { writer } = await Writer.open(store, genesis, constants)
      await writer.commit(blocks.slice(0, 100))
      const before = await digest(other)
      await database(other)
        .transaction()
        .execute(async (transaction) => {
          // The lock stops the commit at the cursors, which are written after all other rows.
          await transaction.selectFrom('cursor').selectAll().forUpdate().execute()
          const commit = codeOf(writer.commit(blocks.slice(100)))
          await terminateWaiting(other)
          expect(await commit).toBe('STORE_UNAVAILABLE')
        })
      expect(await digest(other)).toBe(before)
      // The writer must be reopened to find out whether the batch was stored.
      expect(await codeOf(writer.commit(blocks.slice(100)))).toBe('STORE_UNAVAILABLE')
      const again = await Writer.open(store, genesis, constants)
      await again.writer.commit(blocks.slice(100))
      expect((await store.snapshot()).key).toBe('85.35.83')
    })

    test('keeps only whole batches after a server crash and restart', async () => {
      const store = await open('failing')
      await store.migrate()
      const { writer } = await Writer.open(store, genesis, constants)
      await writer.commit(blocks.slice(0, 60))
      const snapshot = await store.snapshot()
      const before = await digest(store)
      const commit = codeOf(writer.commit(blocks.slice(60)))
      await (await server).restart()
      expect(['none', 'STORE_UNAVAILABLE']).toContain(await commit)
      const { writer: next, state } = await Writer.open(store, genesis, constants)
      const key = CHAIN_ALIASES.map((chain) => LedgerState.tip(state, chain).height).join('.')
      // Neither batch waited for the disk, so the stored data ends with one of the two batches or with the
      // genesis.
      expect(['0.0.0', snapshot.key, '85.35.83']).toContain(key)
      if (key === snapshot.key) expect(await digest(store)).toBe(before)
      await next.commit(blocks.slice(key === '0.0.0' ? 0 : key === snapshot.key ? 60 : blocks.length))
      expect((await store.snapshot()).key).toBe('85.35.83')
    })

    test('notifies readers in other processes of commits, even after they lost their connection', async () => {
      const [store, reader] = [await open('heard'), await open('heard')]
      await store.migrate()
      const { writer } = await Writer.open(store, genesis, constants)
      expect((await reader.snapshot()).key).toBe('0.0.0')
      await expectHeard(reader, () => writer.commit(blocks.slice(0, 1)))
      const { rows } = await terminateListeners(store)
      expect(rows).toBeGreaterThan(0)
      await expectHeard(reader, () => writer.commit(blocks.slice(1, 2)))
      expect((await reader.snapshot()).key).toBe((await store.snapshot()).key)
    })

    test('finds the tables of each schema on the same connection, also after a transaction that is not committed', async () => {
      const shared = new PostgresServer((await server).url, { connections: 1 })
      const drivers = ['first', 'second'].map((schema) => shared.driver(schema))
      const [first, second] = drivers as [(typeof drivers)[0], (typeof drivers)[0]]
      await first.transaction((session) =>
        session.query('create schema first; create schema second; create table first.only_first (x int)'),
      )
      const find = (driver: typeof first) =>
        driver.transaction((session) => session.query('select x from only_first'))
      expect(await find(first)).toEqual([])
      // The server rolls back, because a statement has failed.
      await second.transaction(async (session) => {
        await session.query('select 1 / 0').catch(() => undefined)
        return []
      })
      await expect(find(second)).rejects.toThrow('only_first')
      expect(await find(first)).toEqual([])
      await shared.close()
    })

    test('shares the connections of a server between stores, each with its own tables', async () => {
      const shared = new PostgresServer((await server).url, { connections: 1 })
      const names = ['left', 'right', 'middle']
      const [left, right, middle] = (await Promise.all(
        names.map((schema) => Store.open({ server: shared, schema: `shared_${schema}` })),
      )) as [Store, Store, Store]
      await Promise.all([left, right, middle].map((store) => store.migrate()))
      await Promise.all([left, right].map((store) => Writer.open(store, genesis, constants)))
      const fill = (store: Store, value: number) =>
        store.driver.transaction((session) => session.query(`create table own as select ${value} as value`))
      await Promise.all([fill(left, 1), fill(right, 2)])
      const read = async (store: Store) => {
        const query = sql`${prepared} select value, current_schema() as name from own`
        return (await query.execute(database(store))).rows
      }
      for (let i = 0; i < 3; i++) {
        expect(await Promise.all([read(left), read(right)])).toEqual([
          [{ value: 1, name: 'shared_left' }],
          [{ value: 2, name: 'shared_right' }],
        ])
      }
      const control = (store: Store) => store.driver.control('select current_schema() as name')
      const found = await Promise.all([left, right, middle, left].map(control))
      expect(found.flat().map(({ name }) => name)).toEqual(
        ['left', 'right', 'middle', 'left'].map((name) => `shared_${name}`),
      )
      expect(await codeOf(middle.snapshot())).toBe('STORE_EMPTY')
      await middle.close()
      expect((await left.snapshot()).key).toBe('0.0.0')
      const connections = await left.driver.control(
        `select count(*) from pg_stat_activity where query like '%shared_%' or query like 'listen "firn_shared_%'`,
      )
      expect(Number(connections[0]?.['count'])).toBeLessThanOrEqual(4)
      await left.close()
      await right.close()
      await shared.close()
    })

    test('notifies the stores that share connections of their own commits only', async () => {
      const shared = new PostgresServer((await server).url)
      const share = (schema: string) => Store.open({ server: shared, schema })
      const [store, other] = [await share('heard_here'), await share('heard_there')]
      await Promise.all([store.migrate(), other.migrate()])
      const { writer } = await Writer.open(await open('heard_here'), genesis, constants)
      await Writer.open(await open('heard_there'), genesis, constants)
      await other.snapshot()
      await expectHeard(store, () => writer.commit(blocks.slice(0, 1)))
      let count = 0
      other.onAdvance(() => count++)
      await expectHeard(store, () => writer.commit(blocks.slice(1, 2)))
      expect(count).toBe(0)
      await terminateListeners(store)
      await expectHeard(store, () => writer.commit(blocks.slice(2, 3)))
      await store.close()
      await other.close()
      await shared.close()
    })

    test('reports an unreachable server as STORE_UNAVAILABLE', async () => {
      const store = await Store.open({ url: 'postgres://firn@localhost:1/none' })
      stores.push(store)
      expect(await codeOf(store.migrate())).toBe('STORE_UNAVAILABLE')
      expect(await codeOf(store.snapshot())).toBe('STORE_UNAVAILABLE')
      expect(await codeOf(Writer.open(store, genesis, constants))).toBe('STORE_UNAVAILABLE')
    })
  },
)

/** Terminates the database connection whose commit is waiting for a lock. */
async function terminateWaiting(store: Store): Promise<void> {
  for (;;) {
    const rows = await store.driver.transaction((session) =>
      session.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where wait_event_type = 'Lock' and query like 'insert into cursor%'`),
    )
    if (rows.length > 0) return
    await setTimeout(20)
  }
}

async function terminateListeners(store: Store): Promise<{ readonly rows: number }> {
  const rows = await store.driver.transaction((session) =>
    session.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'`),
  )
  return { rows: rows.length }
}

/** Waits until readers are notified of a commit. Ignores repeated notifications. */
async function expectHeard(store: Store, commit: () => Promise<void>): Promise<void> {
  let end = () => {}
  const heard = new Promise<void>((resolve) => {
    end = store.onAdvance(resolve)
  })
  await commit()
  await heard
  end()
}
