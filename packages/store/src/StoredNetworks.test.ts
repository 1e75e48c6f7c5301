import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Options, Store } from './Store.ts'
import * as StoredNetworks from './StoredNetworks.ts'
import { load } from './testing/recordings.ts'
import { Writer } from './Writer.ts'

const root = await mkdtemp(join(tmpdir(), 'firn-networks-'))
afterAll(() => rm(root, { recursive: true, force: true }))

const migrate = async (
  options: Options,
  work: (store: Store) => Promise<unknown> = async () => undefined,
) => {
  const store = await Store.open(options)
  await store.migrate()
  await work(store)
  await store.close()
}

describe('StoredNetworks', () => {
  test('returns no networks for a folder without a database, and creates no database in it', async () => {
    const folder = join(root, 'none')
    expect(await StoredNetworks.list({ folder })).toEqual([])
    expect(existsSync(folder)).toBe(false)
    await expect(StoredNetworks.only({ folder })).rejects.toMatchObject({
      code: 'STORE_EMPTY',
      message: expect.stringContaining('pass --network'),
    })
  })

  test('returns the only network of a database, or lists the networks in the error if there are several', async () => {
    const folder = join(root, 'some')
    await migrate({ folder, networkId: 12345 })
    expect(await StoredNetworks.only({ folder })).toBe(12345)
    await migrate({ folder, networkId: 5 })
    await migrate({ folder, schema: 'other' })
    expect(await StoredNetworks.list({ folder })).toEqual([5, 12345])
    await expect(StoredNetworks.only({ folder })).rejects.toMatchObject({
      code: 'STORE_NETWORKS',
      message: 'The database holds 2 networks: fuji, local. Pass --network with one of them.',
    })
  })

  test('reads the network id from a schema with a custom name', async () => {
    const folder = join(root, 'named')
    const { genesis, constants } = load('local')
    await migrate({ folder, schema: 'mine' }, (store) => Writer.open(store, genesis, constants))
    await migrate({ folder, networkId: 5 })
    expect(await StoredNetworks.only({ folder, schema: 'mine' })).toBe(12345)
    expect(await StoredNetworks.list({ folder, schema: 'missing' })).toEqual([])
  })
})
