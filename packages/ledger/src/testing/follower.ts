import { type ChainAlias, isFirnError } from '@firn/codec'
import type { Change } from '../Change.ts'
import * as Ledger from '../Ledger.ts'
import * as LedgerState from '../LedgerState.ts'
import type { RecordedBlock, Recording } from './recordings.ts'

/** The changes of a recorded block. For tests only. */
export interface Step {
  readonly block: RecordedBlock
  readonly changes: readonly Change[]
}

/**
 * Applies blocks in the given order. A block that imports a UTXO waits until the other chain has exported it.
 * `before` and `after` are called before and after each block's changes are committed.
 */
export function follow(
  state: LedgerState.LedgerState,
  { chains }: Pick<Recording, 'chains'>,
  order: Iterable<RecordedBlock>,
  { before, after }: { before?: (block: RecordedBlock) => void; after?: (step: Step) => void } = {},
): Step[] {
  const steps: Step[] = []
  const heightOf = (chain: ChainAlias) => Number(LedgerState.tip(state, chain).height)
  const advance = (chain: ChainAlias) => {
    const block = chains[chain][heightOf(chain)]
    if (block === undefined)
      throw new RangeError(`the recording of chain ${chain} ends before a block that another chain needs`)
    const changes = applied(block)
    LedgerState.commit(state, changes)
    const step = { block, changes }
    steps.push(step)
    after?.(step)
  }
  const applied = (block: RecordedBlock): Change[] => {
    for (;;) {
      try {
        const changes = Ledger.apply(state, block.chain, block.bytes)
        before?.(block)
        return changes
      } catch (error) {
        if (!isFirnError(error) || error.code !== 'LEDGER_SHARED_MEMORY') throw error
        advance(error.details['source'] as ChainAlias)
      }
    }
  }
  for (const { chain, height } of order) if (heightOf(chain) < height) advance(chain)
  return steps
}
