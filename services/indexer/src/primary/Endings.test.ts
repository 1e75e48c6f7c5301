import { join } from 'node:path'
import { FirnError, Hex } from '@firn/codec'
import { type Clock, silentLogger, systemClock } from '@firn/runtime'
import { StoreError, type StoreErrorCode } from '@firn/sql'
import { StateDigest, type Store, Writer } from '@firn/store'
import { openStore, recordedStore } from '@firn/store/testing'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { IndexerError, type IndexerErrorCode } from '../common/IndexerError.ts'
import { temporaryFolder, unpack } from '../testing/archives.ts'
import { createArchiveSource } from './archive/ArchiveSource.ts'
import * as GenesisFiles from './archive/GenesisFiles.ts'
import { ENDINGS, isEnding, isPassing } from './Endings.ts'
import { createIndexer } from './Indexer.ts'
import type { Source } from './Source.ts'

const { folder, remove } = temporaryFolder()
const archive = join(folder, 'local')
const fast: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 100, signal) }
let rules: GenesisFiles.NetworkRules
let expected = ''
beforeAll(async () => {
  unpack('local', archive)
  rules = await GenesisFiles.load({ archive, now: 0n })
  expected = Hex.encode(await StateDigest.of(await recordedStore('local')))
})
afterAll(remove)
afterEach(() => vi.restoreAllMocks())

const CODES = Object.keys(ENDINGS) as (IndexerErrorCode | StoreErrorCode)[]
const create = (code: IndexerErrorCode | StoreErrorCode) =>
  code.startsWith('STORE_')
    ? new StoreError(code as StoreErrorCode, `injected ${code}`)
    : new IndexerError(code as IndexerErrorCode, `injected ${code}`)

/** Follows an archive as if it were a node, until everything is indexed. */
const follow = async (store: Store, once = false) => {
  const source: Source = { ...createArchiveSource(archive), isFixed: false }
  const stop = new AbortController()
  const log = { ...silentLogger, error: (_facts: object, message: string) => void errors.push(message) }
  const errors: string[] = []
  const indexer = createIndexer({
    store,
    source,
    ...rules,
    once,
    pollMs: 5,
    batchBlocks: 2,
    clock: fast,
    log,
  })
  const running = indexer.run(stop.signal).finally(() => {
    isOver = true
  })
  running.catch(() => undefined)
  let isOver = false
  while (!isOver && indexer.status().phase !== 'tip') await systemClock.sleep(5)
  stop.abort()
  await running
  return { indexer, errors }
}

it('ends an indexer at its start only for wrong options and databases, and names the reason', async () => {
  const ended = CODES.filter((code) => isEnding(create(code), false, false))
  expect(ended).toEqual([
    'INDEXER_CONFIGURATION',
    'INDEXER_GENESIS',
    'INDEXER_UPGRADES',
    'STORE_NETWORK',
    'STORE_NETWORKS',
    'STORE_UPGRADES',
    'STORE_C_CHAIN',
    'STORE_X_CHAIN',
    'STORE_CITUS',
    'STORE_SCHEMA',
    'STORE_IN_USE',
  ])
  for (const code of ended) {
    vi.spyOn(Writer, 'resume').mockRejectedValueOnce(create(code))
    const store = await openStore()
    await expect(follow(store)).rejects.toThrow(`injected ${code}`)
    expect(ENDINGS[code]?.why.length).toBeGreaterThan(0)
  }
})

it('ends no indexer that has followed its source', () => {
  const errors = [...CODES.map(create), new TypeError('a bug'), new FirnError('LEDGER_RULE', 'elsewhere')]
  expect(errors.filter((error) => isEnding(error, true, false))).toEqual([])
  const untyped = [new TypeError('a bug'), new FirnError('LEDGER_RULE', 'elsewhere')]
  expect(untyped.filter((error) => isEnding(error, false, false))).toEqual([])
})

it('retries failures of the database that pass, also before an end', () => {
  expect(CODES.map(create).filter((error) => isPassing(error) && isEnding(error, false, true))).toEqual([])
})

it('goes on after every error of a writer, and writes everything', async () => {
  const store = await openStore()
  const errors = [...CODES.map(create), new TypeError('a bug'), new RangeError('another bug')]
  const commit = Writer.prototype.commit
  let commits = 0
  const left = errors.slice()
  vi.spyOn(Writer.prototype, 'commit').mockImplementation(async function (this: Writer, batch) {
    // Every second commit fails, some before the database has stored the batch, and some afterwards.
    commits += 1
    const error = commits % 2 === 0 ? left.pop() : undefined
    if (error !== undefined && commits % 4 === 0) throw error
    await commit.call(this, batch)
    if (error !== undefined) throw error
  })
  const { indexer, errors: logged } = await follow(store)
  expect(left).toEqual([])
  expect(Hex.encode(await StateDigest.of(store))).toBe(expected)
  expect(indexer.status().problems).toEqual([])
  for (const { message } of errors)
    if (!message.includes('STORE_FENCED')) expect(logged.join('\n')).toContain(message)
})

it('ends with an unexpected error while the caller waits for the end', async () => {
  vi.spyOn(Writer.prototype, 'commit').mockRejectedValue(new TypeError('a bug'))
  await expect(follow(await openStore(), true)).rejects.toThrow('a bug')
})
