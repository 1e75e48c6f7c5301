import { Id, NodeId } from '@firn/codec'
import { GenesisData, Networks } from '@firn/genesis'
import type { Secp256k1, Signer, UnsignedTx } from '@firn/txs'
import type { Body } from '../../front/Endpoint.ts'
import { blsCredentials } from '../shapes/L1Validator.ts'
import { address, subnetOwnershipInfo } from '../shapes/Owner.ts'
import { percent } from '../shapes/Percent.ts'
import { managerAddress } from '../shapes/Subnet.ts'

type Members = { readonly [member: string]: Body | undefined }

/** The members that a transaction's own fields give its shape. */
export function describe(tx: UnsignedTx.UnsignedTx, txId: Uint8Array, hrp: string): Members {
  const primary = Id.format(Networks.PRIMARY_NETWORK_ID)
  const rewarded = (owner: Secp256k1.OutputOwners) => owner.addresses.map((one) => address(one, hrp))
  switch (tx.type) {
    case 'AddValidatorTx':
      return {
        nodeId: NodeId.format(tx.validator.nodeID),
        subnetId: primary,
        rewardAddresses: rewarded(tx.rewardsOwner),
        delegationFeePercent: percent(tx.shares),
      }
    case 'AddDelegatorTx':
      return {
        nodeId: NodeId.format(tx.validator.nodeID),
        subnetId: primary,
        rewardAddresses: rewarded(tx.rewardsOwner),
      }
    case 'AddPermissionlessValidatorTx':
      return {
        nodeId: NodeId.format(tx.validator.nodeID),
        subnetId: Id.format(tx.subnetID),
        rewardAddresses: rewarded(tx.validationRewardsOwner),
        delegationFeePercent: percent(tx.shares),
        blsCredentials: credentials(tx.signer),
      }
    case 'AddPermissionlessDelegatorTx':
      return {
        nodeId: NodeId.format(tx.validator.nodeID),
        subnetId: Id.format(tx.subnetID),
        rewardAddresses: rewarded(tx.rewardsOwner),
      }
    case 'AddAutoRenewedValidatorTx':
      return {
        nodeId: NodeId.format(tx.nodeID),
        subnetId: primary,
        rewardAddresses: rewarded(tx.validationRewardsOwner),
        delegationFeePercent: percent(tx.delegationShares),
        blsCredentials: credentials(tx.signer),
      }
    case 'AddSubnetValidatorTx':
      return { nodeId: NodeId.format(tx.validator.nodeID), subnetId: Id.format(tx.validator.subnetID) }
    case 'RemoveSubnetValidatorTx':
      return { nodeId: NodeId.format(tx.nodeID), subnetId: Id.format(tx.subnetID) }
    case 'CreateSubnetTx':
      return { subnetId: Id.format(txId), subnetOwnershipInfo: subnetOwnershipInfo(tx.owner, hrp) }
    case 'TransferSubnetOwnershipTx':
      return {
        subnetId: Id.format(tx.subnetID),
        subnetOwnershipInfo: subnetOwnershipInfo(tx.newOwner, hrp),
      }
    case 'CreateChainTx':
      return { subnetId: Id.format(tx.subnetID), blockchainInfo: blockchainInfo(tx) }
    case 'ConvertSubnetToL1Tx':
      return {
        subnetId: Id.format(tx.subnetID),
        l1ValidatorManagerDetails: {
          blockchainId: Id.format(tx.chainID),
          contractAddress: managerAddress(tx.address),
        },
      }
    case 'TransformSubnetTx':
      return { subnetId: Id.format(tx.subnetID) }
    case 'RewardValidatorTx':
    case 'RewardAutoRenewedValidatorTx':
    case 'SetAutoRenewedValidatorConfigTx':
      return { stakingTxHash: Id.format(tx.txID) }
    default:
      return {}
  }
}

function credentials(signer: Signer.Signer): Body | undefined {
  return signer.type === 'Empty' ? undefined : blsCredentials(signer)
}

function blockchainInfo(tx: UnsignedTx.Of<'CreateChainTx'>): Body {
  return {
    chainName: tx.chainName,
    vmId: Id.format(tx.vmID),
    genesisData: GenesisData.of(tx.genesisData),
  }
}
