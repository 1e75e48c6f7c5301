import { existsSync } from 'node:fs'
import { ChainStores, type EvmStore, resetEvmChain } from '@firn/evm-store'
import type { Terminal } from '@firn/options'
import type { Databases } from '@firn/store'
import { IndexerError } from '../../common/IndexerError.ts'
import * as Database from '../Database.ts'

/** Removes a stored EVM chain, so that it is indexed again, and prints what was removed. */
export const reset = async (
  options: Databases.Options,
  chainId: bigint,
  terminal: Terminal,
): Promise<void> => {
  const { databaseUrl, dataDir } = options
  const folder = ChainStores.folderOf(dataDir, chainId)
  if (databaseUrl === undefined && !existsSync(folder)) {
    const message = `chain ${chainId} is not stored in ${folder}; choose its database with --data-dir or --database-url`
    throw new IndexerError('INDEXER_CONFIGURATION', message)
  }
  const store = await ChainStores.openOne(options, chainId, Database.logger(terminal))
  try {
    terminal.print(await removed(store))
  } finally {
    await store.close()
  }
}

const removed = async (store: EvmStore): Promise<string> => {
  const { chain, blocks } = await resetEvmChain(store)
  const what =
    blocks === undefined
      ? 'no blocks'
      : `blocks ${blocks.first} to ${blocks.last} and everything derived from them`
  return `removed chain ${chain.chainId} (${chain.name}): ${what}; it will be indexed again from its first block`
}
