import { Bytes } from '@firn/codec'
import { L1Message, Payload, SignedMessage } from '@firn/warp'
import type { PChainOwner } from '../platform/UnsignedTx.ts'
import { TxsError } from '../TxsError.ts'
import * as Given from './Given.ts'
import {
  type Authorized,
  build,
  type Fields,
  type PlatformDraft,
  type PlatformWallet,
} from './PlatformDraft.ts'

/**
 * Converts a subnet into an L1. Burns the balances of the L1's validators.
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { L1Builder, type PlatformBuilder, type Secp256k1, type UnsignedTx } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const subnetID: Uint8Array
 * declare const authority: Secp256k1.OutputOwners // the subnet's owner
 * declare const chainID: Uint8Array, validators: UnsignedTx.Of<'ConvertSubnetToL1Tx'>['validators']
 * const address = Hex.decode('0x0feedc0de0000000000000000000000000000000') // of the contract
 * const fields = { subnetID, chainID, address, validators }
 * const draft = L1Builder.convertSubnetToL1(wallet, { authority, ...fields })
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay or sign for `authority`
 */
export function convertSubnetToL1(
  wallet: PlatformWallet,
  request: Fields<'ConvertSubnetToL1Tx'> & Authorized,
): PlatformDraft {
  return build(wallet, () => {
    const { authority, validators, ...fields } = request
    const sorted = validators
      .map((validator) => ({
        ...validator,
        remainingBalanceOwner: sortOwner(validator.remainingBalanceOwner),
        deactivationOwner: sortOwner(validator.deactivationOwner),
      }))
      .sort((a, b) => Bytes.compare(a.nodeID, b.nodeID))
    return {
      authority,
      burn: () => sorted.reduce((sum, { balance }) => sum + balance, 0n),
      tx: ({ base, authorization: subnetAuthorization }) => ({
        type: 'ConvertSubnetToL1Tx',
        ...base,
        ...fields,
        validators: sorted,
        subnetAuthorization,
      }),
    }
  })
}

/**
 * Registers the L1 validator in a signed Warp message.
 * @example
 * ```ts
 * import { L1Builder, type PlatformBuilder } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const message: Uint8Array // signed by the L1's validators
 * declare const proofOfPossession: Uint8Array // 96 bytes
 * const fields = { balance: 5_000_000_000n, proofOfPossession, message }
 * const draft = L1Builder.registerL1Validator(wallet, fields)
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay, with the amounts in
 * `details`; `TXS_TIME` if the message expires in the past or after more than a day; CodecError, WarpError if the message
 * is malformed
 */
export function registerL1Validator(
  wallet: PlatformWallet,
  fields: Fields<'RegisterL1ValidatorTx'>,
): PlatformDraft {
  return build(wallet, () => {
    Given.assertBytes(fields.message, 'message')
    assertExpiry(fields.message, wallet.time)
    return {
      burn: () => fields.balance,
      tx: ({ base }) => ({ type: 'RegisterL1ValidatorTx', ...base, ...fields }),
    }
  })
}

/** Seconds after the chain's time by which a message to register a validator must expire. Source: avalanchego. */
const EXPIRY_WINDOW = 86_400n

function assertExpiry(message: Uint8Array, time: bigint): void {
  const { payload } = Payload.decodeAs(SignedMessage.decode(message).unsigned.payload, 'AddressedCall')
  const { expiry } = L1Message.decodeAs(payload, 'RegisterL1Validator')
  if (expiry > time && expiry <= time + EXPIRY_WINDOW) return
  const why =
    expiry > time ? `after ${time + EXPIRY_WINDOW}, more than a day from now` : `before ${time}, now`
  const text = `the message expires at ${expiry}, ${why}; sign a message that expires within a day`
  throw new TxsError('TXS_TIME', text, { details: { expiry, time } })
}

/**
 * Sets the weight of an L1 validator from a signed Warp message.
 * @example
 * ```ts
 * import { L1Builder, type PlatformBuilder } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const message: Uint8Array // signed by the L1's validators
 * const draft = L1Builder.setL1ValidatorWeight(wallet, message)
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay, with the amounts in
 * `details`; `TXS_INPUT` if the message is not bytes; CodecError, WarpError if it is malformed or another message
 */
export function setL1ValidatorWeight(wallet: PlatformWallet, message: Uint8Array): PlatformDraft {
  return build(wallet, () => {
    Given.assertBytes(message, 'message')
    const { payload } = Payload.decodeAs(SignedMessage.decode(message).unsigned.payload, 'AddressedCall')
    L1Message.decodeAs(payload, 'L1ValidatorWeight')
    return { tx: ({ base }) => ({ type: 'SetL1ValidatorWeightTx', ...base, message }) }
  })
}

/**
 * Adds to the balance of an L1 validator.
 * @example
 * ```ts
 * import { L1Builder, type PlatformBuilder } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const validationID: Uint8Array
 * const fields = { validationID, balance: 5_000_000_000n }
 * const draft = L1Builder.increaseL1ValidatorBalance(wallet, fields)
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay, with the amounts in
 * `details`
 */
export function increaseL1ValidatorBalance(
  wallet: PlatformWallet,
  fields: Fields<'IncreaseL1ValidatorBalanceTx'>,
): PlatformDraft {
  return build(wallet, () => ({
    burn: () => fields.balance,
    tx: ({ base }) => ({ type: 'IncreaseL1ValidatorBalanceTx', ...base, ...fields }),
  }))
}

/**
 * Deactivates an L1 validator. `authority` is the validator's deactivation owner.
 * @example
 * ```ts
 * import { L1Builder, type PlatformBuilder, type Secp256k1 } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const validationID: Uint8Array
 * declare const authority: Secp256k1.OutputOwners // the deactivation owner
 * const draft = L1Builder.disableL1Validator(wallet, { validationID, authority })
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay or sign for `authority`
 */
export function disableL1Validator(
  wallet: PlatformWallet,
  request: Fields<'DisableL1ValidatorTx'> & Authorized,
): PlatformDraft {
  return build(wallet, () => {
    const { authority, validationID: validationId } = request
    return {
      authority,
      tx: ({ base, authorization: disableAuthorization }) => ({
        type: 'DisableL1ValidatorTx',
        ...base,
        validationID: validationId,
        disableAuthorization,
      }),
    }
  })
}

function sortOwner({ threshold, addresses }: PChainOwner): PChainOwner {
  return { threshold, addresses: addresses.toSorted(Bytes.compare) }
}
