import { Hex } from '@firn/codec'
import { BlockReader } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { EvmStore, EvmWriter } from '@firn/evm-store'
import { TEST_CHAIN } from '@firn/evm-store/testing'
import { until } from '@firn/runtime/testing'
import { Secrets } from '@firn/service-store'
import { database, TestPostgres } from '@firn/sql/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { startFirn } from '../../testing/startFirn.ts'

const ID = String(TEST_CHAIN.chainId)
const stores: EvmStore[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})

/** Returns a new database that contains a chain with three blocks. */
async function filled(name: string) {
  const url = await TestPostgres.createDatabase(await TestPostgres.url(), `${name}_${process.pid}`)
  const store = await EvmStore.open({ url, chainId: TEST_CHAIN.chainId, connections: 2 })
  stores.push(store)
  await store.migrate()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  const blocks = inventedChain({ seed: 2, transactions: [1, 2], accounts: 3 }).grow(3)
  await writer.commit(blocks.map((parts) => ({ block: BlockReader.read(parts), contracts: [] })))
  return { url, store }
}

const readOnly = (url: string) =>
  `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent('-c default_transaction_read_only=on')}`
const serve = (url: string, chain = ID) =>
  startFirn(['data-api', '--chain', chain, '--port', '0', '--database-url', readOnly(url)])

describe.skipIf(TestPostgres.missing() !== undefined)('firn data-api --chain', { tags: ['postgres'] }, () => {
  test('serves a stored chain from a read-only database, and leaves the lease to its writer', async () => {
    const { url, store } = await filled('stored_serving')
    // A standby server has the secret of page tokens as soon as a service has run on the primary server.
    const refused = serve(url)
    expect([await refused.code, refused.notes.join()]).toEqual([
      1,
      expect.stringContaining('the database is read-only'),
    ])
    await Secrets.shared(store, 'page tokens', () => new Uint8Array(32))

    const service = serve(url, `${ID}=http://127.0.0.1:9`)
    await until(() => expect(service.lines.at(-1)).toMatch(/Press Ctrl-C/))
    const base = /Data API\s+(\S+)/.exec(service.lines.join('\n'))?.[1]
    const json = async (path: string) => (await fetch(`${base}${path}`)).json()
    expect(await json(`/v1/chains/${ID}/blocks?pageSize=2`)).toMatchObject({
      blocks: [{ blockNumber: '2' }, { blockNumber: '1' }],
      nextPageToken: expect.any(String),
    })
    expect(await json('/health')).toMatchObject({ status: 'up' })
    const token = await database(store).selectFrom('token').selectAll().executeTakeFirstOrThrow()
    const path = `/nfts/collections/${Hex.encode(token.contract)}/tokens/${token.token_id}:reindex`
    expect((await fetch(`${base}/v1/chains/${ID}${path}`, { method: 'POST' })).status).toBe(503)
    expect(
      await database(store).selectFrom(['writer', 'lease']).select(['fence', 'holder']).execute(),
    ).toEqual([{ fence: 1n, holder: null }])
    service.stop()
    expect(await service.code).toBe(0)
  })

  test('rejects a chain that is not stored, and tables of an earlier or a later version', async () => {
    const { url, store } = await filled('stored_versions')
    const failure = async (chain?: string) => {
      const service = serve(url, chain)
      expect(await service.code).toBe(1)
      return service.notes.join()
    }
    expect(await failure('7')).toContain('the database has no tables in schema evm_7 yet')
    await store.driver.control(`insert into kysely_migration values ('9999_later', '')`)
    expect(await failure()).toContain('created by a later version of Firn')
    await store.driver.control(`delete from kysely_migration where name > '0002'`)
    expect(await failure()).toContain('created by an earlier version of Firn')
  })

  test('rejects the options of a source of blocks', async () => {
    const started = startFirn(['data-api', '--chain', ID, '--upstream', 'http://127.0.0.1:9'])
    expect([await started.code, started.notes.join()]).toEqual([2, expect.stringContaining('--chain serves')])
  })
})
