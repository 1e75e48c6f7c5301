import type { EvmWriter } from '@firn/evm-store'
import { type Clock, type Logger, type SuperviseOptions, supervise } from '@firn/runtime'
import { isFenced } from '../../common/isFenced.ts'

/** Options of {@link buildIndexesWhenDue}. */
export interface IndexBuilderOptions {
  readonly chainId: bigint
  readonly writer: Pick<EvmWriter, 'missingIndexes' | 'buildIndexes'>
  /** Returns whether the missing indexes are to be built now. */
  readonly isDue: () => boolean
  /** Called after each index. */
  readonly onBuilt: () => void
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  /** Called with problems; see `supervise`. */
  readonly report?: SuperviseOptions['report']
}

/** Time between two checks whether the indexes are due, in milliseconds. */
const INTERVAL_MS = 1_000

/**
 * Waits until the missing indexes of a chain are due, and builds them. Returns once none is missing or the signal is
 * aborted. Tries again after database errors, for example when the disk is full.
 */
export async function buildIndexesWhenDue(options: IndexBuilderOptions, signal: AbortSignal): Promise<void> {
  const { chainId, writer, isDue, onBuilt, clock, random, log, report } = options
  const labels = { chain: `${chainId}` }
  const built = new AbortController()
  const step = async () => {
    if (writer.missingIndexes > 0 && !isDue()) return clock.sleep(INTERVAL_MS, signal).catch(() => undefined)
    if (writer.missingIndexes > 0) {
      await writer.buildIndexes(signal, ({ table, definition }) => {
        log.info({ ...labels, table, definition, missing: writer.missingIndexes }, 'built an index')
        onBuilt()
      })
    }
    if (writer.missingIndexes === 0) built.abort()
  }
  const loop = { effect: 'indexes are not built', clock, random, log, report, isOver: isFenced }
  await supervise(step, { ...loop, facts: labels }, AbortSignal.any([signal, built.signal]))
}
