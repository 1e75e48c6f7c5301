import { AvmBlock, AvmTx } from '@firn/txs'
import type { Change } from './Change.ts'
import * as avmTransactions from './internal/avmTransactions.ts'
import { Draft } from './internal/Draft.ts'
import * as follow from './internal/follow.ts'
import { refuse } from './internal/refuse.ts'
import type { LedgerState } from './LedgerState.ts'

/**
 * Returns the effects of an accepted X-chain block on a state. Does not change the state. Checks that spent outputs
 * exist and match the transaction, and that no transaction produces more than it consumes. Signatures, fees and
 * clocks are not checked.
 * @param bytes the block's bytes, without a proposervm container
 * @example
 * ```ts
 * import { Avm, LedgerState } from '@firn/ledger'
 *
 * declare const state: LedgerState.LedgerState
 * declare const block: Uint8Array // the next accepted block of the X-chain
 * const changes = Avm.apply(state, block)
 * LedgerState.commit(state, changes)
 * ```
 * @throws LedgerError; CodecError if the bytes are malformed; TxsError `TXS_FUNDS`, `TXS_OVERFLOW`
 */
export function apply(state: LedgerState, bytes: Uint8Array): Change[] {
  if (!state.rules.followsXChain) {
    refuse('LEDGER_CHAIN', 'the ledger does not follow the X-chain; create its state with followsXChain')
  }
  const block = AvmBlock.decode(bytes)
  const draft = new Draft(state.tables, state.rules, 'X')
  follow.assertHeight(draft, block.height)
  follow.assertParent(draft, block.parentID)
  follow.assertTime(draft, block.time)
  if (block.txs.length === 0)
    refuse('LEDGER_EMPTY_BLOCK', 'expected a block with at least one transaction, got an empty block')
  for (const [position, tx] of block.txs.entries()) execute(draft, tx, position)
  draft.setTip({ time: block.time })
  return draft.finish(AvmBlock.id(bytes))
}

function execute(draft: Draft, tx: AvmTx.AvmTx, position: number): void {
  const bytes = AvmTx.encode(tx)
  const txId = AvmTx.id(bytes)
  draft.txId = txId
  avmTransactions.execute(draft, txId, tx)
  const { type: name } = tx.unsignedTx
  draft.decide({ txId, height: draft.height, position, name, bytes, status: 'Accepted' })
  draft.txId = undefined
}
