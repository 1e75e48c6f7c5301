import { Bytes } from '@firn/codec'
import * as BaseTx from '../avax/BaseTx.ts'
import * as Flow from '../avax/Flow.ts'
import * as TransferableInput from '../avax/TransferableInput.ts'
import * as TransferableOutput from '../avax/TransferableOutput.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import * as Owners from '../fx/Owners.ts'
import { assertFxValue } from '../internal/fxChecks.ts'
import { withDetails } from '../internal/withDetails.ts'
import { TxsError, type TxsErrorCode } from '../TxsError.ts'
import * as AvmFees from './AvmFees.ts'
import * as AvmFx from './AvmFx.ts'
import * as AvmTx from './AvmTx.ts'

/** Maximum length of an asset's name in characters. */
export const MAX_NAME = 128
/** Maximum length of an asset's symbol in characters. */
export const MAX_SYMBOL = 4
/** Maximum denomination of an asset (decimal digits). */
export const MAX_DENOMINATION = 32

/** The network and chain that transactions are checked against. */
export interface Context extends BaseTx.Chain {
  /** Id of the asset in which fees are paid. */
  readonly avaxAssetId: Uint8Array
  readonly fees?: AvmFees.Fees
}

/**
 * Checks a transaction without the chain's state (the node's `SyntacticVerifier`). Does not check signatures.
 * @example
 * ```ts
 * import { AvmSyntax, type AvmTx } from '@firn/txs'
 *
 * declare const tx: AvmTx.AvmTx
 * declare const context: AvmSyntax.Context
 * AvmSyntax.assertValid(tx, context)
 * ```
 * @throws TxsError with the first reason for which the node rejects the transaction
 */
export function assertValid(tx: AvmTx.AvmTx, context: Context): void {
  const { unsignedTx, credentials } = tx
  assertUnsigned(unsignedTx, context)
  credentials.forEach(assertFxValue)
  const expected = credentialCount(unsignedTx)
  if (credentials.length === expected) return
  refuse('TXS_CREDENTIAL', `expected ${expected} credentials, got ${credentials.length}`, {
    expected,
    actual: credentials.length,
  })
}

/**
 * Checks a transaction that has no credentials yet, like {@link assertValid}.
 * @example
 * ```ts
 * import { AvmSyntax, type AvmTx } from '@firn/txs'
 *
 * declare const tx: AvmTx.UnsignedTx
 * declare const context: AvmSyntax.Context
 * AvmSyntax.assertUnsigned(tx, context)
 * ```
 * @throws TxsError with the first reason for which the node rejects the transaction
 */
export function assertUnsigned(unsignedTx: AvmTx.UnsignedTx, context: Context): void {
  const { before, after } = CHECKS[unsignedTx.type] as Checks<AvmTx.TxType>
  before?.(unsignedTx)
  BaseTx.assertMetadata(unsignedTx, context)
  assertFlow(unsignedTx, context)
  after?.(unsignedTx)
}

/**
 * Returns the number of credentials that a transaction needs: one for each input, operation and imported
 * input.
 * @example
 * ```ts
 * import { AvmSyntax, type AvmTx } from '@firn/txs'
 *
 * declare const tx: AvmTx.AvmTx
 * const isComplete = tx.credentials.length === AvmSyntax.credentialCount(tx.unsignedTx)
 * ```
 */
export function credentialCount(tx: AvmTx.UnsignedTx): number {
  return tx.inputs.length + AvmTx.operations(tx).length + (AvmTx.imported(tx)?.inputs.length ?? 0)
}

/** The checks specific to a type, which run before and after the common checks. */
interface Checks<T extends AvmTx.TxType> {
  readonly before?: (tx: AvmTx.Of<T>) => void
  readonly after?: (tx: AvmTx.Of<T>) => void
}

const CHECKS: { readonly [T in AvmTx.TxType]: Checks<T> } = {
  BaseTx: {},
  CreateAssetTx: { before: assertAsset, after: (tx) => assertInitialStates(tx.initialStates) },
  OperationTx: { before: (tx) => assertSome('operation', tx.operations), after: assertOperations },
  ImportTx: { before: (tx) => assertSome('imported input', tx.importedInputs) },
  ExportTx: { before: (tx) => assertSome('exported output', tx.exportedOutputs) },
}

