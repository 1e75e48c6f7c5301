import { Hex, Id } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { Blockchains, L1Validators, type Snapshot, type Store, Subnets, Transactions } from '@firn/store'
import { PlatformTx, type UnsignedTx } from '@firn/txs'
import { Justification, L1Message, Payload, SignedMessage, UnsignedMessage, ValidationId } from '@firn/warp'
import { DataApiError } from '../http/endpoint/DataApiError.ts'

/** A message for the signature aggregator. */
export interface MessageToSign {
  /** The unsigned Warp message. */
  readonly message: Uint8Array
  /** Justification of the message; empty if the validators can verify the message without one. */
  readonly justification: Uint8Array
  readonly signingSubnetId: Uint8Array
  /** P-chain height of the validator set that signs. */
  readonly pchainHeight: bigint
}

/** Id of the P-chain, the source chain of all messages in this file. */
const PLATFORM = Networks.PRIMARY_NETWORK_ID
const NO_JUSTIFICATION = new Uint8Array()

interface LedgerView {
  readonly store: Store
  readonly at: Snapshot
  readonly networkId: number
}

/**
 * Returns the message that validators sign for an L1 transaction, with its justification.
 * @throws DataApiError `DATA_NOT_FOUND` for an unknown transaction; `DATA_CONFLICT` if the transaction has no
 * message, or if its message can no longer be signed
 */
export async function messageToSign(ledger: LedgerView, txHash: Uint8Array): Promise<MessageToSign> {
  const { store, at } = ledger
  const [listed] = await Transactions.detailsByIds(store, at, 'P', [txHash])
  if (listed === undefined) {
    throw new DataApiError('DATA_NOT_FOUND', `txHash: the p-chain has no transaction ${Id.format(txHash)}`)
  }
  const { unsignedTx: tx } = PlatformTx.decode(listed.bytes)
  const message = MESSAGES[tx.type] as Message<UnsignedTx.TxType> | undefined
  if (message !== undefined) return message(ledger, tx)
  throw conflict(`${tx.type} has no message; only conversions, registrations and weight changes have one`)
}

type Message<T extends UnsignedTx.TxType> = (
  ledger: LedgerView,
  tx: UnsignedTx.Of<T>,
) => Promise<MessageToSign>

/**
 * Function that returns the message of a transaction, for each transaction type. It is undefined for types without a
 * message.
 */
const MESSAGES: { readonly [T in UnsignedTx.TxType]: Message<T> | undefined } = {
  ConvertSubnetToL1Tx: conversion,
  RegisterL1ValidatorTx: registration,
  SetL1ValidatorWeightTx: weight,
  AddValidatorTx: undefined,
  AddSubnetValidatorTx: undefined,
  AddDelegatorTx: undefined,
  CreateChainTx: undefined,
  CreateSubnetTx: undefined,
  ImportTx: undefined,
  ExportTx: undefined,
  AdvanceTimeTx: undefined,
  RewardValidatorTx: undefined,
  RemoveSubnetValidatorTx: undefined,
  TransformSubnetTx: undefined,
  AddPermissionlessValidatorTx: undefined,
  AddPermissionlessDelegatorTx: undefined,
  BaseTx: undefined,
  TransferSubnetOwnershipTx: undefined,
  DisableL1ValidatorTx: undefined,
  IncreaseL1ValidatorBalanceTx: undefined,
  AddAutoRenewedValidatorTx: undefined,
  SetAutoRenewedValidatorConfigTx: undefined,
  RewardAutoRenewedValidatorTx: undefined,
}

async function conversion(
  ledger: LedgerView,
  tx: UnsignedTx.Of<'ConvertSubnetToL1Tx'>,
): Promise<MessageToSign> {
  const found = await Subnets.detailsById(ledger.store, ledger.at, tx.subnetID)
  const id = found?.subnet.conversion?.conversionId
  if (id === undefined)
    throw conflict(`the conversion of the subnet ${Id.format(tx.subnetID)} was not accepted`)
  const message = { type: 'SubnetToL1Conversion', id } as const
  return assemble(ledger, message, tx.subnetID, tx.chainID)
}

async function registration(
  ledger: LedgerView,
  tx: UnsignedTx.Of<'RegisterL1ValidatorTx'>,
): Promise<MessageToSign> {
  const { sourceChainId, payload } = callOf(tx.message)
  const validationId = ValidationId.registered(payload)
  if ((await current(ledger, validationId)) === undefined) {
    throw conflict(
      `the validator ${Id.format(validationId)} was removed, so its registration can no longer be signed`,
    )
  }
  const message = { type: 'L1ValidatorRegistration', validationID: validationId, registered: true } as const
  return assemble(ledger, message, NO_JUSTIFICATION, sourceChainId)
}

