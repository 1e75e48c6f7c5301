import { IndexMarks, type Logger, NodeError } from '@firn/node-api'
import type { Store } from '@firn/store'
import * as MarksFile from './MarksFile.ts'

/** How the index is kept. */
export interface KeeperOptions extends IndexMarks.IndexSettings {
  /** The data folder of this process; without one nothing is remembered. */
  readonly folder: string | undefined
  readonly store: Pick<Store, 'snapshot' | 'onAdvance'>
  readonly log: Logger
  /** Milliseconds between two writes while blocks come; 1,000. */
  readonly writeEveryMs?: number
}

/** Knows which blocks were accepted while this process indexed, and remembers it. */
export interface IndexKeeper {
  readonly enabled: boolean
  spans(chain: IndexMarks.Letter): readonly IndexMarks.Span[]
  /** Notes the last heights, and stops. */
  close(): Promise<void>
}

/**
 * Begins a run of the index, and marks that it did before anything is served.
 * @throws (rejects) NodeError `NODE_INDEX` with the node's log line as message and `details.chainName`: the process is to end, with exit
 * code 0; NodeError `NODE_CONFIGURATION`: the file of marks is none; the file system's errors
 */
export async function open(options: KeeperOptions): Promise<IndexKeeper> {
  const { folder, store, log, writeEveryMs = 1000 } = options
  const before = folder === undefined ? IndexMarks.NONE : await MarksFile.read(folder)
  const started = IndexMarks.start(before, options)
  let { marks } = started
  let written = before
  let writing: Promise<void> | undefined
  let hasAdvanced = false
  const write = async (): Promise<void> => {
    const current = marks
    if (folder !== undefined && current !== written) await MarksFile.write(folder, current)
    written = current
  }
  await write()
  if (started.refusal !== undefined) throw refused(started.refusal)
  const note = async (): Promise<void> => {
    const at = await store.snapshot()
    for (const chain of IndexMarks.CHAINS) marks = IndexMarks.accept(marks, chain, at[chain].height)
  }
  const ended = new AbortController()
  const noteAndWrite = async (): Promise<void> => {
    try {
      await note()
      await write()
    } catch (error) {
      log.warn({ error }, 'could not note how far the index came')
    }
  }
  // One write after the other: an older one must not come last.
  const keepWriting = async (): Promise<void> => {
    while (hasAdvanced && !ended.signal.aborted) {
      await pause(writeEveryMs, ended.signal)
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
    spans: (chain) => marks.chains[chain].spans,
    close: async () => {
      stop()
      ended.abort()
      await writing
      await noteAndWrite()
    },
  }
}

function refused({ chain, text }: IndexMarks.Refusal): NodeError {
  return new NodeError('NODE_INDEX', text, { details: { chainName: chain } })
}

/** Ends at once when the run does. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
