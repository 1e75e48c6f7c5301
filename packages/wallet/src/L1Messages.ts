import { Address, Bytes } from '@firn/codec'
import { L1Message } from '@firn/warp'
import * as Inputs from './Inputs.ts'
import { WalletError } from './WalletError.ts'

/** A validator to register in an L1, as the L1's manager announces it to the P-chain. */
export interface Registration {
  readonly subnetId: Inputs.IdInput
  readonly nodeId: Inputs.NodeIdInput
  /** BLS key of the node, 48 bytes. */
  readonly publicKey: Inputs.BytesInput
  readonly weight: bigint
  /** Unix time in seconds before which the P-chain must accept the message, at most one day ahead. */
  readonly expiry: bigint
  /** Receiver of the remaining balance when the validation ends: P-chain addresses. */
  readonly remainingBalanceOwner: Inputs.Receiver
  /** Who may disable the validator. Default: `remainingBalanceOwner`. */
  readonly disableOwner?: Inputs.Receiver
}

/** A new weight of a validator of an L1. */
export interface WeightChange {
  readonly validationId: Inputs.IdInput
  /** Number of the change; larger than the numbers of earlier changes. */
  readonly nonce: bigint
  /** New weight; 0 removes the validator. */
  readonly weight: bigint
}

/**
 * Returns the message that registers a validator: the payload that the L1's manager sends. The signed message is the
 * input of `wallet.p.registerL1Validator`.
 *
 * @example
 * ```ts
 * import { L1Messages } from '@firn/wallet'
 *
 * declare const subnetId: string, nodeId: string, publicKey: string
 * const expiry = BigInt(Math.floor(Date.now() / 1_000)) + 3_600n
 * const remainingBalanceOwner = 'P-fuji1…'
 * const payload = L1Messages.register({ subnetId, nodeId, publicKey, weight: 20n, expiry, remainingBalanceOwner })
 * ```
 * @throws WalletError `WALLET_INPUT` if an id, a key or an address is malformed; WarpError if the P-chain would reject
 * the message, such as `WARP_ZERO_WEIGHT`
 */
export function register(registration: Registration): Uint8Array {
  const { weight, expiry, remainingBalanceOwner, disableOwner = remainingBalanceOwner } = registration
  const message = {
    type: 'RegisterL1Validator',
    subnetID: Inputs.idOf(registration.subnetId, 'subnetId'),
    nodeID: Inputs.nodeIdOf(registration.nodeId),
    blsPublicKey: Inputs.bytesOf(registration.publicKey, 'publicKey'),
    expiry,
    remainingBalanceOwner: ownerOf(remainingBalanceOwner),
    disableOwner: ownerOf(disableOwner),
    weight,
  } as const
  L1Message.assert(message)
  return L1Message.encode(message)
}

/**
 * Returns the message that sets the weight of a validator: the payload that the L1's manager sends. The signed message
 * is the input of `wallet.p.setL1ValidatorWeight`.
 *
 * @example
 * ```ts
 * import { L1Messages } from '@firn/wallet'
 *
 * declare const validationId: string
 * const removal = L1Messages.setWeight({ validationId, nonce: 1n, weight: 0n })
 * ```
 * @throws WalletError `WALLET_INPUT` if the id is malformed; WarpError `WARP_NONCE`
 */
export function setWeight({ validationId, nonce, weight }: WeightChange): Uint8Array {
  const message = {
    type: 'L1ValidatorWeight',
    validationID: Inputs.idOf(validationId, 'validationId'),
    nonce,
    weight,
  } as const
  L1Message.assert(message)
  return L1Message.encode(message)
}

/** Returns an owner with the ascending addresses that the P-chain requires. Messages name no network. */
function ownerOf(receiver: Inputs.Receiver): L1Message.Owner {
  const {
    threshold,
    addresses,
    locktime = 0n,
  } = typeof receiver === 'string' ? { threshold: 1, addresses: [receiver] } : receiver
  if (locktime !== 0n) throw new WalletError('WALLET_INPUT', 'owners in a message cannot have a locktime')
  return { threshold, addresses: addresses.map(payloadOf).toSorted(Bytes.compare) }
}

function payloadOf(text: string): Uint8Array {
  return Inputs.parsed('address', 'an address such as P-avax1…', () => {
    const { chain, payload } = Address.parse(text.includes('-') ? text : `P-${text}`)
    if (chain === 'P') return payload
    throw new WalletError('WALLET_INPUT', `expected an address of the P-chain, got ${text.slice(0, 100)}`)
  })
}
