import { Bytes } from '@firn/codec'
import type { Share } from '../avax/Flow.ts'
import * as AvmFees from '../avm/AvmFees.ts'
import * as AvmFx from '../avm/AvmFx.ts'
import * as AvmTx from '../avm/AvmTx.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import type * as Coins from './Coins.ts'
import * as Signing from './Signing.ts'
import * as Wallet from './Wallet.ts'

/** Input for building X-chain transactions. */
export interface AvmWallet extends Wallet.Wallet {
  /** Id of the X-chain. */
  readonly blockchainId: Uint8Array
  readonly fees: AvmFees.Fees
}

/** An unsigned or partly signed X-chain transaction. */
export type AvmDraft = Signing.Draft<'X'>

type Base = Pick<AvmTx.Of<'BaseTx'>, 'networkID' | 'blockchainID' | 'outputs' | 'inputs' | 'memo'>

interface Declaration {
  readonly type: AvmTx.TxType
  readonly tx: (base: Base) => AvmTx.UnsignedTx
  readonly outputs?: readonly Wallet.PlainOut[]
  readonly exported?: readonly Share[]
  readonly imported?: {
    readonly avax: bigint
    readonly utxos: readonly Coins.AnyUtxo[]
    readonly to: Secp256k1.OutputOwners
  }
}

/**
 * Builds a transfer of amounts of any assets.
 * @example
 * ```ts
 * import { AvmBuilder, Wallet } from '@firn/txs'
 *
 * declare const wallet: AvmBuilder.AvmWallet
 * declare const address: Uint8Array // 20 bytes
 * const owners = Wallet.soleOwner(address)
 * const payment = { assetID: wallet.avaxAssetId, amount: 1_000_000_000n, owners }
 * const draft = AvmBuilder.transfer(wallet, [payment])
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay, with the amounts in
 * `details`; `TXS_LOCKTIME`, and the errors of `Owners.assertOutput` for a payment
 */
export function transfer(wallet: AvmWallet, payments: readonly Wallet.Payment[]): AvmDraft {
  return build(wallet, {
    type: 'BaseTx',
    outputs: Wallet.plainOuts(payments),
    tx: (base) => ({ type: 'BaseTx', ...base }),
  })
}

/**
 * Imports everything that another chain has exported to the wallet. The owners `to` receive the imported
 * amounts.
 * @example
 * ```ts
 * import { AvmBuilder, type AvmUtxo, Wallet } from '@firn/txs'
 *
 * declare const wallet: AvmBuilder.AvmWallet
 * declare const address: Uint8Array // 20 bytes
 * declare const cChainId: Uint8Array
 * declare const exported: readonly AvmUtxo.AvmUtxo[] // of avm.getUTXOs with sourceChain
 * const draft = AvmBuilder.importFrom(wallet, cChainId, exported, Wallet.soleOwner(address))
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet can import nothing or cannot pay
 * the fee
 */
export function importFrom(
  wallet: AvmWallet,
  sourceChain: Uint8Array,
  exported: readonly Coins.AnyUtxo[],
  to: Secp256k1.OutputOwners,
): AvmDraft {
  const { inputs: importedInputs, avax, others } = Wallet.gather(wallet, exported)
  return build(wallet, {
    type: 'ImportTx',
    outputs: others.map((share) => Wallet.plainOut({ ...share, owners: to })),
    imported: { avax, utxos: exported, to },
    tx: (base) => ({ type: 'ImportTx', ...base, sourceChain, importedInputs }),
  })
}

/**
 * Exports amounts to another chain.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { AvmBuilder, Wallet } from '@firn/txs'
 *
 * declare const wallet: AvmBuilder.AvmWallet
 * declare const address: Uint8Array // 20 bytes
 * const owners = Wallet.soleOwner(address)
 * const payment = { assetID: wallet.avaxAssetId, amount: 1_000_000_000n, owners }
 * const draft = AvmBuilder.exportTo(wallet, Id.EMPTY, [payment]) // to the P-chain
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay, with the amounts in
 * `details`; `TXS_LOCKTIME`, and the errors of `Owners.assertOutput` for a payment
 */
