import { Bytes } from '@firn/codec'
import type { Share } from '../avax/Flow.ts'
import * as AvmFees from '../avm/AvmFees.ts'
import * as AvmFx from '../avm/AvmFx.ts'
import * as AvmSyntax from '../avm/AvmSyntax.ts'
import * as AvmTx from '../avm/AvmTx.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import * as Complexity from '../platform/Complexity.ts'
import type * as Gas from '../platform/Gas.ts'
import * as Coins from './Coins.ts'
import * as Given from './Given.ts'
import { type Consolidation, consolidation, type GatherOptions, gathering } from './gathering.ts'
import * as Limits from './Limits.ts'
import * as Selection from './Selection.ts'
import * as Signing from './Signing.ts'
import * as Wallet from './Wallet.ts'

export type { Consolidation } from './gathering.ts'

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
  readonly tx: (base: Base) => AvmTx.UnsignedTx
  readonly outputs?: readonly Wallet.PlainOut[]
  readonly exported?: readonly Share[]
  /** Coins that are spent in any case, and the owners who receive what remains of them. */
  readonly required?: { readonly coins: readonly Coins.Chosen[]; readonly to: Secp256k1.OutputOwners }
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
 * `details`, `TXS_LIMIT` if it needs more UTXOs than fit into one transaction, with `fit` and `worth`; `TXS_LOCKTIME`,
 * `TXS_INPUT` and the errors of `Owners.assertOutput` for a payment
 */
export function transfer(wallet: AvmWallet, payments: readonly Wallet.Payment[]): AvmDraft {
  return build(wallet, () => ({
    outputs: Wallet.plainOuts(payments),
    tx: (base) => ({ type: 'BaseTx', ...base }),
  }))
}

/** A draft that takes as many coins as fit, and the remaining coins. */
export type GatheringDraft = AvmDraft & { readonly left: readonly Selection.Left[] }

/**
 * Imports what another chain has exported to the wallet: the most valuable UTXOs first, and as many as fit into one
 * transaction. `left` has the others; call it again with those that did not fit. The wallet pays the fee only if no AVAX that
 * exceeds it is imported, but other assets. The owners `to` receive the imported amounts.
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
 * @throws TxsError `TXS_EMPTY`, `TXS_LOCKED`, `TXS_SIGNERS` if there is nothing that the wallet can import now, `TXS_DUST` if
 * it is worth less than the fee; `TXS_FUNDS` if only other assets are imported and the wallet cannot pay the fee
 */
export function importFrom(
  wallet: AvmWallet,
  sourceChain: Uint8Array,
  exported: readonly Coins.AnyUtxo[],
  to: Secp256k1.OutputOwners,
): GatheringDraft {
  const importing = (importedInputs: readonly Wallet.PlainIn[]) => (base: Base) =>
    ({ type: 'ImportTx', ...base, sourceChain, importedInputs }) as const
  const { chosen, left } = gather(wallet, importing([]), () => {
    Given.assertOwners(to, 'to')
    return { purpose: 'import', coins: Coins.of(exported), isIncluded: () => true, to }
  })
  const { inputs, avax, others } = Wallet.imported(wallet, chosen)
  const draft = build(wallet, () => ({
    outputs: others.map((share) => Wallet.plainOut({ ...share, owners: to })),
    imported: { avax, utxos: exported, to },
    tx: importing(inputs),
  }))
  return { ...draft, left }
}

/**
 * Merges UTXOs of an asset into one: the least valuable first, and as many as fit into one transaction. Takes the most
 * valuable first if the others do not pay the fee. `left` has the others, and UTXOs with several owners if neither `to` nor
 * the wallet's `changeOwners` say who receives them.
 * @example
 * ```ts
 * import { AvmBuilder } from '@firn/txs'
 *
 * declare const wallet: AvmBuilder.AvmWallet
 * const draft = AvmBuilder.consolidate(wallet)
 * const isDone = !draft.left.some(({ reason }) => reason === 'limit')
 * ```
 * @throws TxsError `TXS_EMPTY` if there are fewer than two UTXOs, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot spend them
 * now, `TXS_DUST` if they are worth less than the fee; `TXS_FUNDS` if the wallet cannot pay the fee for another asset
 */
