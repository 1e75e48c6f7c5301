import { Bytes, Id } from '@firn/codec'
import * as BaseTx from '../avax/BaseTx.ts'
import * as TransferableInput from '../avax/TransferableInput.ts'
import * as TransferableOutput from '../avax/TransferableOutput.ts'
import * as Owners from '../fx/Owners.ts'
import { assertAccounts } from '../internal/accounts.ts'
import { withDetails } from '../internal/withDetails.ts'
import { TxsError, type TxsErrorCode } from '../TxsError.ts'
import * as AtomicTx from './AtomicTx.ts'

/** The chain that atomic transactions are checked against; `blockchainId` is the C-chain's id. */
export interface Context extends BaseTx.Chain {
  readonly xChainId: Uint8Array
  readonly avaxAssetId: Uint8Array
}

const NO_MEMO = new Uint8Array()

/**
 * Checks a transaction without the chain's state, by the rules since Banff (the node's `Verify`). Like the node, it
 * accepts a transaction without credentials and an export without inputs.
 * @example
 * ```ts
 * import { AtomicSyntax, type AtomicTx } from '@firn/txs'
 *
 * declare const tx: AtomicTx.UnsignedTx
 * declare const context: AtomicSyntax.Context
 * AtomicSyntax.assertValid(tx, context)
 * ```
 * @throws TxsError with the first reason for which the node rejects the transaction
 */
export function assertValid(tx: AtomicTx.UnsignedTx, context: Context): void {
  const check = CHECKS[tx.type] as (tx: AtomicTx.UnsignedTx, context: Context) => void
  check(tx, context)
}

const CHECKS: { readonly [T in AtomicTx.TxType]: (tx: AtomicTx.Of<T>, context: Context) => void } = {
  ImportTx: assertImport,
  ExportTx: assertExport,
}

function assertImport(tx: AtomicTx.Of<'ImportTx'>, context: Context): void {
  if (tx.importedInputs.length === 0) refuse('TXS_EMPTY', 'expected at least one imported input, got none')
  BaseTx.assertMetadata({ ...tx, memo: NO_MEMO }, context)
  if (tx.outputs.length === 0) refuse('TXS_EMPTY', 'expected at least one output, got none')
  assertPeer(tx.sourceChain, context)
  withDetails({ list: 'output' }, () => {
    for (const output of tx.outputs) assertEvm('output', output, context)
  })
  withDetails({ list: 'input' }, () => {
    for (const { assetID: assetId, input } of tx.importedInputs) {
      Owners.assertInput(input)
      assertAvax(assetId, context)
    }
  })
  TransferableInput.assertSortedAndUnique(tx.importedInputs)
  assertAccounts('TXS_OUTPUTS_ORDER', 'output', tx.outputs)
}

function assertExport(tx: AtomicTx.Of<'ExportTx'>, context: Context): void {
  if (tx.exportedOutputs.length === 0) refuse('TXS_EMPTY', 'expected at least one exported output, got none')
  BaseTx.assertMetadata({ ...tx, memo: NO_MEMO }, context)
  assertPeer(tx.destinationChain, context)
  withDetails({ list: 'input' }, () => {
    for (const input of tx.inputs) assertEvm('input', input, context)
  })
  withDetails({ list: 'output' }, () => {
    for (const { assetID: assetId, output } of tx.exportedOutputs) {
      Owners.assertOutput(output)
      if (Bytes.isZero(tx.destinationChain)) assertOfPlatform(assetId, context)
      assertAvax(assetId, context)
    }
  })
  TransferableOutput.assertSorted(AtomicTx.Output, tx.exportedOutputs)
  assertAccounts('TXS_INPUTS_ORDER', 'input', tx.inputs)
}

/**
 * Checks that the other chain is the P-chain or the X-chain, because the C-chain exchanges assets only with
 * these two.
 */
function assertPeer(chainId: Uint8Array, { xChainId }: Context): void {
  if (Bytes.isZero(chainId) || Bytes.equals(chainId, xChainId)) return
  const actual = Id.format(chainId)
  refuse(
    'TXS_BLOCKCHAIN_ID',
    `expected the P-chain or X-chain as the source or destination, got chain ${actual}`,
    { actual },
  )
}

function assertEvm(
  what: 'output' | 'input',
  { amount, assetID: assetId }: AtomicTx.EvmOutput,
  context: Context,
): void {
  if (amount === 0n) refuse('TXS_NO_VALUE', 'expected an amount above 0, got 0', { what })
  assertAvax(assetId, context)
}

/** Checks that an asset is AVAX, the only one that the P-chain accepts. */
function assertOfPlatform(assetId: Uint8Array, { avaxAssetId }: Context): void {
  if (Bytes.isZero(assetId) || Bytes.equals(assetId, avaxAssetId)) return
  const asset = Id.format(assetId)
  refuse('TXS_BLOCKCHAIN_ID', `the P-chain does not accept the asset ${asset}`, { asset })
}

function assertAvax(assetId: Uint8Array, { avaxAssetId }: Context): void {
  BaseTx.assertAsset(assetId)
  if (Bytes.equals(assetId, avaxAssetId)) return
  const [expected, actual] = [Id.format(avaxAssetId), Id.format(assetId)]
  refuse('TXS_ASSET_ID', `expected asset ${expected}, got ${actual}`, { expected, actual })
}

function refuse(code: TxsErrorCode, message: string, details: Record<string, unknown> = {}): never {
  throw new TxsError(code, message, { details })
}
