import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { emptyCluster } from '../../testing/emptyCluster.ts'
import { start } from '../pglite.ts'
import * as FolderLock from './FolderLock.ts'
import { createOffer, type OfferOptions } from './Offer.ts'
import { createRemoteDatabase } from './RemoteDatabase.ts'

const folder = await mkdtemp(join(tmpdir(), 'firn-offer-'))
let database: PGlite
beforeAll(async () => {
  database = await start(undefined, await emptyCluster())
  await database.exec('create table mark (number int)')
})
const endings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const offer = async (options: OfferOptions) => {
  const lock = await FolderLock.take(folder, createOffer(Promise.resolve(database), options))
  endings.push(() => lock.release())
}
const attach = async () => {
  const owner = await FolderLock.attach(folder, 'public')
  if (owner === undefined) throw new TypeError('nobody has the folder open')
  const client = createRemoteDatabase(owner)
  endings.push(() => client.close())
  return client
}

test.skipIf(process.platform === 'win32')(
  'ends the transaction of a client that stays idle',
  { tags: ['unix'] },
  async () => {
    await offer({ idleMs: 20 })
    const client = await attach()
    const inserted = Promise.withResolvers<void>()
    const waiting = Promise.withResolvers<void>()
    const work = client.transaction(async (transaction) => {
      await transaction.query('insert into mark values (1)')
      inserted.resolve()
      await waiting.promise
    })
    // On a busy machine, the client may stay idle for too long before the insertion.
    await Promise.race([inserted.promise, work.catch(() => undefined)])
    // The owner's statement waits for the client's transaction, which ends only when it times out.
    expect((await database.query('select * from mark')).rows).toEqual([])
    waiting.resolve()
    await expect(work).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  },
)

test.skipIf(process.platform === 'win32')(
  'ends the transaction of a client that takes too long',
  { tags: ['unix'] },
  async () => {
    await offer({ mostMs: 0 })
    const client = await attach()
    const work = client.transaction((transaction) => transaction.query('insert into mark values (1)'))
    await expect(work).rejects.toMatchObject({
      code: 'STORE_TIMEOUT',
      message: expect.stringContaining('Stop the service and run the command again.'),
    })
    expect((await database.query('select * from mark')).rows).toEqual([])
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  },
)

test.skipIf(process.platform === 'win32')(
  'blocks clients after each turn of a client, for as long as the turn took, so that the owner can use the database',
  { tags: ['unix'] },
  async () => {
    const rests: number[] = []
    let time = 0
    let wake: () => void = () => undefined
    await offer({
      // The clock advances by 500 ms with each reading, so each statement seems to take that long.
      now: () => {
        time += 500
        return time
      },
      rest: (ms) => {
        rests.push(ms)
        return new Promise((resolve) => {
          wake = resolve
        })
      },
    })
    const [one, other] = [await attach(), await attach()]
    await one.query('select 1')
    expect(rests).toEqual([500])
    let isDone = false
    const second = other.query('select 2').then(() => {
      isDone = true
    })
    // The owner's own statements must run between the client's statements.
    for (let i = 0; i < 50; i++) await database.query('select 3')
    expect(isDone).toBe(false)
    wake()
    await second
    wake()
    expect(rests).toEqual([500, 500])
  },
)
