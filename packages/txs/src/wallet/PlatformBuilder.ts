import type * as Secp256k1 from '../fx/Secp256k1.ts'
import * as Gas from '../platform/Gas.ts'
import * as Coins from './Coins.ts'
import * as Given from './Given.ts'
import { type Consolidation, consolidation, type GatherOptions, gathering } from './gathering.ts'
import {
  assembler,
  assertWallet,
  build,
  type Declaration,
  type Fees,
  meterOf,
  type PlatformDraft,
  type PlatformWallet,
} from './PlatformDraft.ts'
import * as Selection from './Selection.ts'
import * as Wallet from './Wallet.ts'

export type { Consolidation } from './gathering.ts'
export type { Fees, PlatformDraft, PlatformWallet } from './PlatformDraft.ts'
export {
  addSubnetValidator,
  createChain,
  createSubnet,
  removeSubnetValidator,
  transferSubnetOwnership,
  transformSubnet,
} from './SubnetBuilder.ts'

/**
 * Returns the fees at the current gas state of a network. The gas price is multiplied by `bid`, so that the fee still
 * suffices if the price rises before the transaction is accepted.
 * @example
 * ```ts
 * import { PlatformBuilder } from '@firn/txs'
 *
 * const weights = { bandwidth: 1n, dbRead: 1_000n, dbWrite: 1_000n, compute: 4n }
 * const config = { weights, minPrice: 1n, excessConversionConstant: 2_164_043n }
 * const fees = PlatformBuilder.dynamicFees(config, { excess: 0n }) // twice the current price
 * ```
 */
export function dynamicFees(
  config: Pick<Gas.Config, 'weights' | 'minPrice' | 'excessConversionConstant'> &
    Partial<Pick<Gas.Config, 'maxCapacity'>>,
  { excess }: Pick<Gas.State, 'excess'>,
  bid = 2n,
): Fees {
  const { weights, maxCapacity: capacity } = config
  const gasPrice = bid * Gas.price({ ...config, excess })
  return { weights, gasPrice, ...(capacity === undefined ? {} : { capacity }) }
}

/**
 * Transfers amounts to other owners.
 * @example
 * ```ts
 * import { PlatformBuilder, Wallet } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const address: Uint8Array // 20 bytes
 * const owners = Wallet.soleOwner(address)
 * const payment = { assetID: wallet.avaxAssetId, amount: 1_000_000_000n, owners }
 * const draft = PlatformBuilder.transfer(wallet, [payment])
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay, with the amounts in
 * `details`, `TXS_LIMIT` if it needs more UTXOs than fit into one transaction, with `fit` and `worth`; `TXS_INPUT` and the
 * errors of `Owners.assertOutput` for a payment
 */
export function transfer(wallet: PlatformWallet, payments: readonly Wallet.Payment[]): PlatformDraft {
  return build(wallet, () => ({
    outputs: Wallet.outs(payments),
    tx: ({ base }) => ({ type: 'BaseTx', ...base }),
  }))
}

/** A draft that takes as many coins as fit and are worth it, with those that it left. */
export type GatheringDraft = PlatformDraft & { readonly left: readonly Selection.Left[] }

/**
 * Imports what another chain has exported to the wallet: the most valuable UTXOs first, without those that are worth less
 * than the fee for spending them, and as many as fit into one transaction. `left` has the others; call it again with those
 * that did not fit. Other assets than AVAX are imported only if AVAX that exceeds the fee is not: anybody can send them, and
 * each raises the fee, which the wallet then pays. The owners `to` receive the imported amounts.
 * @example
 * ```ts
 * import { PlatformBuilder, type PlatformUtxo, Wallet } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const address: Uint8Array // 20 bytes
 * declare const cChainId: Uint8Array
 * declare const exported: readonly PlatformUtxo.PlatformUtxo[] // of platform.getUTXOs with sourceChain
 * const draft = PlatformBuilder.importFrom(wallet, cChainId, exported, Wallet.soleOwner(address))
 * for (const { reason, coins } of draft.left) console.log(`${coins.length} UTXOs left: ${reason}`)
 * ```
 * @throws TxsError `TXS_EMPTY`, `TXS_LOCKED`, `TXS_SIGNERS` if there is nothing that the wallet can import now, `TXS_DUST` if
 * it is worth less than the fee; `TXS_FUNDS` if only other assets are imported and the wallet cannot pay the fee
 */
