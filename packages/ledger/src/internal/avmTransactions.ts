import { Hex, Id } from '@firn/codec'
import { AvmFx, AvmTx, AvmUtxo, Flow } from '@firn/txs'
import type * as Records from '../Records.ts'
import type { Draft } from './Draft.ts'
import { operate } from './operations.ts'
import { refuse } from './refuse.ts'
import * as utxos from './utxos.ts'

/** Index of the feature extension for transfers. */
const TRANSFERS = 0

type Effect<T extends AvmTx.TxType> = (draft: Draft, txId: Uint8Array, tx: AvmTx.Of<T>) => void

/** Effects of each transaction type, except transfers of assets. */
const EFFECTS: { readonly [T in AvmTx.TxType]: Effect<T> } = {
  BaseTx: () => undefined,
  CreateAssetTx: (draft, txId, tx) => draft.write('asset', undefined, assetOf(txId, tx)),
  OperationTx(draft, _txId, { operations }) {
    for (const item of operations) {
      assertUsable(draft, item.assetID, AvmFx.IDS.indexOf(AvmFx.idOf(item.operation)))
      operate(draft, item)
    }
  },
  ImportTx: () => undefined,
  ExportTx: () => undefined,
}

/** Executes an X-chain transaction. Does not check its signatures and fee. */
export function execute(draft: Draft, txId: Uint8Array, tx: AvmTx.AvmTx): void {
  const { unsignedTx } = tx
  const { inputs, outputs } = unsignedTx
  const imported = AvmTx.imported(unsignedTx)
  const exported = AvmTx.exported(unsignedTx)
  assertTransfers(draft, [...inputs, ...(imported?.inputs ?? [])], [...outputs, ...(exported?.outputs ?? [])])
  for (const input of inputs) utxos.spend(draft, input, input.input)
  utxos.takeImported(draft, imported)
  const effect = EFFECTS[unsignedTx.type] as Effect<AvmTx.TxType>
  effect(draft, txId, unsignedTx)
  for (const utxo of AvmUtxo.of(tx, txId)) draft.makeUtxo(utxo, 'output')
  utxos.putExported(draft, exported, txId, outputs.length)
}

/** Returns the record of the asset that a transaction creates. */
export function assetOf(assetId: Uint8Array, tx: AvmTx.CreateAssetTx): Records.Asset {
  const { name, symbol, denomination, initialStates } = tx
  return {
    assetId,
    name,
    symbol,
    denomination,
    fxIndices: initialStates.map(({ fxIndex }) => fxIndex),
  }
}

/** Checks that transfers produce no more of an asset than they spend, and that all their assets are known. */
function assertTransfers(draft: Draft, ins: readonly AvmTx.In[], outs: readonly AvmTx.Out[]): void {
  const consumed = ins.map(({ assetID: assetId, input }) => ({ assetID: assetId, amount: input.amount }))
  const produced = outs.map(({ assetID: assetId, output }) => ({ assetID: assetId, amount: output.amount }))
  Flow.assertBalanced(consumed, produced)
  for (const { assetID: assetId } of [...consumed, ...produced]) assertUsable(draft, assetId, TRANSFERS)
}

/** Checks that an asset exists and uses a feature extension. */
function assertUsable(draft: Draft, assetId: Uint8Array, fxIndex: number): void {
  const found = draft.get('asset', Hex.encodeBare(assetId))
  if (found?.fxIndices.includes(fxIndex)) return
  const details = { assetId: Id.format(assetId), fxIndex, known: found?.fxIndices }
  const expected = `expected an asset that uses the feature extension ${fxIndex}`
  refuse(
    'LEDGER_ASSET',
    `${expected}, but asset ${details.assetId} ${found ? 'does not use it' : 'is unknown'}`,
    details,
  )
}
