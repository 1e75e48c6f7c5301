import { Bytes } from '@firn/codec'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import * as Given from './Given.ts'
import {
  type Authorized,
  asOwner,
  build,
  type Fields,
  type PlatformDraft,
  type PlatformWallet,
} from './PlatformDraft.ts'

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
  return build(wallet, () => ({
    tx: ({ base }) => ({ type: 'CreateSubnetTx', ...base, owner: asOwner(owner) }),
  }))
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
  request: Fields<'CreateChainTx'> & Authorized,
): PlatformDraft {
  return build(wallet, () => {
    const { authority, fxIDs: fxIds, ...fields } = request
    const sorted = fxIds.toSorted(Bytes.compare)
    return {
      authority,
      tx: ({ base, authorization: subnetAuthorization }) => ({
        type: 'CreateChainTx',
        ...base,
        ...fields,
        fxIDs: sorted,
        subnetAuthorization,
      }),
    }
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
  request: Fields<'AddSubnetValidatorTx'> & Authorized,
): PlatformDraft {
  return build(wallet, () => {
    const { authority, validator } = request
    Given.assertEnd(validator.end, wallet.time, 'validator.end')
    return {
      authority,
      tx: ({ base, authorization: subnetAuthorization }) => ({
        type: 'AddSubnetValidatorTx',
        ...base,
        validator,
        subnetAuthorization,
      }),
    }
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
  request: Fields<'RemoveSubnetValidatorTx'> & Authorized,
): PlatformDraft {
  return build(wallet, () => {
    const { authority, ...fields } = request
    return {
      authority,
      tx: ({ base, authorization: subnetAuthorization }) => ({
        type: 'RemoveSubnetValidatorTx',
        ...base,
        ...fields,
        subnetAuthorization,
      }),
    }
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
  request: Fields<'TransformSubnetTx'> & Authorized,
): PlatformDraft {
  return build(wallet, () => {
    const { authority, ...fields } = request
    return {
      authority,
      exported: () => [{ assetID: fields.assetID, amount: fields.maximumSupply - fields.initialSupply }],
      tx: ({ base, authorization: subnetAuthorization }) => ({
        type: 'TransformSubnetTx',
        ...base,
        ...fields,
        subnetAuthorization,
      }),
    }
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
  request: Fields<'TransferSubnetOwnershipTx', 'newOwner'> &
    Authorized & { readonly newOwner: Secp256k1.OutputOwners },
): PlatformDraft {
  return build(wallet, () => {
    const { authority, subnetID: subnetId, newOwner } = request
    return {
      authority,
      tx: ({ base, authorization: subnetAuthorization }) => ({
        type: 'TransferSubnetOwnershipTx',
        ...base,
        subnetID: subnetId,
        subnetAuthorization,
        newOwner: asOwner(newOwner),
      }),
    }
  })
}
