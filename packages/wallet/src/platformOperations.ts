import { Id } from '@firn/codec'
import { L1Builder, PlatformBuilder, Signing, StakingBuilder, type UnsignedTx } from '@firn/txs'
import { L1Message, Payload, SignedMessage, ValidationId } from '@firn/warp'
import * as Inputs from './Inputs.ts'
import { type Context, operation, walletOf } from './Operation.ts'
import {
  type ConsolidateRequest,
  consolidationOf,
  type ExportRequest,
  exportOf,
  type ImportRequest,
  ownersOf,
  paymentsOf,
  type TransferRequest,
} from './payments.ts'
import type {
  AddAutoRenewedValidatorRequest,
  AddSubnetValidatorRequest,
  AddValidatorRequest,
  ConvertToL1Request,
  CreateChainRequest,
  CreateSubnetRequest,
  DelegateRequest,
  DisableRequest,
  IncreaseBalanceRequest,
  InitialValidator,
  RegisterL1ValidatorRequest,
  RemoveSubnetValidatorRequest,
  SetAutoRenewedConfigRequest,
  SetL1ValidatorWeightRequest,
  TransferSubnetOwnershipRequest,
} from './platformRequests.ts'
import { series } from './Series.ts'
import { assertStake } from './stakingLimits.ts'
import { WalletError } from './WalletError.ts'

