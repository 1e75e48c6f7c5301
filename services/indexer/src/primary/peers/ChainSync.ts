import { type FirnError, isFirnError } from '@firn/codec'
import { type Logger, pause, withAnySignal } from '@firn/runtime'
import {
  type BlockStore,
  bootstrap,
  type Checkpoint,
  follow,
  type Progress,
  type SyncDependencies,
  SyncError,
  type Tip,
} from '@firn/sync'
import { IndexerError } from '../../common/IndexerError.ts'

/** The sync of one chain. */
export interface ChainSync {
  /**
   * Returns the height up to which the chain's accepted blocks are stored or applied. Waits until it is known.
   * @throws the error of the last attempt, until an attempt succeeds; the signal's reason
   */
  tip(signal?: AbortSignal): Promise<bigint>
  /** Returns the accepted height; undefined until it is known. */
  height(): bigint | undefined
  progress(): Progress | undefined
  /** Stops the sync. */
  close(): Promise<void>
}

/** Options of {@link startSync}. */
export interface ChainSyncOptions extends Omit<SyncDependencies, 'signal' | 'onProgress' | 'random'> {
  readonly store: BlockStore
  /** Returns the last applied block, which the sync continues from. */
  readonly root: () => Promise<Tip>
  readonly checkpoints: readonly Checkpoint[]
  readonly random: () => number
  readonly log: Logger
  /** Called after each change of the tip. */
  readonly onTip?: () => void
}

/** Starts to fetch a chain, and follows its tip afterwards. Failed attempts are repeated after a growing pause. */
export function startSync(options: ChainSyncOptions): ChainSync {
  const { root, checkpoints, log, onTip: _, ...dependencies } = options
  const { chain, clock, random } = options
  const stop = new AbortController()
  const { signal } = stop
  const waiters = new Set<() => void>()
  let tip: Tip | undefined
  let failure: unknown
  let progress: Progress | undefined
  let failures = 0
  const settle = (reached: Tip | undefined, error: unknown) => {
    if (reached !== undefined) tip = reached
    failure = error
    for (const wake of waiters) wake()
    waiters.clear()
    options.onTip?.()
  }
  /** Waits for the next result of an attempt. */
  const settled = (ended: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = (end: () => void) => {
        waiters.delete(onSettled)
        ended.removeEventListener('abort', onAbort)
        end()
      }
      const onSettled = () => leave(resolve)
      const onAbort = () => leave(() => reject(ended.reason))
      if (ended.aborted) return onAbort()
      waiters.add(onSettled)
      ended.addEventListener('abort', onAbort)
    })
  const onProgress = (state: Progress) => {
    progress = state
  }
  const attempt = async () => {
    const shared = { ...dependencies, onProgress, signal }
    const from = tip ?? (await root())
    const known = tip === undefined ? checkpoints : []
    const reached = await bootstrap({ ...shared, root: from, checkpoints: known })
    failures = 0
    settle(reached, undefined)
    for await (const { tip: next } of follow({ ...shared, tip: reached })) settle(next, undefined)
  }
  const run = async () => {
    while (!signal.aborted) {
      try {
        await attempt()
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        log.warn({ chain, failures }, `cannot sync the ${chain}-chain from peers: ${error}`)
        settle(undefined, toSourceError(chain, error))
        await pause(failures, { clock, random }, signal).catch(() => undefined)
      }
    }
  }
  const running = run()
  return {
    async tip(caller) {
      await withAnySignal([signal, ...(caller === undefined ? [] : [caller])], async (ended) => {
        while (tip === undefined && failure === undefined) await settled(ended)
      })
      if (failure !== undefined) throw failure
      return (tip as Tip).height
    },
    height: () => tip?.height,
    progress: () => progress,
    async close() {
      stop.abort()
      await running
    },
  }
}

/** Converts the error of a sync to the error that a source throws. An error that is not typed is a bug. */
export function toSourceError(chain: string, error: unknown): FirnError {
  if (!isFirnError(error)) {
    const words = `the sync of the ${chain}-chain from peers failed, which is a bug of Firn: ${error}`
    return new IndexerError('INDEXER_SOURCE', words, { cause: error, details: { reason: 'unexpected' } })
  }
  if (!(error instanceof SyncError) || error.code !== 'SYNC_UNREADABLE') return error
  return new IndexerError('INDEXER_UNSUPPORTED', error.message, {
    cause: error,
    details: { chain, reason: 'unsupported', origin: 'peers' },
  })
}