function assertAsset(tx: AvmTx.Of<'CreateAssetTx'>): void {
  const { name, symbol, denomination, initialStates } = tx
  assertLength('TXS_NAME', 'a name', name, MAX_NAME)
  assertLength('TXS_SYMBOL', 'a symbol', symbol, MAX_SYMBOL)
  assertSome('initial state', initialStates)
  if (denomination > MAX_DENOMINATION) {
    refuse(
      'TXS_DENOMINATION',
      `expected a denomination of at most ${MAX_DENOMINATION}, got ${denomination}`,
      {
        denomination,
      },
    )
  }
  if (!/^[A-Za-z0-9 ]+$/.test(name) || name !== name.trim()) {
    refuse('TXS_NAME', `expected a name of letters, digits and inner spaces, got ${JSON.stringify(name)}`, {
      name,
    })
  }
  if (!/^[A-Z]+$/.test(symbol))
    refuse('TXS_SYMBOL', `expected a symbol of uppercase letters (A–Z), got ${JSON.stringify(symbol)}`, {
      symbol,
    })
}

function assertLength(code: TxsErrorCode, what: string, text: string, maximum: number): void {
  if (text.length > 0 && text.length <= maximum) return
  refuse(code, `expected ${what} of 1 to ${maximum} characters, got ${text.length}`, { actual: text.length })
}

function assertSome(what: string, list: readonly unknown[]): void {
  if (list.length === 0) refuse('TXS_EMPTY', `expected at least one ${what}, got none`)
}

/**
 * Checks that each list is sorted, that each element is valid, and that the inputs cover all outputs and the
 * fee.
 */
function assertFlow(tx: AvmTx.UnsignedTx, { avaxAssetId, fees }: Context): void {
  const outputs = [tx.outputs, AvmTx.exported(tx)?.outputs ?? []]
  const inputs = [tx.inputs, AvmTx.imported(tx)?.inputs ?? []]
  for (const list of outputs) {
    for (const { assetID: assetId, output } of list) {
      BaseTx.assertAsset(assetId)
      Owners.assertOutput(output)
    }
    TransferableOutput.assertSorted(AvmFx.Output, list)
  }
  for (const list of inputs) {
    for (const { assetID: assetId, input } of list) {
      BaseTx.assertAsset(assetId)
      Owners.assertInput(input)
    }
    TransferableInput.assertSortedAndUnique(list)
  }
  const fee = { assetID: avaxAssetId, amount: AvmFees.required(tx, fees) }
  Flow.assertBalanced(
    inputs.flat().map(({ assetID: assetId, input }) => ({ assetID: assetId, amount: input.amount })),
    [
      fee,
      ...outputs.flat().map(({ assetID: assetId, output }) => ({ assetID: assetId, amount: output.amount })),
    ],
  )
}

function assertInitialStates(states: readonly AvmTx.InitialState[]): void {
  states.forEach(({ fxIndex, outputs }, i) => {
    if (fxIndex >= AvmFx.IDS.length) {
      refuse('TXS_FX', `expected an fx index below ${AvmFx.IDS.length}, got ${fxIndex}`, { fxIndex })
    }
    outputs.forEach(assertFxValue)
    assertAscending('TXS_OUTPUTS_ORDER', 'initial output', outputs.map(AvmFx.State.encode), 0)
    if (i > 0 && (states[i - 1] as AvmTx.InitialState).fxIndex >= fxIndex) {
      refuse(
        'TXS_ORDER',
        `expected sorted, unique fx indices, but ${fxIndex} is not greater than the previous one`,
        {
          index: i,
        },
      )
    }
  })
}

function assertOperations(tx: AvmTx.Of<'OperationTx'>): void {
  const spent = new Set(tx.inputs.map(UtxoId.key))
  for (const { assetID: assetId, inputIDs: inputIds, operation } of tx.operations) {
    withDetails({ list: 'operation' }, () => TransferableInput.assertSortedAndUnique(inputIds))
    BaseTx.assertAsset(assetId)
    assertFxValue(operation)
    for (const utxo of inputIds) {
      if (spent.has(UtxoId.key(utxo))) {
        refuse('TXS_DOUBLE_SPEND', `UTXO ${UtxoId.format(utxo)} is spent twice`, { utxo })
      }
      spent.add(UtxoId.key(utxo))
    }
  }
  assertAscending('TXS_ORDER', 'operation', tx.operations.map(AvmTx.Operation.encode), 1)
}

/** Checks that items are sorted by bytes. A `step` of 1 also rejects equal items; 0 allows them. */
function assertAscending(code: TxsErrorCode, what: string, list: readonly Uint8Array[], step: 0 | 1): void {
  const index = list.findIndex((bytes, i) => i > 0 && Bytes.compare(bytes, list[i - 1] as Uint8Array) < step)
  if (index < 0) return
  refuse(code, `expected sorted items, but ${what} ${index} is out of order`, { index })
}

function refuse(code: TxsErrorCode, message: string, details: Record<string, unknown> = {}): never {
  throw new TxsError(code, message, { details })
}
