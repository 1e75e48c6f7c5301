import { type ChainAlias, Hex, Id, isFirnError, NodeId } from '@firn/codec'
import type { AtomicTx, AvmTx, Flow, Signer, Signers, UnsignedTx } from '@firn/txs'
import { formatAvax } from '@firn/wallet'
import { L1Message, Payload, SignedMessage } from '@firn/warp'

/** Owners with or without a lock time. */
export interface Owned {
  readonly threshold: number
  readonly addresses: readonly Uint8Array[]
  readonly locktime?: bigint
}

/** How values are written in sentences. */
export interface Formats {
  readonly address: (payload: Uint8Array) => string
  readonly amount: (share: Flow.Share) => string
  readonly owners: (owners: Owned) => string
  /** Formats a time in Unix seconds. */
  readonly time: (seconds: bigint) => string
}

type Actions<Txs extends { readonly type: string }> = {
  readonly [T in Txs['type']]: (tx: Extract<Txs, { readonly type: T }>, formats: Formats) => readonly string[]
}

const percent = (millionths: number): string => `${millionths / 10_000} %`

const node = (bytes: Uint8Array): string => (bytes.length === 20 ? NodeId.format(bytes) : Hex.encode(bytes))

const signer = (given: Signer.Signer): string =>
  given.type === 'Empty' ? 'no BLS key' : `the BLS key ${Hex.encode(given.publicKey)}`

const period = (
  { start, end }: { readonly start: bigint; readonly end: bigint },
  { time }: Formats,
): string => `from ${time(start)} to ${time(end)}`

const name = (text: string): string => JSON.stringify(text)

/** Says what a signed Warp message for the P-chain asks for. */
const messageText = (message: Uint8Array): string => {
  try {
    const { unsigned } = SignedMessage.decode(message)
    const { payload, sourceAddress } = Payload.decodeAs(unsigned.payload, 'AddressedCall')
    const asked = L1Message.decode(payload)
    const from = `${Hex.encode(sourceAddress)} on the blockchain ${Id.format(unsigned.sourceChainID)}`
    if (asked.type === 'RegisterL1Validator')
      return `${node(asked.nodeID)} with weight ${asked.weight} for the subnet ${Id.format(asked.subnetID)}, as ${from} asks`
    if (asked.type === 'L1ValidatorWeight')
      return `validation ${Id.format(asked.validationID)} to weight ${asked.weight}, as ${from} asks`
    return `${asked.type} of ${from}`
  } catch (error) {
    if (!isFirnError(error)) throw error
    return 'an unreadable message'
  }
}

const PLATFORM: Actions<UnsignedTx.UnsignedTx> = {
  BaseTx: () => [],
  ImportTx: ({ sourceChain }) => [`imports from the blockchain ${Id.format(sourceChain)}`],
  ExportTx: () => [],
  AddValidatorTx: ({ validator, shares, rewardsOwner }, formats) => [
    `adds the validator ${node(validator.nodeID)} ${period(validator, formats)}`,
    `takes ${percent(shares)} of the rewards of delegators`,
    `pays rewards to ${formats.owners(rewardsOwner)}`,
  ],
  AddSubnetValidatorTx: ({ validator }, formats) => [
    `adds the validator ${node(validator.nodeID)} with weight ${validator.weight} to the subnet ${Id.format(validator.subnetID)} ${period(validator, formats)}`,
  ],
  AddDelegatorTx: ({ validator, rewardsOwner }, formats) => [
    `delegates to ${node(validator.nodeID)} ${period(validator, formats)}`,
    `pays rewards to ${formats.owners(rewardsOwner)}`,
  ],
  CreateChainTx: ({ chainName, subnetID: subnetId, vmID: vmId, genesisData }) => [
    `creates the blockchain ${name(chainName)} on the subnet ${Id.format(subnetId)}, with the virtual machine ${Id.format(vmId)} and a genesis of ${genesisData.length} bytes`,
  ],
  CreateSubnetTx: ({ owner }, { owners }) => [`creates a subnet of ${owners(owner)}`],
  AdvanceTimeTx: ({ time }, formats) => [`proposes the time ${formats.time(time)}`],
  RewardValidatorTx: ({ txID: txId }) => [`proposes to reward the staker of ${Id.format(txId)}`],
  RemoveSubnetValidatorTx: ({ nodeID: nodeId, subnetID: subnetId }) => [
    `removes the validator ${node(nodeId)} from the subnet ${Id.format(subnetId)}`,
  ],
  TransformSubnetTx: ({ subnetID: subnetId, assetID: assetId }) => [
    `makes the subnet ${Id.format(subnetId)} permissionless, with the asset ${Id.format(assetId)}`,
  ],
  AddPermissionlessValidatorTx: (tx, formats) => [
    `adds the validator ${node(tx.validator.nodeID)} to the subnet ${Id.format(tx.subnetID)} ${period(tx.validator, formats)}, with ${signer(tx.signer)}`,
    `takes ${percent(tx.shares)} of the rewards of delegators`,
    `pays rewards to ${formats.owners(tx.validationRewardsOwner)}, and the fees of delegators to ${formats.owners(tx.delegationRewardsOwner)}`,
  ],
  AddPermissionlessDelegatorTx: ({ validator, subnetID: subnetId, rewardsOwner }, formats) => [
    `delegates to ${node(validator.nodeID)} on the subnet ${Id.format(subnetId)} ${period(validator, formats)}`,
    `pays rewards to ${formats.owners(rewardsOwner)}`,
  ],
  TransferSubnetOwnershipTx: ({ subnetID: subnetId, newOwner }, { owners }) => [
    `transfers the subnet ${Id.format(subnetId)} to ${owners(newOwner)}`,
  ],
  ConvertSubnetToL1Tx: ({ subnetID: subnetId, chainID: chainId, address, validators }, { owners }) => [
    `converts the subnet ${Id.format(subnetId)} into an L1 that the contract ${Hex.encode(address)} on the blockchain ${Id.format(chainId)} manages`,
    ...validators.map(
      (one) =>
        `adds the validator ${node(one.nodeID)} with weight ${one.weight} and a balance of ${formatAvax(one.balance)} AVAX; the rest of the balance goes to ${owners(one.remainingBalanceOwner)}, and ${owners(one.deactivationOwner)} can deactivate it`,
    ),
  ],
  RegisterL1ValidatorTx: ({ balance, message }) => [
    `registers the L1 validator ${messageText(message)}, with a balance of ${formatAvax(balance)} AVAX`,
  ],
  SetL1ValidatorWeightTx: ({ message }) => [`sets the ${messageText(message)}`],
  IncreaseL1ValidatorBalanceTx: ({ validationID: validationId, balance }) => [
    `adds ${formatAvax(balance)} AVAX to the balance of the L1 validator ${Id.format(validationId)}`,
  ],
  DisableL1ValidatorTx: ({ validationID: validationId }) => [
    `deactivates the L1 validator ${Id.format(validationId)} and returns its balance`,
  ],
  AddAutoRenewedValidatorTx: (tx, { owners }) => [
    `adds the validator ${node(tx.nodeID)} for periods of ${tx.period} s, with ${signer(tx.signer)}`,
    `stakes ${percent(tx.autoCompoundRewardShares)} of the rewards again, and takes ${percent(tx.delegationShares)} of the rewards of delegators`,
    `pays rewards to ${owners(tx.validationRewardsOwner)}, and the fees of delegators to ${owners(tx.delegationRewardsOwner)}`,
    `lets ${owners(tx.validatorAuthority)} change the renewal`,
  ],
  SetAutoRenewedValidatorConfigTx: ({ txID: txId, period, autoCompoundRewardShares: shares }) => [
    period === 0n
      ? `ends the renewal of the validator of ${Id.format(txId)}`
      : `renews the validator of ${Id.format(txId)} for periods of ${period} s, and stakes ${percent(shares)} of the rewards again`,
  ],
  RewardAutoRenewedValidatorTx: ({ txID: txId, timestamp }, { time }) => [
    `proposes to reward the validator of ${Id.format(txId)} for its period until ${time(timestamp)}`,
  ],
}

