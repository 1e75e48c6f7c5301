import { Id, NodeId } from '@firn/codec'
import { GenesisData, Networks } from '@firn/genesis'
import type { Secp256k1, Signer, UnsignedTx } from '@firn/txs'
import { L1Message, Payload, SignedMessage, ValidationId } from '@firn/warp'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import { blsCredentials } from '../shapes/L1Validator.ts'
import { address, subnetOwnershipInfo } from '../shapes/Owner.ts'
import { percent } from '../shapes/Percent.ts'
import { managerAddress } from '../shapes/Subnet.ts'

type Members = { readonly [member: string]: Body | undefined }

/** An L1 validator that a transaction affects. */
interface L1Subject {
  readonly validationId: Uint8Array
  /** Amount that the transaction adds to the validator's balance, in nAVAX. */
  readonly payment?: bigint
  readonly proofOfPossession?: Uint8Array
}

/** Description of a transaction type. */
interface Description<T extends UnsignedTx.TxType> {
  /** Returns the members of the answer that come from the transaction's fields. */
  readonly members: (tx: UnsignedTx.Of<T>, hrp: string, txId: Uint8Array) => Members
  /**
   * Returns the L1 validators that a transaction affects, in the order in which the transaction lists them.
   */
  readonly l1Validators?: (tx: UnsignedTx.Of<T>) => readonly L1Subject[]
}

const descriptionOf = ({ type }: UnsignedTx.UnsignedTx) =>
  DESCRIPTIONS[type] as Description<UnsignedTx.TxType>

/** Returns the members of the answer that come from the transaction's fields. */
export function describe(tx: UnsignedTx.UnsignedTx, txId: Uint8Array, hrp: string): Members {
  return descriptionOf(tx).members(tx, hrp, txId)
}

/** Returns the L1 validators that a transaction affects, in the order in which the transaction lists them. */
export function l1Validators(tx: UnsignedTx.UnsignedTx): readonly L1Subject[] {
  return descriptionOf(tx).l1Validators?.(tx) ?? []
}

const PRIMARY = Id.format(Networks.PRIMARY_NETWORK_ID)

const nothing = () => ({})

function staker(nodeId: Uint8Array, subnetId: string, owner: Secp256k1.OutputOwners, hrp: string) {
  const rewardAddresses = owner.addresses.map((one) => address(one, hrp))
  return { nodeId: NodeId.format(nodeId), subnetId, rewardAddresses }
}

const stakingTx = (txId: Uint8Array) => ({ stakingTxHash: Id.format(txId) })

const DESCRIPTIONS: { readonly [T in UnsignedTx.TxType]: Description<T> } = {
  AddValidatorTx: {
    members: (tx, hrp) => ({
      ...staker(tx.validator.nodeID, PRIMARY, tx.rewardsOwner, hrp),
      delegationFeePercent: percent(tx.shares),
    }),
  },
  AddSubnetValidatorTx: {
    members: ({ validator }) => ({
      nodeId: NodeId.format(validator.nodeID),
      subnetId: Id.format(validator.subnetID),
    }),
  },
  AddDelegatorTx: { members: (tx, hrp) => staker(tx.validator.nodeID, PRIMARY, tx.rewardsOwner, hrp) },
  CreateChainTx: {
    members: (tx) => ({ subnetId: Id.format(tx.subnetID), blockchainInfo: blockchainInfo(tx) }),
  },
  CreateSubnetTx: {
    members: (tx, hrp, txId) => ({
      subnetId: Id.format(txId),
      subnetOwnershipInfo: subnetOwnershipInfo(tx.owner, hrp),
    }),
  },
  ImportTx: { members: nothing },
  ExportTx: { members: nothing },
  AdvanceTimeTx: { members: nothing },
  RewardValidatorTx: { members: (tx) => stakingTx(tx.txID) },
  RemoveSubnetValidatorTx: {
    members: (tx) => ({ nodeId: NodeId.format(tx.nodeID), subnetId: Id.format(tx.subnetID) }),
  },
  TransformSubnetTx: { members: (tx) => ({ subnetId: Id.format(tx.subnetID) }) },
  AddPermissionlessValidatorTx: {
    members: (tx, hrp) => ({
      ...staker(tx.validator.nodeID, Id.format(tx.subnetID), tx.validationRewardsOwner, hrp),
      delegationFeePercent: percent(tx.shares),
      blsCredentials: credentials(tx.signer),
    }),
  },
  AddPermissionlessDelegatorTx: {
    members: (tx, hrp) => staker(tx.validator.nodeID, Id.format(tx.subnetID), tx.rewardsOwner, hrp),
  },
  TransferSubnetOwnershipTx: {
    members: (tx, hrp) => ({
      subnetId: Id.format(tx.subnetID),
      subnetOwnershipInfo: subnetOwnershipInfo(tx.newOwner, hrp),
    }),
  },
  BaseTx: { members: nothing },
  ConvertSubnetToL1Tx: {
    members: (tx) => ({
      subnetId: Id.format(tx.subnetID),
      l1ValidatorManagerDetails: {
        blockchainId: Id.format(tx.chainID),
        contractAddress: managerAddress(tx.address),
      },
    }),
    l1Validators: ({ subnetID: subnetId, validators }) =>
      validators.map(({ balance: payment, signer: { proofOfPossession } }, index) => ({
        validationId: ValidationId.initial(subnetId, index),
        payment,
        proofOfPossession,
      })),
  },
  RegisterL1ValidatorTx: {
    members: nothing,
    l1Validators: ({ message, balance: payment, proofOfPossession }) => [
      { validationId: validationOf(message), payment, proofOfPossession },
    ],
  },
  SetL1ValidatorWeightTx: {
    members: nothing,
    l1Validators: ({ message }) => [{ validationId: validationOf(message) }],
  },
  IncreaseL1ValidatorBalanceTx: {
    members: nothing,
    l1Validators: ({ validationID: validationId, balance: payment }) => [{ validationId, payment }],
  },
  DisableL1ValidatorTx: {
    members: nothing,
    l1Validators: ({ validationID: validationId }) => [{ validationId }],
  },
  AddAutoRenewedValidatorTx: {
    members: (tx, hrp) => ({
      ...staker(tx.nodeID, PRIMARY, tx.validationRewardsOwner, hrp),
      delegationFeePercent: percent(tx.delegationShares),
      blsCredentials: credentials(tx.signer),
    }),
  },
  SetAutoRenewedValidatorConfigTx: { members: (tx) => stakingTx(tx.txID) },
  RewardAutoRenewedValidatorTx: { members: (tx) => stakingTx(tx.txID) },
}

function credentials(signer: Signer.Signer): Body | undefined {
  return signer.type === 'Empty' ? undefined : blsCredentials(signer)
}

/** Returns the id of the L1 validator that a signed Warp message registers or whose weight it changes. */
function validationOf(message: Uint8Array): Uint8Array {
  const payload = Payload.decode(SignedMessage.decode(message).unsigned.payload)
  if (payload.type !== 'AddressedCall') return Id.EMPTY
  const call = L1Message.decode(payload.payload)
  if (call.type === 'L1ValidatorWeight') return call.validationID
  return ValidationId.registered(payload.payload)
}

function blockchainInfo(tx: UnsignedTx.Of<'CreateChainTx'>): Body {
  return {
    chainName: tx.chainName,
    vmId: Id.format(tx.vmID),
    genesisData: GenesisData.of(tx.genesisData),
  }
}
