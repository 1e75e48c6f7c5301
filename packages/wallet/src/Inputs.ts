import { Address, type ChainAlias, excerpt, Hex, Id, isFirnError, NodeId } from '@firn/codec'
import { EvmAddress } from '@firn/keys'
import { type Secp256k1, Wallet } from '@firn/txs'
import { SignedMessage } from '@firn/warp'
import { WalletError } from './WalletError.ts'

/** An id of 32 bytes, as cb58 text or as bytes. */
export type IdInput = string | Uint8Array

/** A NodeID, as text or as 20 bytes. */
export type NodeIdInput = string | Uint8Array

/** Bytes, or their hex with or without `0x`. */
export type BytesInput = string | Uint8Array

/** Several owners of an output, of whom `threshold` must sign. */
export interface OwnersInput {
  readonly threshold: number
  readonly addresses: readonly string[]
  /** Unix time in seconds before which the owners cannot sign. Default: 0. */
  readonly locktime?: bigint
}

/** The receiver of an output: one address, such as `P-avax1…`, or several owners. */
export type Receiver = string | OwnersInput

/** A key of a node's BLS signatures with its proof of possession, as `info.getNodeID` returns it. */
export interface SignerInput {
  /** Public key, 48 bytes. */
  readonly publicKey: BytesInput
  /** Signature by the key, 96 bytes. */
  readonly proofOfPossession: BytesInput
}

/** The network and the chain to which an address must belong. */
export interface AddressPlace {
  /** Human-readable part of the network's addresses, such as `avax`. */
  readonly hrp: string
  readonly chain: ChainAlias
}

export function idOf(input: IdInput, name: string): Uint8Array {
  return parsed(name, 'a cb58 id', () =>
    Id.assertLength(typeof input === 'string' ? Id.parse(input) : input, 32),
  )
}

export function nodeIdOf(input: NodeIdInput): Uint8Array {
  return typeof input === 'string' ? parsed('nodeId', 'a NodeID', () => NodeId.parse(input)) : input
}

export function bytesOf(input: BytesInput, name: string): Uint8Array {
  if (typeof input !== 'string') return input
  return parsed(name, 'hex', () => Hex.decode(input.startsWith('0x') ? input : `0x${input}`))
}

/** Returns the bytes of a signed Warp message. */
export function messageOf(input: BytesInput): Uint8Array {
  const bytes = bytesOf(input, 'message')
  if (bytes instanceof Uint8Array)
    return parsed('message', 'a signed Warp message', () => {
      SignedMessage.decode(bytes)
      return bytes
    })
  throw new WalletError('WALLET_INPUT', `message: expected a signed Warp message, got ${excerpt(input)}`)
}

export function signerOf(input: SignerInput): {
  readonly publicKey: Uint8Array
  readonly proofOfPossession: Uint8Array
} {
  return {
    publicKey: bytesOf(input.publicKey, 'publicKey'),
    proofOfPossession: bytesOf(input.proofOfPossession, 'proofOfPossession'),
  }
}

export function evmAddressOf(input: string): Uint8Array {
  return parsed('to', 'an EVM address', () => EvmAddress.parse(input))
}

/** Returns the owners that a receiver names. Its addresses must belong to the network and the chain. */
export function ownersOf(input: Receiver, place: AddressPlace): Secp256k1.OutputOwners {
  if (typeof input === 'string') return Wallet.soleOwner(payloadOf(input, place))
  const { threshold, addresses, locktime = 0n } = input
  return Wallet.owners(
    threshold,
    addresses.map((address) => payloadOf(address, place)),
    locktime,
  )
}

function payloadOf(text: string, { hrp, chain }: AddressPlace): Uint8Array {
  const expected = `an address such as ${chain}-${hrp}1…`
  return parsed('address', expected, () => {
    const full = text.includes('-') ? text : `${chain}-${text}`
    const address = Address.parse(full)
    if (address.hrp !== hrp || address.chain !== chain)
      throw new WalletError('WALLET_INPUT', `expected ${expected}, got ${text.slice(0, 100)}`)
    return Address.parseBytes(full)
  })
}

export function parsed(name: string, expected: string, parse: () => Uint8Array): Uint8Array {
  try {
    return parse()
  } catch (cause) {
    // Parsers of texts throw a TypeError for other values, which plain JavaScript may pass.
    const isWrongType = cause instanceof TypeError
    if (!(isFirnError(cause) || isWrongType) || cause instanceof WalletError) throw cause
    throw new WalletError('WALLET_INPUT', `${name}: expected ${expected}: ${cause.message}`, { cause })
  }
}
