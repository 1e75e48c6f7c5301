import { Bytes, Id } from '@firn/codec'
import * as BaseTx from '../avax/BaseTx.ts'
import * as Flow from '../avax/Flow.ts'
import * as TransferableInput from '../avax/TransferableInput.ts'
import * as TransferableOutput from '../avax/TransferableOutput.ts'
import * as Owners from '../fx/Owners.ts'
import { assertAccounts } from '../internal/accounts.ts'
import { withDetails } from '../internal/withDetails.ts'
import { TxsError, type TxsErrorCode } from '../TxsError.ts'
import type { Context } from './AtomicSyntax.ts'
import * as AtomicTx from './AtomicTx.ts'

const NO_MEMO = new Uint8Array()

/**
 * Checks a transaction without the chain's state, by the rules since Helicon (the node's `SanityCheck`), in the node's
 * order. An error about one input or output has its list and index as `details.list` and `details.item`.
 * @example
 * ```ts
 * import { AtomicSanity, type AtomicSyntax, type AtomicTx } from '@firn/txs'
 *
 * declare const tx: AtomicTx.UnsignedTx
 * declare const context: AtomicSyntax.Context
 * AtomicSanity.assertValid(tx, context)
 * ```
 * @throws TxsError with the first reason for which the node rejects the transaction
 */
export function assertValid(tx: AtomicTx.UnsignedTx, context: Context): void {
  BaseTx.assertMetadata({ ...tx, memo: NO_MEMO }, context)
  assertPeer(tx.type === 'ImportTx' ? tx.sourceChain : tx.destinationChain, context)
  const [ins, outs] = tx.type === 'ImportTx' ? itemsOfImport(tx) : itemsOfExport(tx)
  if (ins.length === 0) refuse('TXS_EMPTY', 'expected at least one input, got none', { list: 'inputs' })
  if (outs.length === 0) refuse('TXS_EMPTY', 'expected at least one output, got none', { list: 'outputs' })
  for (const [list, items] of [
    ['input', ins],
    ['output', outs],
  ] as const) {
    items.forEach((item, index) => {
      withDetails({ list, item: index }, () => assertItem(item, context))
    })
  }
  Flow.assertBalanced(ins, outs)
  assertOrder(tx)
}

/** An input or output: an amount of an asset, and the checks of its content. */
interface Item extends Flow.Share {
  readonly check: () => void
}

type Items = readonly [ins: readonly Item[], outs: readonly Item[]]

function itemsOfImport({ importedInputs, outputs }: AtomicTx.Of<'ImportTx'>): Items {
  const ins = importedInputs.map(({ assetID: assetId, input }) => {
    const check = () => {
      BaseTx.assertAsset(assetId)
      Owners.assertInput(input)
    }
    return { assetID: assetId, amount: input.amount, check }
  })
  return [ins, outputs.map(itemOfAccount)]
}

function itemsOfExport({ inputs, exportedOutputs }: AtomicTx.Of<'ExportTx'>): Items {
  const outs = exportedOutputs.map(({ assetID: assetId, output }) => {
    const check = () => {
      BaseTx.assertAsset(assetId)
      Owners.assertOutput(output)
    }
    return { assetID: assetId, amount: output.amount, check }
  })
  return [inputs.map(itemOfAccount), outs]
}

function itemOfAccount({ assetID: assetId, amount }: AtomicTx.EvmOutput): Item {
  const check = () => {
    if (amount === 0n) refuse('TXS_NO_VALUE', 'expected an amount above 0, got 0', { what: 'account' })
  }
  return { assetID: assetId, amount, check }
}

function assertItem({ assetID: assetId, check }: Item, { avaxAssetId }: Context): void {
  check()
  if (Bytes.equals(assetId, avaxAssetId)) return
  const [expected, actual] = [Id.format(avaxAssetId), Id.format(assetId)]
  refuse('TXS_ASSET_ID', `expected asset ${expected}, got ${actual}`, { expected, actual })
}

function assertPeer(chainId: Uint8Array, { xChainId }: Context): void {
  if (Bytes.isZero(chainId) || Bytes.equals(chainId, xChainId)) return
  const peers = [Id.EMPTY, xChainId].map(Id.format)
  const actual = Id.format(chainId)
  const message = `expected the P-chain or X-chain as the source or destination, got chain ${actual}`
  refuse('TXS_BLOCKCHAIN_ID', message, { peers, actual })
}

function assertOrder(tx: AtomicTx.UnsignedTx): void {
  if (tx.type === 'ImportTx') {
    TransferableInput.assertSortedAndUnique(tx.importedInputs)
    assertAccounts('TXS_OUTPUTS_ORDER', 'output', tx.outputs)
  } else {
    assertAccounts('TXS_INPUTS_ORDER', 'input', tx.inputs)
    TransferableOutput.assertSorted(AtomicTx.Output, tx.exportedOutputs)
  }
}

function refuse(code: TxsErrorCode, message: string, details: Record<string, unknown>): never {
  throw new TxsError(code, message, { details })
}
