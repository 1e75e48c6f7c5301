import { setTimeout } from 'node:timers/promises'
import type { EvmStore } from '@firn/evm-store'
import { StoreError, type StoreErrorCode } from '@firn/sql'
import { describe, expect, it } from 'vitest'
import { IndexerError, type IndexerErrorCode } from '../common/IndexerError.ts'
import { CHAIN } from '../testing/evmStores.ts'
import { createEvmIndexer } from './EvmIndexer.ts'

/**
 * What each error ends that reaches the top of a chain's indexing: the current attempt of the chain, or nothing, because
 * the database is only away. None ends the indexing of the chain, or of another chain. A code that is missing here does
 * not compile.
 */
const ENDS: Readonly<Record<IndexerErrorCode | StoreErrorCode, 'attempt' | 'nothing'>> = {
  INDEXER_CONFIGURATION: 'attempt',
  INDEXER_GENESIS: 'attempt',
  INDEXER_UPGRADES: 'attempt',
  INDEXER_ARCHIVE: 'attempt',
  INDEXER_BLOCK: 'attempt',
  INDEXER_UNSUPPORTED: 'attempt',
  INDEXER_SOURCE: 'attempt',
  INDEXER_STANDBY: 'attempt',
  INDEXER_INTERRUPTED: 'attempt',
  INDEXER_NO_RAW_BLOCKS: 'attempt',
  INDEXER_NO_VERTICES: 'attempt',
  INDEXER_ARCHIVE_EXISTS: 'attempt',
  INDEXER_RPC_REFUSED: 'attempt',
  INDEXER_RPC_LIMITED: 'attempt',
  INDEXER_RPC_TOO_LARGE: 'attempt',
  INDEXER_RPC_UNAVAILABLE: 'attempt',
  INDEXER_RPC_MALFORMED: 'attempt',
  INDEXER_RPC_TIMEOUT: 'attempt',
  INDEXER_UNTRACED: 'attempt',
  INDEXER_ABSENT: 'attempt',
  INDEXER_CHAIN: 'attempt',
  INDEXER_RESET: 'attempt',
  INDEXER_TRACES: 'attempt',
  INDEXER_REORGANISATION: 'attempt',
  STORE_FENCED: 'attempt',
  STORE_CURSOR: 'nothing',
  STORE_BLOCK: 'attempt',
  STORE_UNAVAILABLE: 'nothing',
  STORE_TIMEOUT: 'nothing',
  STORE_IN_USE: 'attempt',
  STORE_NETWORK: 'attempt',
  STORE_UPGRADES: 'attempt',
  STORE_C_CHAIN: 'attempt',
  STORE_X_CHAIN: 'attempt',
  STORE_EMPTY: 'attempt',
  STORE_NETWORKS: 'attempt',
  STORE_HALTED: 'attempt',
  STORE_PRUNED: 'attempt',
  STORE_UNINDEXED: 'attempt',
  STORE_READ_ONLY: 'nothing',
  STORE_SCHEMA: 'attempt',
  STORE_SNAPSHOT: 'attempt',
  STORE_CITUS: 'attempt',
  STORE_CORRUPT: 'attempt',
  STORE_QUERY: 'attempt',
}

const errorOf = (code: string): Error =>
  code.startsWith('STORE_')
    ? new StoreError(code as StoreErrorCode, `the message of ${code}`)
    : new IndexerError(code as IndexerErrorCode, `the message of ${code}`)

/** Returns a store whose every use fails, and counts the attempts to use it. */
function brokenStore(error: Error) {
  let attempts = 0
  const fail = async () => {
    attempts += 1
    throw error
  }
  const store = { chainId: 1n, migrate: fail, chain: fail, snapshot: fail } as unknown as EvmStore
  return { store, attempts: () => attempts }
}

const clock = { now: Date.now, sleep: () => setTimeout(1) }

const indexerOf = (store: EvmStore, once: boolean) =>
  createEvmIndexer({
    chains: [{ store, chain: CHAIN, upstreams: [{ url: 'http://127.0.0.1:1' }] }],
    once,
    clock,
    random: () => 0,
  })

describe('error at the top of a chain', () => {
  it.each(Object.entries(ENDS))('%s ends at most the current attempt: %s', async (code, ends) => {
    const { store, attempts } = brokenStore(errorOf(code))
    const indexer = indexerOf(store, false)
    const stop = new AbortController()
    const running = indexer.run(stop.signal)
    await expect.poll(attempts, { interval: 1 }).toBeGreaterThan(2)
    const status = indexer.status()[0]
    expect(status?.problems).toContain(`the message of ${code}`)
    if (ends === 'attempt') expect(status?.phase).toBe('failed')
    else expect(status?.phase).not.toBe('failed')
    stop.abort()
    await running
  })

  it('is thrown if the indexer is to end at the head', async () => {
    const { store } = brokenStore(errorOf('STORE_BLOCK'))
    await expect(indexerOf(store, true).run(new AbortController().signal)).rejects.toMatchObject({
      code: 'STORE_BLOCK',
    })
  })

  it('is retried without a code too', async () => {
    const { store, attempts } = brokenStore(new TypeError('a bug'))
    const indexer = indexerOf(store, false)
    const stop = new AbortController()
    const running = indexer.run(stop.signal)
    await expect.poll(attempts, { interval: 1 }).toBeGreaterThan(2)
    expect(indexer.status()[0]?.phase).toBe('failed')
    expect(indexer.status()[0]?.problems).toContain('a bug')
    stop.abort()
    await running
  })
})