export function exportTo(
  wallet: AvmWallet,
  destinationChain: Uint8Array,
  payments: readonly Wallet.Payment[],
): AvmDraft {
  const exportedOutputs = Wallet.sortOuts(Wallet.plainOuts(payments))
  return build(wallet, {
    type: 'ExportTx',
    exported: payments,
    tx: (base) => ({ type: 'ExportTx', ...base, destinationChain, exportedOutputs }),
  })
}

/**
 * Creates an asset, whose id is the transaction's id. Sorts the initial states.
 * @example
 * ```ts
 * import { AvmBuilder, Wallet } from '@firn/txs'
 *
 * declare const wallet: AvmBuilder.AvmWallet
 * declare const address: Uint8Array // 20 bytes
 * const owners = Wallet.soleOwner(address)
 * const right = { type: 'MintOutput' as const, ...owners }
 * const draft = AvmBuilder.createAsset(wallet, {
 *   name: 'Team Rocket',
 *   symbol: 'TR',
 *   denomination: 0,
 *   initialStates: [{ fxIndex: 0, outputs: [right] }],
 * })
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay, with the amounts in
 * `details`
 */
export function createAsset(
  wallet: AvmWallet,
  fields: Pick<AvmTx.Of<'CreateAssetTx'>, 'name' | 'symbol' | 'denomination' | 'initialStates'>,
): AvmDraft {
  const initialStates = fields.initialStates
    .map(({ fxIndex, outputs }) => ({ fxIndex, outputs: sortEncoded(AvmFx.State, outputs) }))
    .sort((a, b) => a.fxIndex - b.fxIndex)
  return build(wallet, {
    type: 'CreateAssetTx',
    tx: (base) => ({ type: 'CreateAssetTx', ...base, ...fields, initialStates }),
  })
}

/**
 * Executes operations (see `Operations`) in a single transaction.
 * @example
 * ```ts
 * import { AvmBuilder, Operations } from '@firn/txs'
 *
 * declare const wallet: AvmBuilder.AvmWallet
 * declare const assetId: Uint8Array
 * const draft = AvmBuilder.operate(wallet, [Operations.burnProperty(wallet, assetId)])
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay, with the amounts in
 * `details`
 */
export function operate(wallet: AvmWallet, operations: readonly AvmTx.Operation[]): AvmDraft {
  const sorted = sortEncoded(AvmTx.Operation, operations)
  return build(wallet, {
    type: 'OperationTx',
    tx: (base) => ({ type: 'OperationTx', ...base, operations: sorted }),
  })
}

function sortEncoded<T>(codec: { readonly encode: (value: T) => Uint8Array }, values: readonly T[]): T[] {
  return values.toSorted((a, b) => Bytes.compare(codec.encode(a), codec.encode(b)))
}

function build(
  wallet: AvmWallet,
  { type, tx, outputs = [], exported = [], imported }: Declaration,
): AvmDraft {
  const { networkId, blockchainId, memo = new Uint8Array(), fees } = wallet
  const made = outputs.map(({ assetID: assetId, output }) => ({ assetID: assetId, amount: output.amount }))
  const fee = AvmFees.required({ type }, fees)
  const spent = Wallet.cover(wallet, {
    // The imported UTXOs themselves cover imported assets other than AVAX.
    burn: [...exported, ...(imported ? [] : made)],
    meter: { fixed: 0n, input: () => 0n, output: () => 0n, fee: () => fee },
    ...(imported && { received: imported.avax, receivedOwners: imported.to }),
  })
  const unsignedTx = tx({
    networkID: networkId,
    blockchainID: blockchainId,
    outputs: Wallet.sortOuts([...outputs, ...spent.change.map(Wallet.plainOut)]),
    inputs: Wallet.sortIns(spent.inputs.map(Wallet.plainIn)),
    memo,
  })
  return Signing.create('X', unsignedTx, { utxos: [...wallet.utxos, ...(imported?.utxos ?? [])] })
}
