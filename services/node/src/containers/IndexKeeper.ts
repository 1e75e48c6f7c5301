import { CHAIN_ALIASES, type ChainAlias } from '@firn/codec'
import { IndexState, NodeError } from '@firn/node-api'
import { type Logger, systemClock } from '@firn/runtime'
import type { Store } from '@firn/store'
import * as IndexStateFile from './IndexStateFile.ts'

/** Options of {@link open}. */
export interface KeeperOptions extends IndexState.IndexSettings {
  /** Data folder of this process. If undefined, the index state is kept only in memory. */
  readonly folder: string | undefined
  readonly store: Pick<Store, 'snapshot' | 'onAdvance'>
  readonly log: Logger
  /** Minimum interval between two writes while blocks arrive, in milliseconds; default 1,000. */
  readonly writeEveryMs?: number
}

/** Records which blocks were accepted while this process was indexing. */
export interface IndexKeeper {
  readonly enabled: boolean
  spans(chain: ChainAlias): readonly IndexState.Span[]
  /** Saves the last heights and stops recording. */
  close(): Promise<void>
}

/**
 * Updates the saved index state for a new start of the process. Resolves when the state is saved, so that no request
 * is served before.
 * @throws (rejects) NodeError `NODE_INDEX` with the node's log line as message and `details.chainName`: the
 * process must end with exit code 0; NodeError `NODE_CONFIGURATION` if the state file is invalid; file system
 * errors
 */
export async function open(options: KeeperOptions): Promise<IndexKeeper> {
  const { folder, store, log, writeEveryMs = 1000 } = options
  const before = folder === undefined ? IndexState.INITIAL : await IndexStateFile.read(folder)
  const started = IndexState.start(before, options)
  let { state } = started
  let written = before
  let writing: Promise<void> | undefined
  let hasAdvanced = false
  const write = async (): Promise<void> => {
    const current = state
    if (folder !== undefined && current !== written) await IndexStateFile.write(folder, current)
    written = current
  }
  await write()
  if (started.refusal !== undefined) throw refused(started.refusal)
  const note = async (): Promise<void> => {
    const at = await store.snapshot()
    for (const chain of CHAIN_ALIASES) state = IndexState.accept(state, chain, at[chain].height)
  }
  const ended = new AbortController()
  const noteAndWrite = async (): Promise<void> => {
    try {
      await note()
      await write()
    } catch (error) {
      log.warn({ err: error }, 'cannot save the progress of the index')
    }
  }
  // Writes run one after another, because an older state must not replace a newer one.
  const keepWriting = async (): Promise<void> => {
    while (hasAdvanced && !ended.signal.aborted) {
      // When the signal aborts, the progress is written at once.
      await systemClock.sleep(writeEveryMs, ended.signal).catch(() => undefined)
      hasAdvanced = false
      await noteAndWrite()
    }
    writing = undefined
  }
  const onAdvance = (): void => {
    hasAdvanced = true
    writing ??= keepWriting()
  }
  const stop = store.onAdvance(onAdvance)
  await noteAndWrite()
  return {
    enabled: options.enabled,
    spans: (chain) => state.chains[chain].spans,
    close: async () => {
      stop()
      ended.abort()
      await writing
      await noteAndWrite()
    },
  }
}

function refused({ chain, text }: IndexState.Refusal): NodeError {
  return new NodeError('NODE_INDEX', text, { details: { chainName: chain } })
}