export function importFrom(
  wallet: PlatformWallet,
  sourceChain: Uint8Array,
  exported: readonly Coins.AnyUtxo[],
  to: Secp256k1.OutputOwners,
): GatheringDraft {
  const importing =
    (importedInputs: readonly Wallet.PlainIn[]): Declaration['tx'] =>
    ({ base }) => ({ type: 'ImportTx', ...base, sourceChain, importedInputs })
  const { chosen, left } = gather(wallet, importing([]), () => {
    Given.assertOwners(to, 'to')
    return { purpose: 'import', coins: Coins.of(exported), isIncluded: () => true, to }
  })
  const { inputs, avax, others } = Wallet.imported(wallet, chosen)
  const draft = build(wallet, () => ({
    outputs: others.map((share) => Wallet.out({ ...share, owners: to })),
    imported: { avax, utxos: exported, to },
    tx: importing(inputs),
  }))
  return { ...draft, left }
}

/**
 * Merges UTXOs of an asset into one: the least valuable first, without those that are worth less than the fee for
 * spending them, and as many as fit into one transaction. Takes the most valuable first if the others do not pay the fee.
 * `left` has the others, and UTXOs with several owners if neither `to` nor the wallet's `changeOwners` say who receives them.
 * @example
 * ```ts
 * import { PlatformBuilder } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * const draft = PlatformBuilder.consolidate(wallet)
 * const isDone = !draft.left.some(({ reason }) => reason === 'limit')
 * ```
 * @throws TxsError `TXS_EMPTY` if there are fewer than two UTXOs, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot spend them
 * now, `TXS_DUST` if they are worth less than the fee; `TXS_FUNDS` if the wallet cannot pay the fee for another asset
 */
export function consolidate(wallet: PlatformWallet, options: Consolidation = {}): GatheringDraft {
  const transfer: Declaration['tx'] = ({ base }) => ({ type: 'BaseTx', ...base })
  const { chosen, left } = gather(wallet, transfer, () => consolidation(wallet, options))
  const required = { coins: chosen, to: options.to ?? Wallet.changeOwners(wallet) }
  return { ...build(wallet, () => ({ required, tx: transfer })), left }
}

function gather(
  wallet: PlatformWallet,
  tx: Declaration['tx'],
  request: () => GatherOptions,
): Selection.Gathered {
  return Given.checked(() => {
    assertWallet(wallet)
    const meter = meterOf(wallet, assembler(wallet, { tx })({ inputs: [], change: [], stake: [] }))
    return Selection.gather(gathering(wallet, meter, request()))
  })
}

/**
 * Exports amounts to another chain.
 * @example
 * ```ts
 * import { PlatformBuilder, Wallet } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const address: Uint8Array // 20 bytes
 * declare const xChainId: Uint8Array
 * const owners = Wallet.soleOwner(address)
 * const payment = { assetID: wallet.avaxAssetId, amount: 1_000_000_000n, owners }
 * const draft = PlatformBuilder.exportTo(wallet, xChainId, [payment])
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay, with the amounts in
 * `details`; `TXS_LOCKTIME`, and the errors of `Owners.assertOutput` for a payment
 */
export function exportTo(
  wallet: PlatformWallet,
  destinationChain: Uint8Array,
  payments: readonly Wallet.Payment[],
): PlatformDraft {
  return build(wallet, () => {
    const exportedOutputs = Wallet.sortOuts(Wallet.plainOuts(payments))
    return {
      exported: () => payments,
      tx: ({ base }) => ({ type: 'ExportTx', ...base, destinationChain, exportedOutputs }),
    }
  })
}
