import { AtomicTx, Flow } from '@firn/txs'
import type { Draft } from './Draft.ts'
import * as utxos from './utxos.ts'

/** Removes the UTXOs that a C-chain transaction imports from shared memory, and adds those that it exports. */
export function moveAtomic(draft: Draft, { unsignedTx }: AtomicTx.AtomicTx, txId: Uint8Array): void {
  const imported = AtomicTx.imported(unsignedTx)
  const exported = AtomicTx.exported(unsignedTx)
  const consumed = (imported?.inputs ?? []).map(({ assetID: assetId, input }) => ({
    assetID: assetId,
    amount: input.amount,
  }))
  const produced = (exported?.outputs ?? []).map(({ assetID: assetId, output }) => ({
    assetID: assetId,
    amount: output.amount,
  }))
  Flow.assertBalanced(
    [...consumed, ...AtomicTx.debited(unsignedTx)],
    [...AtomicTx.credited(unsignedTx), ...produced],
  )
  utxos.takeImported(draft, imported)
  utxos.putExported(draft, exported, txId, 0)
}
