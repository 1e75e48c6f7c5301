import { AtomicBatch, AtomicTx, EvmBlock } from '@firn/txs'
import type { Change } from './Change.ts'
import { isBonus } from './internal/bonusBlocks.ts'
import { Draft } from './internal/Draft.ts'
import { assertExtData } from './internal/extData.ts'
import * as follow from './internal/follow.ts'
import { refuse } from './internal/refuse.ts'
import { moveAtomic } from './internal/sharedMemory.ts'
import type { LedgerState } from './LedgerState.ts'

/**
 * Returns the effects of an accepted C-chain block's atomic transactions on the memory that the C-chain
 * shares with the other chains. Does not change the state. The block's other transactions, accounts and fees
 * belong to the EVM and are not checked. The first block may have any parent.
 * @param bytes the block's RLP as the node stores it, in the format before or since asynchronous execution,
 * without a proposervm container
 * @example
 * ```ts
 * import { Atomic, LedgerState } from '@firn/ledger'
 *
 * declare const state: LedgerState.LedgerState
 * declare const block: Uint8Array // the next accepted block of the C-chain
 * const changes = Atomic.apply(state, block)
 * LedgerState.commit(state, changes)
 * ```
 * @throws LedgerError; TxsError `TXS_RLP`, `TXS_EVM_BLOCK`, `TXS_EMPTY`, `TXS_FUNDS`, `TXS_OVERFLOW`;
 * CodecError if an atomic transaction is malformed
 */
export function apply(state: LedgerState, bytes: Uint8Array): Change[] {
  if (!state.rules.followsCChain) {
    refuse('LEDGER_CHAIN', 'the ledger does not follow the C-chain; create its state with followsCChain')
  }
  const block = EvmBlock.decode(bytes)
  const { header, hash } = block
  const { apricotPhase1, apricotPhase5 } = state.rules.constants.upgrades
  const draft = new Draft(state.tables, state.rules, 'C')
  follow.assertHeight(draft, header.number)
  if (draft.tip.height > 0n) follow.assertParent(draft, header.parentHash)
  follow.assertTime(draft, header.timestamp)
  // Before Apricot phase 1, headers do not commit to the atomic transactions.
  if (header.timestamp >= apricotPhase1) assertExtData(block)
  const isRepeated = isBonus(state.rules, header.number)
  for (const [position, tx] of AtomicBatch.of(block, apricotPhase5).entries()) {
    execute(draft, tx, position, isRepeated)
  }
  draft.setTip({ time: header.timestamp })
  return draft.finish(hash)
}

function execute(draft: Draft, tx: AtomicTx.AtomicTx, position: number, isRepeated: boolean): void {
  const bytes = AtomicTx.encode(tx)
  const txId = AtomicTx.id(bytes)
  draft.txId = txId
  if (!isRepeated) moveAtomic(draft, tx, txId)
  const { type: name } = tx.unsignedTx
  draft.decide({ txId, height: draft.height, position, name, bytes, status: 'Accepted' })
  draft.txId = undefined
}
