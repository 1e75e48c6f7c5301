import type { EvmWriter } from '@firn/evm-store'
import { type WorkOptions, whileWriting } from '../../common/whileWriting.ts'

/** Options of {@link buildIndexesWhenDue}. */
export interface IndexBuilderOptions extends WorkOptions {
  readonly chainId: bigint
  readonly writer: Pick<EvmWriter, 'missingIndexes' | 'buildIndexes'>
  /** Returns whether the missing indexes are to be built now. */
  readonly isDue: () => boolean
  /** Called after each index. */
  readonly onBuilt: () => void
}

/** Time between two checks whether the indexes are due, in milliseconds. */
const INTERVAL_MS = 1_000

/**
 * Waits until the missing indexes of a chain are due, and builds them. Returns once none is missing or the signal is
 * aborted. Tries again after database errors, for example when the disk is full.
 */
export async function buildIndexesWhenDue(options: IndexBuilderOptions, signal: AbortSignal): Promise<void> {
  const { chainId, writer, isDue, onBuilt, clock, log } = options
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
  const loop = { ...options, effect: 'indexes are not built', facts: labels }
  await whileWriting(step, loop, AbortSignal.any([signal, built.signal]))
}
