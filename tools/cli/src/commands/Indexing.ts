import { setTimeout as sleep } from 'node:timers/promises'
import type { IndexingOptions } from '@firn/indexer'
import {
  createIndexer,
  Index,
  type Indexer,
  type IndexerStatus,
  type NetworkDatabase,
  phaseOf,
  type Source,
  Sources,
  sourceFacts,
} from '@firn/indexer'
import type { FollowingIssuer } from '@firn/node-api'
import type { Terminal } from '@firn/options'
import * as Meter from '@firn/options/meter'
import { type Logger, supervise, systemClock } from '@firn/runtime'
import { CliError } from '../CliError.ts'
import * as Issuing from './Issuing.ts'

/** Indexing that runs in the background while services read from the same store. */
export type Indexing = {
  readonly opened: NetworkDatabase
  /** Returns the indexer of the current source. */
  readonly indexer: () => Indexer
  /** Returns whether the tip was reached at least once, or no node is available to report the tip. */
  readonly isCaughtUp: () => boolean
  /** Issues transactions to the peers that are followed; undefined if the blocks come from elsewhere. */
  readonly issuer: FollowingIssuer | undefined
  /** Returns the connections to the peers that are followed; undefined if the blocks come from elsewhere. */
  readonly connections: (() => ReturnType<NonNullable<Source.Source['peers']>>) | undefined
  /**
   * Resolves when all sources have been indexed and there is no node to follow. Rejects only before the tip was reached
   * for the first time.
   */
  readonly ended: Promise<void>
}

/** Settings of the indexer. Omitted settings have the indexer's defaults. */
export type Settings = Partial<ReturnType<typeof IndexingOptions.toIndexer>> & {
  /**
   * Milliseconds to wait for unresponsive nodes at the start. After this time, stored data is served without
   * them.
   */
  readonly patienceMs?: number
}

const PATIENCE_MS = 3_000

/**
 * Returns whether stored data may be served: at the tip, while another process writes, or after the wait for
 * unresponsive nodes.
 */
const isReady = ({ phase, chains }: IndexerStatus, isPatient: boolean): boolean => {
  if (phase === 'tip' || phase === 'standby') return true
  const hasBlocks = Object.values(chains ?? {}).some(({ height }) => height > 0n)
  return phase === 'starting' && hasBlocks && !isPatient
}

/** Indexes the sources one after the other until the signal is aborted. */
export const start = (
  opened: NetworkDatabase,
  from: readonly Source.Source[],
  log: Logger,
  signal: AbortSignal,
  { patienceMs = PATIENCE_MS, checkSignatures = true, ...settings }: Settings = {},
): Indexing => {
  const until = systemClock.now() + patienceMs
  const indexers = from.map((source) => ({
    source,
    indexer: createIndexer({
      ...opened,
      ...opened.rules,
      ...settings,
      // The containers of an archive were checked when it was written.
      checkSignatures: checkSignatures && !source.isFixed,
      source,
      log,
    }),
  }))
  let current = indexers[0]?.indexer as Indexer
  const last = indexers.at(-1)
  const issuer =
    last && Issuing.create({ store: opened.store, source: last.source, indexer: () => current, log })
  let isCaughtUp = false
  const hasCaughtUp = () => {
    isCaughtUp ||= isReady(current.status(), systemClock.now() < until)
    return isCaughtUp
  }
  /** Runs an indexer to its end. Once data are served, no error of it ends the services that serve them. */
  const runToEnd = async (indexer: Indexer) => {
    const ended = new AbortController()
    let failure: unknown
    const isOver = (error: unknown) => {
      if (!hasCaughtUp()) failure = error
      return !hasCaughtUp()
    }
    const step = async () => {
      await indexer.run(signal)
      ended.abort()
    }
    const loop = { effect: 'indexing has failed', clock: systemClock, random: Math.random, log, isOver }
    await supervise(step, loop, AbortSignal.any([signal, ended.signal]))
    if (failure !== undefined) throw failure
  }
  const run = async () => {
    for (const { source, indexer } of indexers) {
      current = indexer
      try {
        await runToEnd(indexer)
      } finally {
        if (source === last?.source) await issuer?.close()
        await source.close()
      }
      isCaughtUp = true
    }
  }
  return {
    opened,
    indexer: () => current,
    issuer,
    connections: last?.source.peers,
    isCaughtUp: hasCaughtUp,
    ended: run(),
  }
}

/** Waits for the indexer's first transaction, which stores the network. */
export const untilStored = async (
  { opened: { store }, ended }: Indexing,
  signal: AbortSignal,
): Promise<void> => {
  let hasEnded = false
  ended.then(
    () => {
      hasEnded = true
    },
    () => {
      hasEnded = true
    },
  )
  while (!hasEnded && (await store.network()) === undefined) await sleep(20, undefined, { signal })
}

/** Tells where the progress of a sync from peers can be read, because it may take hours. */
export const noteProgress = (options: Sources.PeerOptions, url: string, terminal: Terminal): void => {
  if (Sources.isFromPeers(options)) terminal.note(`syncing from peers; ${url}/ext/health has the progress`)
}

/** Shows the progress of indexing until the tip is reached. */
export const untilCaughtUp = async (indexing: Indexing, terminal: Terminal): Promise<void> => {
  const meter = Meter.start(terminal, 'indexing', () => Index.reading(indexing.indexer().status()))
  try {
    while (!indexing.isCaughtUp() && !terminal.signal.aborted) {
      await Promise.race([indexing.ended, sleep(50)])
    }
    meter.stop(Index.line(indexing.indexer().status()))
  } catch (error) {
    meter.fail(error instanceof Error ? error.message : String(error))
    throw error
  }
}

/** Returns the current problems, and the nodes that are used last because they returned wrong data. */
export const problems = (indexing: Pick<Indexing, 'indexer'>): readonly string[] => {
  const status = indexing.indexer().status()
  return [...status.problems, ...status.warnings]
}

/** Creates a health check that reports problems of indexing. */
export const check = (indexing: Indexing) => ({
  name: 'indexer',
  run: () => {
    const status = indexing.indexer().status()
    const { blocksPerSecond, source, warnings } = status
    if (status.problems.length > 0)
      throw new CliError('CLI_FINDINGS', `degraded: ${status.problems.join('; ')}`)
    const phase = phaseOf(status)
    return {
      phase,
      blocksPerSecond: Math.round(blocksPerSecond),
      ...(source && sourceFacts(source)),
      ...(warnings.length > 0 && { warnings }),
    }
  },
})

/** Waits until the signal is aborted or indexing fails. */
export const stay = async (
  indexing: Pick<Indexing, 'ended'> | undefined,
  signal: AbortSignal,
): Promise<void> => {
  // A timer is needed, because an abort listener does not keep the process alive.
  const alive = setInterval(() => undefined, 60_000)
  const failed = indexing?.ended.then(() => untilAborted(signal))
  try {
    await Promise.race([untilAborted(signal), ...(failed === undefined ? [] : [failed])])
  } finally {
    clearInterval(alive)
  }
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((settle) => {
    if (signal.aborted) settle()
    else signal.addEventListener('abort', () => settle(), { once: true })
  })
