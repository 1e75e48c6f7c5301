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
 * Returns the fees at the current gas state of a network. The gas price is multiplied by `bid`, so that the
 * price may rise until the transaction is accepted.
 */
export function dynamicFees(config: Gas.Config, { excess }: Pick<Gas.State, 'excess'>, bid = 2n): Fees {
  return { weights: config.weights, gasPrice: bid * Gas.price({ ...config, excess }) }
}

/** Transfers amounts to other owners. */
export function transfer(wallet: PlatformWallet, payments: readonly Wallet.Payment[]): PlatformDraft {
  return build(wallet, {
    outputs: Wallet.outs(payments),
    tx: ({ base }) => ({ type: 'BaseTx', ...base }),
  })
}

/**
 * Imports everything that another chain has exported to the wallet. The owners `to` receive the imported
 * amounts.
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

/** Exports amounts to another chain. */
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

/** Creates a subnet. */
export function createSubnet(wallet: PlatformWallet, owner: Secp256k1.OutputOwners): PlatformDraft {
  return build(wallet, { tx: ({ base }) => ({ type: 'CreateSubnetTx', ...base, owner: asOwner(owner) }) })
}

/** Creates a blockchain on a subnet. */
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

/** Adds a validator to a permissioned subnet. */
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

/** Removes a validator from a permissioned subnet. */
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

/** Transfers a subnet to a new owner. */
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