/** The operations of the P-chain. */
export const PLATFORM_OPERATIONS = {
  /** Transfers AVAX or another asset. */
  transfer: operation(async (context, request: TransferRequest) =>
    PlatformBuilder.transfer(await platformWallet(context), paymentsOf(context, 'P', request)),
  ),
  /** Exports AVAX to another chain, where {@link ImportRequest} finishes the transfer. */
  exportTo: operation(async (context, request: ExportRequest<'X' | 'C'>) =>
    PlatformBuilder.exportTo(await platformWallet(context), ...exportOf(context, request)),
  ),
  /** Imports all that another chain exported to the wallet and that is worth its fee, in as many transactions as it needs. */
  importFrom: series(async (context, { chain, to }: ImportRequest<'X' | 'C'>) => {
    const { node, network, addresses, signal } = context
    const exported = await node.utxos('P', addresses, chain, signal)
    const source = network.blockchainIds[chain]
    return PlatformBuilder.importFrom(
      await platformWallet(context),
      source,
      exported,
      ownersOf(context, 'P', to),
    )
  }),
  /** Merges the UTXOs of an asset into one, in as many transactions as it needs. */
  consolidate: series(async (context, request: ConsolidateRequest = {}) =>
    PlatformBuilder.consolidate(await platformWallet(context), consolidationOf(context, 'P', request)),
  ),
  /** Creates a subnet. */
  createSubnet: operation(
    async (context, { owner }: CreateSubnetRequest) =>
      PlatformBuilder.createSubnet(await platformWallet(context), ownersOf(context, 'P', owner)),
    (draft) => ({ subnetId: idOf(draft) }),
  ),
  /** Transfers a subnet to a new owner. */
  transferSubnetOwnership: operation(async (context, request: TransferSubnetOwnershipRequest) =>
    PlatformBuilder.transferSubnetOwnership(await platformWallet(context), {
      ...(await subnetOf(context, request.subnetId)),
      newOwner: ownersOf(context, 'P', request.owner),
    }),
  ),
  /** Creates a blockchain on a subnet. */
  createChain: operation(
    async (context, request: CreateChainRequest) =>
      PlatformBuilder.createChain(await platformWallet(context), {
        ...(await subnetOf(context, request.subnetId)),
        chainName: request.name,
        vmID: Inputs.idOf(request.vmId, 'vmId'),
        genesisData: Inputs.bytesOf(request.genesis, 'genesis'),
        fxIDs: (request.fxIds ?? []).map((id) => Inputs.idOf(id, 'fxIds')),
      }),
    (draft) => ({ blockchainId: idOf(draft) }),
  ),
  /** Adds a validator to a permissioned subnet. */
  addSubnetValidator: operation(async (context, request: AddSubnetValidatorRequest) => {
    const { subnetID: subnetId, authority } = await subnetOf(context, request.subnetId)
    const { weight, end } = request
    const nodeId = Inputs.nodeIdOf(request.nodeId)
    return PlatformBuilder.addSubnetValidator(await platformWallet(context), {
      authority,
      validator: { nodeID: nodeId, start: context.time, end, weight, subnetID: subnetId },
    })
  }),
  /** Removes a validator from a permissioned subnet. */
  removeSubnetValidator: operation(async (context, { subnetId, nodeId }: RemoveSubnetValidatorRequest) =>
    PlatformBuilder.removeSubnetValidator(await platformWallet(context), {
      ...(await subnetOf(context, subnetId)),
      nodeID: Inputs.nodeIdOf(nodeId),
    }),
  ),
  /** Adds a validator to the Primary Network. */
  addValidator: operation(async (context, request: AddValidatorRequest) => {
    const { nodeId, stake: weight, end, delegationFee: shares } = request
    await assertStake(context, { role: 'validator', stake: weight, period: end - context.time })
    return StakingBuilder.addPermissionlessValidator(await platformWallet(context), {
      validator: { nodeID: Inputs.nodeIdOf(nodeId), start: context.time, end, weight },
      subnetID: context.network.blockchainIds.P,
      shares,
      ...rewardsOf(context, request),
    })
  }),
  /** Adds a validator to the Primary Network that stakes for consecutive periods. */
  addAutoRenewedValidator: operation(async (context, request: AddAutoRenewedValidatorRequest) => {
    const { stake, period } = request
    await assertStake(context, { role: 'validator', stake, period })
    return StakingBuilder.addAutoRenewedValidator(await platformWallet(context), {
      nodeID: Inputs.nodeIdOf(request.nodeId),
      weight: request.stake,
      period: request.period,
      delegationShares: request.delegationFee,
      autoCompoundRewardShares: request.compounded,
      ...rewardsOf(context, request),
      validatorAuthority: ownersOf(context, 'P', request.authority),
    })
  }),
  /** Changes the terms of an auto-renewed validator, from its next period. */
  setAutoRenewedConfig: operation(async (context, request: SetAutoRenewedConfigRequest) => {
    const txId = Inputs.idOf(request.txId, 'txId')
    const { period, compounded: autoCompoundRewardShares } = request
    const authority = await context.node.renewalAuthority(txId, context.signal)
    const fields = { txID: txId, period, autoCompoundRewardShares, authority }
    return StakingBuilder.setAutoRenewedValidatorConfig(await platformWallet(context), fields)
  }),
  /** Delegates AVAX to a validator of the Primary Network. */
  delegate: operation(async (context, request: DelegateRequest) => {
    const { nodeId, stake: weight, end } = request
    await assertStake(context, { role: 'delegator', stake: weight, period: end - context.time })
    return StakingBuilder.addPermissionlessDelegator(await platformWallet(context), {
      validator: { nodeID: Inputs.nodeIdOf(nodeId), start: context.time, end, weight },
      subnetID: context.network.blockchainIds.P,
      rewardsOwner: ownersOf(context, 'P', request.rewardsTo),
    })
  }),
  /** Converts a subnet into an L1, whose validators a contract manages. */
  convertToL1: operation(
    async (context, request: ConvertToL1Request) =>
      L1Builder.convertSubnetToL1(await platformWallet(context), {
        ...(await subnetOf(context, request.subnetId)),
        chainID: Inputs.idOf(request.chainId, 'chainId'),
        address: Inputs.bytesOf(request.managerAddress, 'managerAddress'),
        validators: request.validators.map((one) => initial(context, one)),
      }),
    ({ unsignedTx }) => ({ validationIds: initialIds(unsignedTx as UnsignedTx.Of<'ConvertSubnetToL1Tx'>) }),
  ),
  /** Registers the L1 validator that a signed Warp message names. */
  registerL1Validator: operation(
    async (context, request: RegisterL1ValidatorRequest) =>
      L1Builder.registerL1Validator(await platformWallet(context), {
        balance: request.balance,
        message: Inputs.messageOf(request.message),
        proofOfPossession: Inputs.bytesOf(request.proofOfPossession, 'proofOfPossession'),
      }),
    ({ unsignedTx }) => ({
      validationId: Id.format(registeredId((unsignedTx as UnsignedTx.Of<'RegisterL1ValidatorTx'>).message)),
    }),
  ),
  /** Sets the weight of the L1 validator that a signed Warp message names; 0 removes it. */
  setL1ValidatorWeight: operation(async (context, { message }: SetL1ValidatorWeightRequest) =>
    L1Builder.setL1ValidatorWeight(await platformWallet(context), Inputs.messageOf(message)),
  ),
  /** Adds to the balance of an L1 validator. */
  increaseBalance: operation(async (context, { validationId, balance }: IncreaseBalanceRequest) =>
    L1Builder.increaseL1ValidatorBalance(await platformWallet(context), {
      validationID: Inputs.idOf(validationId, 'validationId'),
      balance,
    }),
  ),
  /** Deactivates an L1 validator and returns its remaining balance. */
  disable: operation(async (context, request: DisableRequest) => {
    const validationId = Inputs.idOf(request.validationId, 'validationId')
    const { deactivationOwner: authority, balance } = await context.node.l1Validator(
      validationId,
      context.signal,
    )
    if (balance === 0n)
      throw new WalletError(
        'WALLET_INPUT',
        `the L1 validator ${Id.format(validationId)} is inactive already; deactivating it again would only cost a fee`,
      )
    return L1Builder.disableL1Validator(await platformWallet(context), {
      validationID: validationId,
      authority,
    })
  }),
}

