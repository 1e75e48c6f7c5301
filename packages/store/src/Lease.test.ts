import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { LedgerState } from '@firn/ledger'
import { Lease } from '@firn/sql'
import { codeOf } from '@firn/sql/testing'
import { describe, expect, test } from 'vitest'
import { Store } from './Store.ts'
import { eachDatabase } from './testing/databases.ts'
import { follow, load } from './testing/recordings.ts'
import { Writer } from './Writer.ts'

const { genesis, constants, chains } = load('local')
const blocks = [...follow(LedgerState.create(genesis, constants), chains)]

/** An interval so long that no test reaches the next renewal. */
const NEVER = 1_000_000
/** Options of a lease that expires immediately, like the lease of a stopped process. */
const EXPIRING = { termMs: 1, renewMs: NEVER }

async function eventually<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await read()
    if (found !== undefined) return found
    await setTimeout(10)
  }
}

const takeSoon = (store: Store, holder: string) => eventually(() => Lease.take(store, { holder }))

eachDatabase(({ name, open, again }) => {
  test('gives the lease to one process until that process releases it', async () => {
    const store = await open()
    const other = await again(store)
    const first = await Lease.take(store, { holder: 'first' })
    expect(await Lease.take(other, { holder: 'second' })).toBeUndefined()
    expect(await Lease.holderOf(other)).toEqual({
      holder: 'first',
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    await first?.release()
    expect(await Lease.holderOf(other)).toBeUndefined()
    const second = await Lease.take(other, { holder: 'second' })
    expect([second?.holder, second?.fence]).toEqual(['second', (first?.fence ?? 0n) + 1n])
    // Releasing a lease that another process has taken over has no effect.
    await first?.release()
    expect((await Lease.holderOf(store))?.holder).toBe('second')
    await second?.release()
  })

  test('frees the lease when its term ends, and lets the next holder fence off the previous writer', async () => {
    const store = await open()
    const other = await again(store)
    const lease = await Lease.take(store, { holder: 'stopped', ...EXPIRING })
    const { writer } = await Writer.open(store, genesis, constants, lease)
    await writer.commit(blocks.slice(0, 10))
    const next = await takeSoon(other, 'next')
    expect(await codeOf(writer.commit(blocks.slice(10, 20)))).toBe('STORE_FENCED')
    expect(await codeOf(Writer.open(store, genesis, constants, lease))).toBe('STORE_FENCED')
    const opened = await Writer.open(other, genesis, constants, next)
    await opened.writer.commit(blocks.slice(10))
    expect((await other.snapshot()).key).toBe('85.35.83')
    await next.release()
    await lease?.release()
  })

  test('notifies the holder when the lease is lost', async () => {
    const store = await open()
    const lease = (await Lease.take(store, { holder: 'first', renewMs: 10 })) as Lease
    const lost = new Promise((resolve) => lease.lost.addEventListener('abort', resolve))
    await Writer.open(await again(store), genesis, constants)
    await lost
    expect(lease.lost.reason).toMatchObject({ code: 'STORE_FENCED' })
    await lease.release()
  })

  test('gives the lease to exactly one of many concurrent callers', async () => {
    const store = await open()
    const others = await Promise.all(Array.from({ length: 5 }, () => again(store)))
    for (let round = 1; round <= 5; round++) {
      const attempts = others.map((other, i) => Lease.take(other, { holder: `${round}.${i}` }))
      const taken = (await Promise.all(attempts)).filter((lease) => lease !== undefined)
      // Only one process uses an embedded database, and it never takes the lease twice at the same time.
      if (name === 'PostgreSQL') expect(taken.map(({ fence }) => fence)).toEqual([BigInt(round)])
      for (const lease of taken) await lease.release()
    }
  })

  if (name === 'PostgreSQL')
    test('renews the lease during a long commit while all connections are busy', async () => {
      const store = await open()
      const lease = await Lease.take(store, { holder: 'busy', termMs: 60_000, renewMs: 10 })
      const done = Promise.withResolvers<void>()
      const busy = Array.from({ length: 4 }, () =>
        store.driver.transaction(async (session) => {
          await session.query('select fence from writer for share')
          await done.promise
        }),
      )
      const expiry = async () => (await Lease.holderOf(store))?.expiresAt
      const before = await expiry()
      await eventually(async () => ((await expiry()) === before ? undefined : true))
      done.resolve()
      await Promise.all(busy)
      await lease?.release()
    })

  if (name === 'PostgreSQL')
    test('takes the lease over from a process that stopped in the middle of a commit', async () => {
      const store = await open()
      const other = await again(store)
      const lease = await Lease.take(store, { holder: 'stopped', ...EXPIRING })
      const { writer } = await Writer.open(store, genesis, constants, lease)
      const [reached, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const { transaction } = store.driver
      const stopping: typeof transaction = (work) =>
        transaction((session) =>
          work({
            ...session,
            async query(text, values) {
              if (text.includes('pg_notify')) {
                reached.resolve()
                await resumed.promise
              }
              return session.query(text, values)
            },
          }),
        )
      Object.assign(store.driver, { transaction: stopping })
      const commit = codeOf(writer.commit(blocks.slice(0, 10)))
      await reached.promise
      const next = await takeSoon(other, 'next')
      const opened = await Writer.open(other, genesis, constants, next)
      await opened.writer.commit(blocks)
      resumed.resolve()
      expect(await commit).toBe('STORE_UNAVAILABLE')
      expect((await other.snapshot()).key).toBe('85.35.83')
      await next.release()
      await lease?.release()
    })
})

describe('Lease of an embedded database in a folder', () => {
  test('takes the lease over immediately after its holder crashed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'firn-lease-'))
    const crashed = await Store.open({ folder })
    await crashed.migrate()
    await Lease.take(crashed, { holder: 'crashed', termMs: NEVER, renewMs: NEVER })
    await crashed.close()
    const store = await Store.open({ folder })
    const lease = await Lease.take(store, { holder: 'next' })
    expect(lease?.fence).toBe(2n)
    await lease?.release()
    await store.close()
    rmSync(folder, { recursive: true })
  })
})
