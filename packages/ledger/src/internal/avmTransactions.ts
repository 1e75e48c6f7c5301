import { Hex, Id } from '@firn/codec'
import { AvmFx, type AvmTx, AvmUtxo, Flow, Utxo } from '@firn/txs'
import type * as Records from '../Records.ts'
import type { Draft } from './Draft.ts'
import { operate } from './operations.ts'
import { peer } from './peers.ts'
import { refuse } from './refuse.ts'
import * as utxos from './utxos.ts'

/** The feature extension of transfers, by its index. */
const TRANSFERS = 0

/** Executes a transaction of the X-chain. Its signatures and its fee are not looked at. */
export function execute(draft: Draft, txId: Uint8Array, tx: AvmTx.AvmTx): void {
  const { unsignedTx } = tx
  const { inputs, outputs } = unsignedTx
  const imported = unsignedTx.type === 'ImportTx' ? unsignedTx.importedInputs : []
  const exported = unsignedTx.type === 'ExportTx' ? unsignedTx.exportedOutputs : []
  assertTransfers(draft, [...inputs, ...imported], [...outputs, ...exported])
  for (const input of inputs) utxos.spend(draft, input, input.input)
  switch (unsignedTx.type) {
    case 'ImportTx': {
      const source = peer(draft, unsignedTx.sourceChain)
      for (const input of imported) utxos.spend(draft, input, input.input, source)
      break
    }
    case 'CreateAssetTx':
      draft.write('asset', undefined, assetOf(txId, unsignedTx))
      break
    case 'OperationTx':
      for (const item of unsignedTx.operations) {
        assertUsable(draft, item.assetID, AvmFx.IDS.indexOf(AvmFx.idOf(item.operation)))
        operate(draft, item)
      }
      break
  }
  for (const utxo of AvmUtxo.of(tx, txId)) draft.makeUtxo(utxo, 'output')
  if (unsignedTx.type !== 'ExportTx') return
  const chain = peer(draft, unsignedTx.destinationChain)
  for (const utxo of Utxo.of(txId, exported, outputs.length)) draft.makeUtxo(utxo, 'output', chain)
}

/** The asset that a transaction creates. */
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

/** Transfers bring forth no more of an asset than they spend, and only assets that there are. */
function assertTransfers(draft: Draft, ins: readonly AvmTx.In[], outs: readonly AvmTx.Out[]): void {
  const consumed = ins.map(({ assetID: assetId, input }) => ({ assetID: assetId, amount: input.amount }))
  const produced = outs.map(({ assetID: assetId, output }) => ({ assetID: assetId, amount: output.amount }))
  Flow.assertBalanced(consumed, produced)
  for (const { assetID: assetId } of [...consumed, ...produced]) assertUsable(draft, assetId, TRANSFERS)
}

/** Checks that there is an asset, and that it uses a feature extension. */
function assertUsable(draft: Draft, assetId: Uint8Array, fxIndex: number): void {
  const found = draft.get('asset', Hex.encodeBare(assetId))
  if (found?.fxIndices.includes(fxIndex)) return
  const details = { assetID: Id.format(assetId), fxIndex, known: found?.fxIndices }
  const expected = `expected an asset with the feature extension ${fxIndex}`
  refuse(
    'LEDGER_ASSET',
    `${expected}, got ${details.assetID}, ${found ? 'without it' : 'which is unknown'}`,
    details,
  )
}
