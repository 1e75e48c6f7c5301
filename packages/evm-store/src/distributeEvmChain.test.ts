import { BlockReader } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { DATABASE, fetchRows, Lease, type Session } from '@firn/sql'
import { CITUS_URL, TestPostgres } from '@firn/sql/testing'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { type ChainPlace, distributeEvmChain } from './distributeEvmChain.ts'
import * as EvmDoctor from './EvmDoctor.ts'
import { EvmStore } from './EvmStore.ts'
import { EvmWriter } from './EvmWriter.ts'
import { TEST_CHAIN } from './testing/evm.ts'
import { evmContents } from './testing/evmContents.ts'

const BLOCKS = 24
const chain = inventedChain({ seed: 7, transactions: [1, 4], accounts: 5 })
const blocks = chain.grow(BLOCKS).map(indexed)
const others = chain
  .branch(11n, 'reorg')
  .grow(BLOCKS - 12)
  .map(indexed)

const opened: EvmStore[] = []
let schemas = 0
afterEach(async () => {
  for (const store of opened.splice(0).toReversed()) {
    await store[DATABASE].schema.dropSchema(store.schema).ifExists().cascade().execute()
    await store.close()
  }
})

function indexed(parts: Parameters<typeof BlockReader.read>[0]) {
  return { block: BlockReader.read(parts), contracts: [] }
}

async function open(url: string, schema = `distributed_${process.pid}_${schemas++}`): Promise<EvmStore> {
  const store = await EvmStore.open({ url, chainId: TEST_CHAIN.chainId, connections: 2, schema })
  opened.push(store)
  await store.migrate()
  return store
}

/** Returns the contents of a chain with a reorg above block 11, on PostgreSQL. */
async function expected() {
  const store = await open(await TestPostgres.url())
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  await writer.commit([...blocks.slice(0, 12), ...others])
  return evmContents(store)
}

/** Opens writers until all blocks of the branch are stored, and returns the codes of the errors. */
async function follow(store: EvmStore): Promise<readonly unknown[]> {
  const codes: unknown[] = []
  for (;;) {
    try {
      const writer = await EvmWriter.open(store, TEST_CHAIN)
      for (;;) {
        const next = Number((writer.cursor?.height ?? -1n) + 1n)
        if (next === BLOCKS) return codes
        await writer.commit([next < 12 ? blocks[next] : others[next - 12]].flatMap((one) => one ?? []))
      }
    } catch (error) {
      codes.push((error as { readonly code?: unknown }).code)
      if (codes.length > 9) throw error
    }
  }
}

/** Breaks the connections of all servers just before the third transaction from now commits. */
function breakThirdTransaction(store: EvmStore, disconnect: (session: Session) => Promise<unknown>): void {
  const { transaction } = store.driver
  let left = 3
  const breaking: typeof transaction = (work) =>
    transaction(async (session) => {
      const result = await work(session)
      if (--left === 0) await disconnect(session).catch(() => undefined)
      return result
    })
  Object.assign(store.driver, { transaction: breaking })
}

const SERVERS = [
  {
    name: 'PostgreSQL',
    tag: 'postgres',
    isMissing: TestPostgres.missing() !== undefined,
    url: TestPostgres.url,
    distribute: async (_: EvmStore): Promise<ChainPlace | undefined> => undefined,
    disconnect: 'select pg_terminate_backend(pg_backend_pid())',
  },
  {
    name: 'Citus',
    tag: 'citus',
    isMissing: CITUS_URL === '',
    url: async () => CITUS_URL,
    distribute: distributeEvmChain,
    disconnect: `select run_command_on_workers($$select count(pg_terminate_backend(pid)) from pg_stat_activity
      where backend_type = 'client backend' and datname = current_database() and pid <> pg_backend_pid()$$)`,
  },
]

describe.each(SERVERS)('an EVM chain on $name', ({ tag, isMissing, url, distribute, disconnect }) => {
  describe.skipIf(isMissing)('that is distributed', { tags: [tag] }, () => {
    test.each([0, 8])('after %i blocks has the same rows after reorgs and is faultless', async (count) => {
      const store = await open(await url())
      await (await EvmWriter.open(store, TEST_CHAIN)).commit(blocks.slice(0, count))
      const place = await distribute(store)
      expect((await distribute(store))?.port).toBe(place?.port)
      const writer = await EvmWriter.open(store, TEST_CHAIN)
      await writer.commit(blocks.slice(count))
      await writer.undo(11n)
      for (const block of others) await writer.commit([block])
      expect(await evmContents(store)).toEqual(await expected())
      expect((await EvmDoctor.check(store)).faults).toEqual([])
    })

    test('loses and repeats no block if the connections break before a commit', async () => {
      const store = await open(await url())
      await distribute(store)
      breakThirdTransaction(store, (session) => session.query(disconnect))
      expect(await follow(store)).toEqual(['STORE_UNAVAILABLE'])
      expect(await evmContents(store)).toEqual(await expected())
      expect((await EvmDoctor.check(store)).faults).toEqual([])
    })

    test('gives the lease to another process while its holder is suspended in a transaction', async () => {
      const store = await open(await url())
      await distribute(store)
      const other = await EvmStore.open({ url: await url(), chainId: store.chainId, schema: store.schema })
      const [locked, suspended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const lease = await Lease.take(store, { holder: 'suspended', termMs: 1, renewMs: 100_000 })
      const work = store.driver.transaction(async (session) => {
        await session.query('select fence from writer for update')
        locked.resolve()
        await suspended.promise
      })
      work.catch(() => undefined)
      await locked.promise
      const taken = await Lease.take(other, { holder: 'other' })
      expect(taken?.fence).toBe(2n)
      suspended.resolve()
      await expect(work).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
      await Promise.all([lease?.release(), taken?.release()])
      await other.close()
    })
  })
})

describe.skipIf(CITUS_URL === '')('an EVM chain on a worker', { tags: ['citus'] }, () => {
  test('moves to another worker while blocks are stored', async () => {
    const store = await open(CITUS_URL)
    await (await EvmWriter.open(store, TEST_CHAIN)).commit(blocks.slice(0, 2))
    const from = await distributeEvmChain(store)
    const [to] = await fetchRows(
      store,
      sql<{ name: string; port: number }>`select node_name as name, node_port::int4 as port
        from citus_get_active_worker_nodes() where (node_name, node_port) <> (${from?.host}, ${from?.port})`,
    )
    const move = sql`select citus_schema_move(${store.schema}::regnamespace, ${to?.name}, ${to?.port}::int4)`
    const [codes] = await Promise.all([follow(store), move.execute(store[DATABASE])])
    expect(codes).toEqual([])
    expect(await distributeEvmChain(store)).toMatchObject({ host: to?.name, port: to?.port })
    expect(await evmContents(store)).toEqual(await expected())
    expect((await EvmDoctor.check(store)).faults).toEqual([])
  })
})

test.skipIf(TestPostgres.missing() !== undefined)(
  'rejects to distribute a chain on a server without Citus',
  { tags: ['postgres'] },
  async () => {
    const store = await open(await TestPostgres.url())
    await expect(distributeEvmChain(store)).rejects.toMatchObject({ code: 'STORE_CITUS' })
  },
)
