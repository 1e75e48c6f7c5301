import { isFirnError } from '@firn/codec'
import { EvmTraceGaps, EvmWriter } from '@firn/evm-store'
import { pause } from '@firn/runtime'
import type { Lease } from '@firn/sql'
import type { IndexerError } from '../common/IndexerError.ts'
import { lead, ownLease } from '../common/Leadership.ts'
import { type Chain, setGaps } from './Chain.ts'
import { indexChain } from './indexChain.ts'
import { remedy } from './StoredChain.ts'
import { isForeign } from './upstream/Identity.ts'

/** A halted chain is retried with the back-off that applies after this many consecutive failures. */
const HALTED_FAILURES = 6
/** The pauses between attempts do not grow after this many consecutive failures. */
const MOST_FAILURES = 7
/** The pauses between attempts do not grow after this many consecutive failures of the database. */
const MOST_FAULTS = 5
/**
 * Codes of database errors that a retry can resolve. `STORE_READ_ONLY` is one of them, because a PostgreSQL
 * standby accepts writes once it is promoted.
 */
const PASSING = ['STORE_UNAVAILABLE', 'STORE_TIMEOUT', 'STORE_CURSOR', 'STORE_READ_ONLY']

/**
 * Indexes a chain until the signal is aborted or, with `once`, its head is reached. Closes its nodes at the end.
 * @throws IndexerError, StoreError; only with `once`
 */
export async function runChain(chain: Chain, signal: AbortSignal): Promise<void> {
  const { standing, head, upstreams } = chain
  const ended = new AbortController()
  const either = AbortSignal.any([signal, ended.signal])
  const watching = head.watch(either)
  try {
    await persist(chain, either)
    standing.activity = 'stopped'
  } catch (error) {
    standing.activity = 'stopped'
    if (signal.aborted && !isFirnError(error)) return
    fail(chain, error)
    throw error
  } finally {
    ended.abort()
    await watching
    upstreams.close()
  }
}

/** Follows the chain. Starts again after failures; with `once`, only after transient ones of the database. */
async function persist(chain: Chain, signal: AbortSignal): Promise<void> {
  const { options, settings, labels, standing } = chain
  const { log, timing, lease = ownLease() } = settings
  const { store } = options
  const onStandby = () => standBy(chain)
  const leading = { store, lease, clock: timing.clock, log, facts: labels, onStandby }
  for (let failures = 0; !signal.aborted; ) {
    const before = standing.cursor?.height
    try {
      await store.migrate()
      return await lead(leading, (held, lost) => indexOrHalt(chain, held, lost), signal)
    } catch (error) {
      failures = standing.cursor?.height === before ? failures + 1 : 1
      if (isPassing(error)) await recordFault(chain, error, failures)
      else if (settings.once || (signal.aborted && !isFirnError(error))) throw error
      else fail(chain, error)
      await pause(Math.min(failures, isPassing(error) ? MOST_FAULTS : MOST_FAILURES), timing, signal)
    }
  }
}

/** Indexes the chain until the signal is aborted. Stops serving it while the nodes no longer have the stored blocks. */
async function indexOrHalt(chain: Chain, lease: Lease, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await indexChain(chain, lease, signal)
    } catch (error) {
      if (!isReplaced(error)) throw error
      await halt(chain, error, lease)
      if (chain.settings.once) throw error
      await pause(HALTED_FAILURES, chain.settings.timing, signal)
    }
  }
}

/** Stops serving a chain whose nodes no longer have the stored blocks. */
async function halt(chain: Chain, error: IndexerError, lease: Lease): Promise<void> {
  const { chainId, standing, options, selection } = chain
  const reason = error.message.includes('--reset') ? error.message : `${error.message}. ${remedy(chainId)}`
  standing.problems.set('chain', reason)
  standing.activity = 'halted'
  if (chain.halted === reason) return
  const facts = { ...chain.labels, code: error.code }
  chain.settings.log.error(facts, `stopped serving chain ${chainId}: ${reason}`)
  const stored = await options.store.chain()
  if (stored !== undefined) {
    const writer = await EvmWriter.open(options.store, stored, { lease, logs: options.withLogs, selection })
    await writer.halt(reason)
  }
  chain.halted = reason
}

async function standBy(chain: Chain): Promise<void> {
  chain.halted = undefined
  chain.standing.problems.clearAll()
  await readStanding(chain)
}

/** Reads the stored position of a chain that another process writes. */
async function readStanding(chain: Chain): Promise<void> {
  const { standing, options } = chain
  const { store } = options
  standing.activity = 'standby'
  try {
    standing.cursor = await store.snapshot()
    standing.hasTraces = (await store.chain())?.hasTraces ?? false
    setGaps(chain, await EvmTraceGaps.summary(store))
  } catch (error) {
    if (!isFirnError(error)) throw error
    if (error.code === 'STORE_HALTED') standing.problems.set('chain', error.message)
    else if (!['STORE_EMPTY', 'STORE_UNINDEXED'].includes(error.code)) throw error
  }
  standing.measure()
}

/** Reports an error that ended an attempt to index the chain. */
function fail({ chainId, standing, metrics, labels, settings }: Chain, error: unknown): void {
  standing.activity = 'failed'
  const message = error instanceof Error ? error.message : String(error)
  const code = isFirnError(error) ? error.code : 'UNEXPECTED'
  const isKnown = standing.problems.list().includes(message)
  standing.problems.set('failed', message)
  metrics.failures.inc({ ...labels, code })
  // A known error is not repeated in the log at each attempt.
  const facts = { ...labels, code, ...(isFirnError(error) ? {} : { err: error }) }
  if (!isKnown)
    settings.log.error(facts, `indexing of chain ${chainId} failed, and is tried again: ${message}`)
}

/** Reports a database error that a retry can resolve. Serves the stored blocks if the database is read-only. */
async function recordFault(chain: Chain, error: PassingError, failures: number): Promise<void> {
  const { standing, metrics, labels, settings } = chain
  metrics.storeFaults.inc({ ...labels, code: error.code })
  const isKnown = failures > 1 && standing.problems.list().includes(error.message)
  standing.problems.set('store', error.message)
  const facts = { ...labels, code: error.code, failures }
  if (!isKnown) settings.log.error(facts, `database error: ${error.message}`)
  if (error.code !== 'STORE_READ_ONLY') return
  // Ignores a failure. If the database is unavailable, the next attempt reports it.
  await readStanding(chain).catch((failure: unknown) => {
    if (!isPassing(failure)) throw failure
  })
}

type PassingError = Error & { readonly code: string }

function isPassing(error: unknown): error is PassingError {
  return isFirnError(error) && PASSING.includes(error.code)
}

/** Returns whether the error means that the nodes have a different chain with the same id as the stored one. */
function isReplaced(error: unknown): error is IndexerError {
  return isForeign(error) && error.code !== 'INDEXER_CHAIN'
}
