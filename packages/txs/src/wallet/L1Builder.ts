import { Bytes } from '@firn/codec'
import type { PChainOwner } from '../platform/UnsignedTx.ts'
import {
  type Authorized,
  build,
  type Given,
  type PlatformDraft,
  type PlatformWallet,
} from './PlatformDraft.ts'

/** Converts a subnet into an L1. Burns the balances of the L1's validators. */
export function convertSubnetToL1(
  wallet: PlatformWallet,
  { authority, validators, ...fields }: Given<'ConvertSubnetToL1Tx'> & Authorized,
): PlatformDraft {
  const sorted = validators
    .map((validator) => ({
      ...validator,
      remainingBalanceOwner: sortOwner(validator.remainingBalanceOwner),
      deactivationOwner: sortOwner(validator.deactivationOwner),
    }))
    .sort((a, b) => Bytes.compare(a.nodeID, b.nodeID))
  return build(wallet, {
    authority,
    burn: sorted.reduce((sum, { balance }) => sum + balance, 0n),
    tx: ({ base, authorization: subnetAuthorization }) => ({
      type: 'ConvertSubnetToL1Tx',
      ...base,
      ...fields,
      validators: sorted,
      subnetAuthorization,
    }),
  })
}

/** Registers the L1 validator in a signed Warp message. */
export function registerL1Validator(
  wallet: PlatformWallet,
  fields: Given<'RegisterL1ValidatorTx'>,
): PlatformDraft {
  return build(wallet, {
    burn: fields.balance,
    tx: ({ base }) => ({ type: 'RegisterL1ValidatorTx', ...base, ...fields }),
  })
}

/** Sets the weight of an L1 validator from a signed Warp message. */
export function setL1ValidatorWeight(wallet: PlatformWallet, message: Uint8Array): PlatformDraft {
  return build(wallet, { tx: ({ base }) => ({ type: 'SetL1ValidatorWeightTx', ...base, message }) })
}

/** Adds to the balance of an L1 validator. */
export function increaseL1ValidatorBalance(
  wallet: PlatformWallet,
  fields: Given<'IncreaseL1ValidatorBalanceTx'>,
): PlatformDraft {
  return build(wallet, {
    burn: fields.balance,
    tx: ({ base }) => ({ type: 'IncreaseL1ValidatorBalanceTx', ...base, ...fields }),
  })
}

/** Deactivates an L1 validator. `authority` is the validator's deactivation owner. */
export function disableL1Validator(
  wallet: PlatformWallet,
  { authority, validationID: validationId }: Given<'DisableL1ValidatorTx'> & Authorized,
): PlatformDraft {
  return build(wallet, {
    authority,
    tx: ({ base, authorization: disableAuthorization }) => ({
      type: 'DisableL1ValidatorTx',
      ...base,
      validationID: validationId,
      disableAuthorization,
    }),
  })
}

function sortOwner({ threshold, addresses }: PChainOwner): PChainOwner {
  return { threshold, addresses: addresses.toSorted(Bytes.compare) }
}
