import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiKeys } from '@firn/service-store'
import { codeOf, database } from '@firn/sql/testing'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Options, Store } from './Store.ts'

const root = await mkdtemp(join(tmpdir(), 'firn-attached-'))
afterAll(() => rm(root, { recursive: true, force: true }))

const key = (hint: string) => ({
  hash: new TextEncoder().encode(hint.padEnd(32)),
  hint,
  name: 'me',
  scopes: ['data'],
  units_per_minute: null,
  units_per_day: null,
  created_at: 1n,
  revoked_at: null,
})

const folder = join(root, 'db')

/** Returns the numbers in the test table `mark`. */
const marks = async (store: Store) =>
  (await sql<{ number: number }>`select number from mark order by 1`.execute(database(store))).rows.map(
    (row) => row.number,
  )

const CHILD = new URL('./testing/attachedChild.ts', import.meta.url).pathname

describe.skipIf(process.platform === 'win32')(
  'a database folder opened by another process',
  { tags: ['unix'] },
  () => {
    let owner: Store
    const attached: Store[] = []
    const attach = async (options: Options = {}) => {
      const store = await Store.open({ folder, attach: true, ...options })
      attached.push(store)
      return store
    }
    beforeAll(async () => {
      owner = await Store.open({ folder })
      await owner.migrate()
      await sql`create table mark (number int primary key)`.execute(database(owner))
      await sql`insert into mark values (1)`.execute(database(owner))
    })
    afterEach(async () => {
      for (const store of attached.splice(0)) await store.close()
    })
    afterAll(() => owner.close())

    test('reads and writes a folder through the process that has it open', async () => {
      const client = await attach()
      await client.migrate()
      await ApiKeys.add(owner, key('from-owner'))
      await ApiKeys.add(client, key('from-client'))
      expect(await ApiKeys.list(client)).toEqual(await ApiKeys.list(owner))
      expect((await ApiKeys.list(client)).map(({ hint }) => hint)).toEqual(['from-owner', 'from-client'])
      expect(await ApiKeys.revoke(client, key('from-owner').hash, 9n)).toBe(true)
    })

    test('returns all kinds of values and error codes unchanged through the other process', async () => {
      const client = await attach()
      const query = sql`select 1::int8 as big, '\\x0102'::bytea as bytes, null as nothing, array[2::int8] as list,
      '{"a":[1]}'::jsonb as json, ${'é'} as text`
      expect((await query.execute(database(client))).rows).toEqual(
        (await query.execute(database(owner))).rows,
      )
      const twice = sql`insert into mark values (1)`.execute(database(client))
      await expect(twice).rejects.toMatchObject({ code: 'STORE_QUERY', details: { sqlState: '23505' } })
      expect(await codeOf(sql`select nonsense`.execute(database(client)))).toBe('STORE_QUERY')
      expect(await marks(client)).toEqual([1])
    })

    test('runs transactions atomically, including COPY', async () => {
      const client = await attach()
      await database(client)
        .transaction()
        .execute(async (transaction) => {
          await sql`insert into mark values (3)`.execute(transaction)
          await sql`insert into mark values (4)`.execute(transaction)
        })
      const failed = client.driver.transaction(async (session) => {
        await session.query('insert into mark values (5)')
        await session.query('insert into mark values (1)')
      })
      expect(await codeOf(failed)).toBe('STORE_QUERY')
      // The bytes are one row with one int4 in PostgreSQL's binary COPY format.
      const row = Buffer.from(
        '5047434f50590aff0d0a000000000000000000000100000004000000 06ffff'.replace(' ', ''),
        'hex',
      )
      await client.driver.transaction((session) => session.copy('mark', row))
      expect(await marks(owner)).toEqual([1, 3, 4, 6])
      await sql`delete from mark where number > 1`.execute(database(client))
    })

    test('lets a transaction choose its isolation level', async () => {
      const client = await attach()
      const levels = await client.driver.transaction(async (session) => {
        await session.query('set transaction isolation level repeatable read, read only')
        return session.query('show transaction_isolation')
      })
      expect(levels).toEqual([{ transaction_isolation: 'repeatable read' }])
    })

    test('shows each client the tables of its own schema', async () => {
      const other = await attach({ networkId: 5 })
      await other.migrate()
      await ApiKeys.add(other, key('fuji'))
      expect((await ApiKeys.list(other)).map(({ hint }) => hint)).toEqual(['fuji'])
      expect((await ApiKeys.list(owner)).map(({ hint }) => hint)).not.toContain('fuji')
      expect(await marks(owner)).toEqual([1])
    })

    test('rolls back the transaction of a client that is killed', async () => {
      const child = spawn(process.execPath, ['--conditions=source', CHILD, folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(child.stdout, 'data')
      const written = sql`insert into mark values (7)`.execute(database(owner))
      child.kill('SIGKILL')
      await once(child, 'exit')
      await written
      expect(await marks(owner)).toEqual([1, 7])
      expect(await marks(await attach())).toEqual([1, 7])
      await sql`delete from mark where number > 1`.execute(database(owner))
    })

    test('creates a socket that only the same user can open', async () => {
      const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
      expect(await modeOf(join(folder, '.owner'))).toBe('700')
      expect(await modeOf(join(folder, '.owner', 'socket'))).toBe('600')
    })

    test('rejects a second owner and names the process that has the folder open', async () => {
      await expect(Store.open({ folder })).rejects.toMatchObject({
        code: 'STORE_IN_USE',
        message: `${folder} is in use by another process (pid ${process.pid}); stop it, or set FIRN_DATABASE_URL`,
      })
      expect(await marks(owner)).toEqual([1])
    })
  },
)

describe.skipIf(process.platform === 'win32')('a store that attaches to a folder', { tags: ['unix'] }, () => {
  test('opens the folder directly when no other process has it open', async () => {
    const alone = await Store.open({ folder, attach: true })
    expect(await codeOf(Store.open({ folder }))).toBe('STORE_IN_USE')
    await alone.close()
  })

  test('fails and rolls back open transactions when the owner closes the folder', async () => {
    const owner = await Store.open({ folder })
    const client = await Store.open({ folder, attach: true })
    const begun = Promise.withResolvers<void>()
    const work = client.driver.transaction(async (session) => {
      await session.query('insert into mark values (9)')
      begun.resolve()
      for (;;) await session.query('select 1')
    })
    const code = codeOf(work)
    await begun.promise
    await owner.close()
    expect(await code).toBe('STORE_UNAVAILABLE')
    expect(await codeOf(sql`select 1`.execute(database(client)))).toBe('STORE_UNAVAILABLE')
    await client.close()
    const again = await Store.open({ folder })
    expect(await marks(again)).toEqual([1])
    await again.close()
  })

  test('attaches to a folder whose path is longer than a socket path may be', async () => {
    const long = join(root, 'long'.repeat(30))
    await rename(folder, long)
    const owner = await Store.open({ folder: long })
    const client = await Store.open({ folder: long, attach: true })
    expect(await marks(client)).toEqual([1])
    expect(await codeOf(Store.open({ folder: long }))).toBe('STORE_IN_USE')
    await client.close()
    await owner.close()
  })
})
