import { isFirnError } from '@firn/codec'
import type { StoreErrorCode } from '@firn/sql'
import type { IndexerErrorCode } from '../common/IndexerError.ts'

/** When an error ends the indexer of the Primary Network, and why that is right. */
export interface Ending {
  /**
   * `start`: before the indexer has followed its source once. Afterwards, the error is retried like all others.
   * `end`: only if the caller waits for the end of the source, which is an archive or is read with `once`. The errors of
   * `start` then end the indexer at any time.
   */
  readonly when: 'start' | 'end'
  readonly why: string
}

type Code = IndexerErrorCode | StoreErrorCode

const start = (why: string): Ending => ({ when: 'start', why })
const end = (why: string): Ending => ({ when: 'end', why })
/** The error is retried with a growing pause, and shown in health until the next attempt has succeeded. */
const RETRIED = undefined

/**
 * All errors of the indexer and the store, with those that may end the indexer. A new code does not compile without a
 * decision here. Errors of other packages, and errors that are not typed, end it as `end` does.
 */
export const ENDINGS: Readonly<Record<Code, Ending | undefined>> = {
  INDEXER_CONFIGURATION: start('options contradict each other or the database'),
  INDEXER_GENESIS: start('the genesis is of another network than the database'),
  INDEXER_UPGRADES: start('the node, the upgrade file and this software have different upgrade times'),
  STORE_NETWORK: start('the database holds another network'),
  STORE_NETWORKS: start('the database holds several networks, and the options name none'),
  STORE_UPGRADES: start('the database was filled with other upgrade times'),
  STORE_C_CHAIN: start('the database was filled with or without the C-chain, unlike the source'),
  STORE_X_CHAIN: start('the database was filled with or without the X-chain, unlike the source'),
  STORE_CITUS: start('the server is not the coordinator of its cluster'),
  STORE_SCHEMA: start('another version has created the tables'),
  STORE_IN_USE: start('another process has the folder of the database open'),

  INDEXER_ARCHIVE: end('a file of the archive is missing or damaged, and does not change'),
  INDEXER_BLOCK: end('the archive contains a wrong block, and does not change'),
  INDEXER_UNSUPPORTED: end('the archive contains a block of a later upgrade'),
  INDEXER_SOURCE: end('the archive cannot be read'),
  INDEXER_NO_VERTICES: end('the node does not serve the vertices that the caller waits for'),
  INDEXER_NO_RAW_BLOCKS: end('the node does not serve the blocks that the caller waits for'),

  STORE_CORRUPT: end('a stored row is invalid or missing'),
  STORE_QUERY: end('the database rejects a statement, which is a bug'),
  STORE_BLOCK: end('a block cannot be stored, which is a bug'),

  INDEXER_STANDBY: RETRIED,
  INDEXER_INTERRUPTED: RETRIED,
  INDEXER_ARCHIVE_EXISTS: RETRIED,
  INDEXER_RPC_REFUSED: RETRIED,
  INDEXER_RPC_LIMITED: RETRIED,
  INDEXER_RPC_TOO_LARGE: RETRIED,
  INDEXER_RPC_UNAVAILABLE: RETRIED,
  INDEXER_RPC_MALFORMED: RETRIED,
  INDEXER_RPC_TIMEOUT: RETRIED,
  INDEXER_UNTRACED: RETRIED,
  INDEXER_ABSENT: RETRIED,
  INDEXER_CHAIN: RETRIED,
  INDEXER_RESET: RETRIED,
  INDEXER_TRACES: RETRIED,
  INDEXER_REORGANISATION: RETRIED,
  STORE_FENCED: RETRIED,
  STORE_CURSOR: RETRIED,
  STORE_UNAVAILABLE: RETRIED,
  STORE_TIMEOUT: RETRIED,
  STORE_EMPTY: RETRIED,
  STORE_HALTED: RETRIED,
  STORE_PRUNED: RETRIED,
  STORE_UNINDEXED: RETRIED,
  STORE_READ_ONLY: RETRIED,
  STORE_SNAPSHOT: RETRIED,
}

/** Codes of failures of the database that pass by themselves. */
const PASSING: readonly Code[] = ['STORE_UNAVAILABLE', 'STORE_TIMEOUT', 'STORE_CURSOR', 'STORE_READ_ONLY']

/** Returns whether the error is a failure of the database that passes. */
export function isPassing(error: unknown): error is Error & { readonly code: string } {
  return isFirnError(error) && (PASSING as readonly string[]).includes(error.code)
}

/**
 * Returns whether an error ends the indexer.
 * @param hasFollowed whether the indexer has followed its source before
 * @param once whether the caller waits for the end of the source
 */
export function isEnding(error: unknown, hasFollowed: boolean, once: boolean): boolean {
  const code = isFirnError(error) ? error.code : ''
  if (!Object.hasOwn(ENDINGS, code)) return once
  const when = ENDINGS[code as Code]?.when
  return when !== undefined && (once || (when === 'start' && !hasFollowed))
}
