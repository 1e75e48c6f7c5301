import { type Logger, pause } from '@firn/runtime'
import { type DagOptions, fetchVertices, type Progress } from '@firn/sync'
import { toSourceError } from './ChainSync.ts'

/** The fetch of the X-chain's vertices. */
export interface VertexSync {
  /**
   * Returns whether all vertices are stored.
   * @throws the error of the last attempt, until an attempt succeeds
   */
  isDone(): boolean
  /** Returns the state of the fetch; undefined before its first answer. */
  progress(): Progress | undefined
  close(): Promise<void>
}

/** Starts to fetch the vertices. Failed attempts are repeated after a growing pause. */
export function startVertexSync(
  options: Omit<DagOptions, 'signal' | 'onProgress'> & {
    readonly random: () => number
    readonly log: Logger
  },
): VertexSync {
  const { clock, random, log } = options
  const stop = new AbortController()
  const { signal } = stop
  let isDone = false
  let failure: unknown
  let progress: Progress | undefined
  const onProgress = (state: Progress) => {
    progress = state
  }
  const run = async () => {
    for (let failures = 1; !signal.aborted && !isDone; failures++) {
      try {
        await fetchVertices({ ...options, onProgress, signal })
        isDone = true
        failure = undefined
      } catch (error) {
        if (signal.aborted) return
        log.warn({ chain: 'X', failures }, `cannot fetch the vertices of the X-chain from peers: ${error}`)
        failure = toSourceError('X', error)
        await pause(failures, { clock, random }, signal)
      }
    }
  }
  const running = run()
  return {
    isDone() {
      if (failure !== undefined) throw failure
      return isDone
    },
    progress: () => progress,
    async close() {
      stop.abort()
      await running
    },
  }
}