type Act = AvmTx.Operation['operation']

const OPERATIONS: {
  readonly [T in Act['type']]: (
    action: Extract<Act, { readonly type: T }>,
    assetId: Uint8Array,
    formats: Formats,
  ) => string
} = {
  MintOperation: ({ transferOutput: { amount, ...owned } }, assetId, { owners }) =>
    `mints ${amount} of the asset ${Id.format(assetId)} for ${owners(owned)}`,
  NftMintOperation: ({ payload, outputs }, assetId, { owners }) =>
    `mints tokens of the asset ${Id.format(assetId)} with a payload of ${payload.length} bytes for ${outputs.map(owners).join(' and ')}`,
  NftTransferOperation: ({ output }, assetId, { owners }) =>
    `transfers a token of the asset ${Id.format(assetId)} with a payload of ${output.payload.length} bytes to ${owners(output)}`,
  PropertyMintOperation: ({ ownedOutput }, assetId, { owners }) =>
    `mints a property of the asset ${Id.format(assetId)} for ${owners(ownedOutput)}`,
  PropertyBurnOperation: (_action, assetId) => `burns a property of the asset ${Id.format(assetId)}`,
}

const EXCHANGE: Actions<AvmTx.UnsignedTx> = {
  BaseTx: () => [],
  ImportTx: ({ sourceChain }) => [`imports from the blockchain ${Id.format(sourceChain)}`],
  ExportTx: () => [],
  CreateAssetTx: (tx, { owners }) => [
    `creates the asset ${name(tx.name)} (${tx.symbol}) with ${tx.denomination} decimal places`,
    ...tx.initialStates.flatMap(({ outputs }) =>
      outputs.map((one) =>
        one.type === 'TransferOutput'
          ? `gives ${one.amount} of it to ${owners(one)}`
          : `gives a ${one.type} of it to ${owners(one)}`,
      ),
    ),
  ],
  OperationTx: ({ operations }, formats) =>
    operations.map(({ assetID: assetId, operation }) => {
      const say = OPERATIONS[operation.type] as (action: Act, assetId: Uint8Array, formats: Formats) => string
      return say(operation, assetId, formats)
    }),
}

const CONTRACT: Actions<AtomicTx.UnsignedTx> = {
  ImportTx: ({ sourceChain }) => [`imports from the blockchain ${Id.format(sourceChain)}`],
  ExportTx: () => [],
}

const ACTIONS = { P: PLATFORM, X: EXCHANGE, C: CONTRACT }

/** Says what a transaction does besides moving the amounts of its inputs and outputs. */
export const actionOf = (
  { chain, unsignedTx }: { readonly chain: ChainAlias; readonly unsignedTx: Signers.UnsignedTxs[ChainAlias] },
  formats: Formats,
): readonly string[] => {
  const actions = ACTIONS[chain] as Readonly<
    Record<string, (tx: unknown, formats: Formats) => readonly string[]>
  >
  return actions[unsignedTx.type]?.(unsignedTx, formats) ?? []
}

/** Returns the part of the burned AVAX that becomes balances of L1 validators, in nAVAX. */
export const balances = (tx: Signers.UnsignedTxs[ChainAlias]): bigint => {
  if (tx.type === 'ConvertSubnetToL1Tx') return tx.validators.reduce((sum, { balance }) => sum + balance, 0n)
  return 'balance' in tx ? tx.balance : 0n
}
