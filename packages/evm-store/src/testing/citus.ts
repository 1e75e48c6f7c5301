import { CITUS_URL } from '@firn/sql/testing'
import type { EvmStore } from '../EvmStore.ts'
import { shardEvmChain } from '../shardEvmChain.ts'

/** Number of shards of a chain in tests: one for each of two workers. */
const SHARDS = 2

/** Creates the tables of a chain, and shards them if the tests run on a Citus cluster. For tests only. */
export async function createTables(store: EvmStore, isSharded = CITUS_URL !== ''): Promise<void> {
  await store.migrate()
  if (isSharded && store.driver.isShared) await shardEvmChain(store, { shards: SHARDS })
}
