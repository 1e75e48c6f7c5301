import type { EvmStore } from '../evm/EvmStore.ts'
import { shardEvmChain } from '../evm/shardEvmChain.ts'

const { FIRN_CITUS_URL = '' } = process.env
/** URL of a database on the coordinator of a Citus cluster; empty if there is none. For tests only. */
export const CITUS_URL = FIRN_CITUS_URL

/** Number of shards of a chain in tests: one for each of two workers. */
const SHARDS = 2

/** Creates the tables of a chain, and shards them if the tests run on a Citus cluster. For tests only. */
export async function createTables(store: EvmStore, isSharded = CITUS_URL !== ''): Promise<void> {
  await store.migrate()
  if (isSharded && store.driver.isShared) await shardEvmChain(store, { shards: SHARDS })
}