async function weight(
  ledger: LedgerView,
  tx: UnsignedTx.Of<'SetL1ValidatorWeightTx'>,
): Promise<MessageToSign> {
  const { sourceChainId, payload } = callOf(tx.message)
  const message = L1Message.decodeAs(payload, 'L1ValidatorWeight')
  const { validationID: validationId } = message
  const validator = await current(ledger, validationId)
  if (message.weight === 0n) {
    const removal = {
      type: 'L1ValidatorRegistration',
      validationID: validationId,
      registered: false,
    } as const
    return assemble(ledger, removal, await justificationOf(ledger, validationId), sourceChainId)
  }
  if (validator === undefined) {
    throw conflict(
      `the validator ${Id.format(validationId)} was removed, so its weight can no longer be signed`,
    )
  }
  const { minNonce, weight: now } = validator
  if (minNonce !== message.nonce + 1n || now !== message.weight) {
    throw conflict(
      `nonce ${message.nonce} with weight ${message.weight} was superseded by nonce ${minNonce - 1n} with weight ${now}; only the latest can be signed`,
    )
  }
  return assemble(ledger, message, NO_JUSTIFICATION, sourceChainId)
}

async function current({ store, at }: LedgerView, validationId: Uint8Array) {
  const versions = await L1Validators.versions(store, at, [validationId])
  const last = versions.get(Hex.encodeBare(validationId))?.at(-1)
  return last?.until === undefined ? last?.validator : undefined
}

/**
 * Returns the encoded justification of a validation id. It identifies the conversion or the registration that created
 * the validator.
 */
async function justificationOf({ store, at }: LedgerView, validationId: Uint8Array): Promise<Uint8Array> {
  const [first] = await Transactions.page(store, at, 'P', {
    addresses: [validationId],
    names: ['ConvertSubnetToL1Tx', 'RegisterL1ValidatorTx'],
    from: undefined,
    until: undefined,
    isStaking: false,
    after: undefined,
    order: 'asc',
    limit: 1,
  })
  const tx = first && PlatformTx.decode(first.bytes).unsignedTx
  if (tx?.type === 'RegisterL1ValidatorTx') {
    const { payload } = callOf(tx.message)
    return Justification.encode({ type: 'RegisterL1ValidatorMessage', message: payload })
  }
  if (tx?.type !== 'ConvertSubnetToL1Tx') {
    throw conflict(`no conversion or registration of the validator ${Id.format(validationId)} was found`)
  }
  const { subnetID: subnetId, validators } = tx
  const ledger = Id.format(validationId)
  const index = validators.findIndex((_, i) => Id.format(ValidationId.initial(subnetId, i)) === ledger)
  return Justification.encode({ type: 'ConvertSubnetToL1TxData', subnetId, index })
}

/**
 * Adds the signers to a message. The signers are the validators of the chain on which the L1's manager
 * contract reads the message.
 */
async function assemble(
  { store, at, networkId }: LedgerView,
  message: L1Message.L1Message,
  justification: Uint8Array,
  managerChainId: Uint8Array,
): Promise<MessageToSign> {
  const manager = await Blockchains.detailsById(store, at, managerChainId)
  const payload = Payload.encode({
    type: 'AddressedCall',
    sourceAddress: new Uint8Array(),
    payload: L1Message.encode(message),
  })
  return {
    message: UnsignedMessage.encode({ networkID: networkId, sourceChainID: PLATFORM, payload }),
    justification,
    signingSubnetId: manager?.chain.subnetId ?? Networks.PRIMARY_NETWORK_ID,
    pchainHeight: at.P.height,
  }
}

function callOf(message: Uint8Array): { readonly sourceChainId: Uint8Array; readonly payload: Uint8Array } {
  const { sourceChainID: sourceChainId, payload } = SignedMessage.decode(message).unsigned
  const call = Payload.decode(payload)
  if (call.type !== 'AddressedCall')
    throw conflict("the transaction's Warp message contains no AddressedCall payload")
  return { sourceChainId, payload: call.payload }
}

function conflict(reason: string): DataApiError {
  return new DataApiError('DATA_CONFLICT', `txHash: ${reason}`)
}