export function consolidate(wallet: AvmWallet, options: Consolidation = {}): GatheringDraft {
  const transfer: Declaration['tx'] = (base) => ({ type: 'BaseTx', ...base })
  const { chosen, left } = gather(wallet, transfer, () => consolidation(wallet, options))
  const required = { coins: chosen, to: options.to ?? Wallet.changeOwners(wallet) }
  return { ...build(wallet, () => ({ required, tx: transfer })), left }
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
  return build(wallet, () => {
    const exportedOutputs = Wallet.sortOuts(Wallet.plainOuts(payments))
    return {
      exported: payments,
      tx: (base) => ({ type: 'ExportTx', ...base, destinationChain, exportedOutputs }),
    }
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
  return build(wallet, () => {
    const initialStates = fields.initialStates
      .map(({ fxIndex, outputs }) => ({ fxIndex, outputs: sortEncoded(AvmFx.State, outputs) }))
      .sort((a, b) => a.fxIndex - b.fxIndex)
    return { tx: (base) => ({ type: 'CreateAssetTx', ...base, ...fields, initialStates }) }
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
  return build(wallet, () => {
    const sorted = sortEncoded(AvmTx.Operation, operations)
    return { tx: (base) => ({ type: 'OperationTx', ...base, operations: sorted }) }
  })
}

function sortEncoded<T>(codec: { readonly encode: (value: T) => Uint8Array }, values: readonly T[]): T[] {
  return values.toSorted((a, b) => Bytes.compare(codec.encode(a), codec.encode(b)))
}

/** Builds a draft from a declaration, and checks it as nodes do. */
function build(wallet: AvmWallet, declare: () => Declaration): AvmDraft {
  return Given.checked(() => {
    assertWallet(wallet)
    const declaration = declare()
    const { outputs = [], exported = [], imported, required } = declaration
    const made = outputs.map(({ assetID: assetId, output }) => ({ assetID: assetId, amount: output.amount }))
    const assemble = assembler(wallet, declaration)
    // Encodes the transaction, which checks the types of all values before they are added up.
    const meter = meterOf(wallet, assemble({ inputs: [], change: [] }))
    const spent = Selection.cover({
      ...Wallet.source(wallet),
      meter,
      stake: [],
      // The imported UTXOs themselves cover imported assets other than AVAX.
      burn: [...exported, ...(imported ? [] : made)],
      received: imported?.avax ?? 0n,
      ...(imported && { receivedOwners: imported.to }),
      ...(required && { required: required.coins, receivedOwners: required.to }),
    })
    const tx = assemble(spent)
    AvmSyntax.assertUnsigned(tx, wallet)
    Limits.assertWithin(meterOf(wallet, tx).fixed, meter.limit)
    return Signing.create('X', tx, { utxos: [...wallet.utxos, ...(imported?.utxos ?? [])] })
  })
}

function assertWallet(wallet: AvmWallet): void {
  Given.assertWallet(wallet)
  Given.assertBytes(wallet.blockchainId, 'wallet.blockchainId', 32)
  Given.assertU64(wallet.fees.tx, 'wallet.fees.tx')
  Given.assertU64(wallet.fees.createAsset, 'wallet.fees.createAsset')
}

/** Returns the function that makes the transaction with what was selected. */
function assembler(
  { networkId, blockchainId, memo = new Uint8Array() }: AvmWallet,
  { tx, outputs = [] }: Pick<Declaration, 'tx' | 'outputs'>,
) {
  return (spent: Pick<Selection.Spent, 'inputs' | 'change'>): AvmTx.UnsignedTx =>
    tx({
      networkID: networkId,
      blockchainID: blockchainId,
      outputs: Wallet.sortOuts([...outputs, ...spent.change.map(Wallet.plainOut)]),
      inputs: Wallet.sortIns(spent.inputs.map(Wallet.plainIn)),
      memo,
    })
}

function gather(wallet: AvmWallet, tx: Declaration['tx'], request: () => GatherOptions): Selection.Gathered {
  return Given.checked(() => {
    assertWallet(wallet)
    const meter = meterOf(wallet, assembler(wallet, { tx })({ inputs: [], change: [] }))
    return Selection.gather(gathering(wallet, meter, request()))
  })
}

/** Returns how the size grows from a transaction without inputs. Its fee is fixed. */
function meterOf({ fees }: AvmWallet, tx: AvmTx.UnsignedTx): Selection.Meter {
  const fee = AvmFees.required(tx, fees)
  // Inputs, credentials and outputs have the same layout on the X- and P-chain.
  const cost = ({ bandwidth: bytes }: Gas.Dimensions) => ({ gas: 0n, bytes })
  return {
    fixed: { gas: 0n, bytes: Limits.signedSize('X', tx) },
    input: (coin) => cost(Complexity.inputs([Wallet.plainIn(coin)])),
    output: (piece) => cost(Complexity.outputs([Wallet.plainOut(piece)])),
    fee: () => fee,
    limit: Limits.AVM,
  }
}
