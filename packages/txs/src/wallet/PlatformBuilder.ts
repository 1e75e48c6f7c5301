import { Bytes } from '@firn/codec'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import * as Gas from '../platform/Gas.ts'
import type * as Coins from './Coins.ts'
import {
  type Authorized,
  asOwner,
  build,
  type Fees,
  type Given,
  type PlatformDraft,
  type PlatformWallet,
} from './PlatformDraft.ts'
import * as Wallet from './Wallet.ts'

export type { Fees, PlatformDraft, PlatformWallet } from './PlatformDraft.ts'

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
  config: Pick<Gas.Config, 'weights' | 'minPrice' | 'excessConversionConstant'>,
  { excess }: Pick<Gas.State, 'excess'>,
  bid = 2n,
): Fees {
  return { weights: config.weights, gasPrice: bid * Gas.price({ ...config, excess }) }
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
 * `details`; the errors of `Owners.assertOutput` for a payment
 */
export function transfer(wallet: PlatformWallet, payments: readonly Wallet.Payment[]): PlatformDraft {
  return build(wallet, {
    outputs: Wallet.outs(payments),
    tx: ({ base }) => ({ type: 'BaseTx', ...base }),
  })
}

/**
 * Imports everything that another chain has exported to the wallet. The owners `to` receive the imported
 * amounts.
 * @example
 * ```ts
 * import { PlatformBuilder, type PlatformUtxo, Wallet } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const address: Uint8Array // 20 bytes
 * declare const cChainId: Uint8Array
 * declare const exported: readonly PlatformUtxo.PlatformUtxo[] // of platform.getUTXOs with sourceChain
 * const draft = PlatformBuilder.importFrom(wallet, cChainId, exported, Wallet.soleOwner(address))
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet can import nothing or cannot pay
 * the fee
 */
export function importFrom(
  wallet: PlatformWallet,
  sourceChain: Uint8Array,
  exported: readonly Coins.AnyUtxo[],
  to: Secp256k1.OutputOwners,
): PlatformDraft {
  const { inputs, avax, others } = Wallet.gather(wallet, exported)
  return build(wallet, {
    outputs: others.map((share) => Wallet.out({ ...share, owners: to })),
    imported: { avax, utxos: exported, to },
    tx: ({ base }) => ({ type: 'ImportTx', ...base, sourceChain, importedInputs: inputs }),
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
  const exportedOutputs = Wallet.sortOuts(Wallet.plainOuts(payments))
  return build(wallet, {
    exported: payments,
    tx: ({ base }) => ({ type: 'ExportTx', ...base, destinationChain, exportedOutputs }),
  })
}

/**
 * Creates a subnet.
 * @example
 * ```ts
 * import { PlatformBuilder, Wallet } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const address: Uint8Array // 20 bytes
 * const draft = PlatformBuilder.createSubnet(wallet, Wallet.soleOwner(address))
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay, with the amounts in
 * `details`
 */
export function createSubnet(wallet: PlatformWallet, owner: Secp256k1.OutputOwners): PlatformDraft {
  return build(wallet, { tx: ({ base }) => ({ type: 'CreateSubnetTx', ...base, owner: asOwner(owner) }) })
}

/**
 * Creates a blockchain on a subnet.
 * @example
 * ```ts
 * import { PlatformBuilder, type Secp256k1 } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const subnetID: Uint8Array
 * declare const authority: Secp256k1.OutputOwners // the subnet's owner
 * declare const vmID: Uint8Array, genesisData: Uint8Array
 * const fields = { subnetID, chainName: 'My L1', vmID, fxIDs: [], genesisData }
 * const draft = PlatformBuilder.createChain(wallet, { authority, ...fields })
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay or sign for `authority`
 */
export function createChain(
  wallet: PlatformWallet,
  { authority, fxIDs: fxIds, ...fields }: Given<'CreateChainTx'> & Authorized,
): PlatformDraft {
  const sorted = fxIds.toSorted(Bytes.compare)
  return build(wallet, {
    authority,
    tx: ({ base, authorization: subnetAuthorization }) => ({
      type: 'CreateChainTx',
      ...base,
      ...fields,
      fxIDs: sorted,
      subnetAuthorization,
    }),
  })
}

/**
 * Adds a validator to a permissioned subnet.
 * @example
 * ```ts
 * import { NodeId } from '@firn/codec'
 * import { PlatformBuilder, type Secp256k1 } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const subnetID: Uint8Array
 * declare const authority: Secp256k1.OutputOwners // the subnet's owner
 * const nodeID = NodeId.parse('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')
 * const validator = { nodeID, start: 0n, end: 1_800_000_000n, weight: 20n, subnetID }
 * const draft = PlatformBuilder.addSubnetValidator(wallet, { authority, validator })
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay or sign for `authority`
 */
export function addSubnetValidator(
  wallet: PlatformWallet,
  { authority, validator }: Given<'AddSubnetValidatorTx'> & Authorized,
): PlatformDraft {
  return build(wallet, {
    authority,
    tx: ({ base, authorization: subnetAuthorization }) => ({
      type: 'AddSubnetValidatorTx',
      ...base,
      validator,
      subnetAuthorization,
    }),
  })
}

/**
 * Removes a validator from a permissioned subnet.
 * @example
 * ```ts
 * import { NodeId } from '@firn/codec'
 * import { PlatformBuilder, type Secp256k1 } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const subnetID: Uint8Array
 * declare const authority: Secp256k1.OutputOwners // the subnet's owner
 * const nodeID = NodeId.parse('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')
 * const draft = PlatformBuilder.removeSubnetValidator(wallet, { authority, subnetID, nodeID })
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay or sign for `authority`
 */
export function removeSubnetValidator(
  wallet: PlatformWallet,
  { authority, ...fields }: Given<'RemoveSubnetValidatorTx'> & Authorized,
): PlatformDraft {
  return build(wallet, {
    authority,
    tx: ({ base, authorization: subnetAuthorization }) => ({
      type: 'RemoveSubnetValidatorTx',
      ...base,
      ...fields,
      subnetAuthorization,
    }),
  })
}

/**
 * Makes a subnet permissionless, with `maximumSupply - initialSupply` of its asset for rewards. The node
 * refuses this since Etna.
 * @example
 * ```ts
 * import { PlatformBuilder, type Secp256k1 } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const subnetID: Uint8Array
 * declare const authority: Secp256k1.OutputOwners // the subnet's owner
 * declare const assetID: Uint8Array
 * const draft = PlatformBuilder.transformSubnet(wallet, {
 *   ...{ authority, subnetID, assetID },
 *   ...{ initialSupply: 1_000_000n, maximumSupply: 2_000_000n },
 *   ...{ minConsumptionRate: 100_000n, maxConsumptionRate: 120_000n },
 *   ...{ minValidatorStake: 100n, maxValidatorStake: 10_000n, minDelegatorStake: 1n },
 *   ...{ minStakeDuration: 86_400, maxStakeDuration: 31_536_000, minDelegationFee: 20_000 },
 *   ...{ maxValidatorWeightFactor: 5, uptimeRequirement: 800_000 },
 * })
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay or sign for `authority`
 */
export function transformSubnet(
  wallet: PlatformWallet,
  { authority, ...fields }: Given<'TransformSubnetTx'> & Authorized,
): PlatformDraft {
  return build(wallet, {
    authority,
    exported: [{ assetID: fields.assetID, amount: fields.maximumSupply - fields.initialSupply }],
    tx: ({ base, authorization: subnetAuthorization }) => ({
      type: 'TransformSubnetTx',
      ...base,
      ...fields,
      subnetAuthorization,
    }),
  })
}

/**
 * Transfers a subnet to a new owner.
 * @example
 * ```ts
 * import { PlatformBuilder, type Secp256k1, Wallet } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const subnetID: Uint8Array
 * declare const authority: Secp256k1.OutputOwners // the subnet's owner
 * declare const address: Uint8Array // 20 bytes
 * const newOwner = Wallet.soleOwner(address)
 * const draft = PlatformBuilder.transferSubnetOwnership(wallet, { authority, subnetID, newOwner })
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay or sign for `authority`
 */
export function transferSubnetOwnership(
  wallet: PlatformWallet,
  {
    authority,
    subnetID: subnetId,
    newOwner,
  }: Given<'TransferSubnetOwnershipTx', 'newOwner'> &
    Authorized & { readonly newOwner: Secp256k1.OutputOwners },
): PlatformDraft {
  return build(wallet, {
    authority,
    tx: ({ base, authorization: subnetAuthorization }) => ({
      type: 'TransferSubnetOwnershipTx',
      ...base,
      subnetID: subnetId,
      subnetAuthorization,
      newOwner: asOwner(newOwner),
    }),
  })
}