/** Reads what building a P-chain transaction needs. */
async function platformWallet(context: Context): Promise<PlatformBuilder.PlatformWallet> {
  const { node, addresses, signal } = context
  const [fees, utxos] = await Promise.all([
    node.platformFees(signal),
    node.utxos('P', addresses, undefined, signal),
  ])
  return { ...walletOf(context), fees, utxos }
}

async function subnetOf({ node, signal }: Context, request: Inputs.IdInput) {
  const subnetId = Inputs.idOf(request, 'subnetId')
  return { subnetID: subnetId, authority: await node.subnetOwner(subnetId, signal) }
}

function rewardsOf(context: Context, request: Omit<AddValidatorRequest, 'end'>) {
  const { rewardsTo, delegationRewardsTo = rewardsTo } = request
  return {
    signer: { type: 'ProofOfPossession' as const, ...Inputs.signerOf(request.signer) },
    validationRewardsOwner: ownersOf(context, 'P', rewardsTo),
    delegationRewardsOwner: ownersOf(context, 'P', delegationRewardsTo),
  }
}

function initial(context: Context, request: InitialValidator) {
  const { nodeId, weight, balance, signer, remainingBalanceTo, deactivatedBy } = request
  return {
    nodeID: Inputs.nodeIdOf(nodeId),
    weight,
    balance,
    signer: Inputs.signerOf(signer),
    remainingBalanceOwner: ownersOf(context, 'P', remainingBalanceTo),
    deactivationOwner: ownersOf(context, 'P', deactivatedBy),
  }
}

/** Returns the validation ids of an L1's first validators, in the order of the transaction. */
function initialIds({
  subnetID: subnetId,
  validators,
}: UnsignedTx.Of<'ConvertSubnetToL1Tx'>): readonly string[] {
  return validators.map((_, index) => Id.format(ValidationId.initial(subnetId, index)))
}

function registeredId(message: Uint8Array): Uint8Array {
  const { unsigned } = SignedMessage.decode(message)
  const { payload } = Payload.decodeAs(unsigned.payload, 'AddressedCall')
  return ValidationId.registered(L1Message.decodeAs(payload, 'RegisterL1Validator'))
}

/** A subnet or a blockchain has the id of the transaction that created it. */
const idOf = (draft: Signing.Draft): string => Id.format(Signing.id(draft))
