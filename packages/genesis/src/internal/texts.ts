import { Address, CheckedHex, Hex, NodeId } from '@firn/codec'
import type { Signer } from '@firn/txs'
import { GenesisError } from '../GenesisError.ts'
import * as GoJson from './GoJson.ts'

const ADDRESS_LENGTH = 20
const PUBLIC_KEY_LENGTH = 48
const PROOF_LENGTH = 96

/**
 * Parses a 20-byte Ethereum address. Like the node, it drops the first two characters (`0x`) without checking
 * them.
 */
export function ethAddress(text: string, path: string): Uint8Array {
  return checked(path, () => {
    const digits = new TextDecoder('latin1').decode(new TextEncoder().encode(text).subarray(2))
    const bytes = Hex.decodeBare(digits)
    if (bytes.length !== ADDRESS_LENGTH) throw wrongLength(path, ADDRESS_LENGTH, bytes.length)
    return bytes
  })
}

/** Parses an Avalanche address (`X-…1…`) of any chain and network to its 20 bytes. */
export function avaxAddress(value: GoJson.GoJson, path: string): Uint8Array {
  if (typeof value !== 'string' && value !== null) throw GoJson.malformed(path, 'a string', value)
  return checked(path, () => {
    const { payload } = Address.parse(value ?? '')
    if (payload.length !== ADDRESS_LENGTH) throw wrongLength(path, ADDRESS_LENGTH, payload.length)
    return payload
  })
}

/** Parses a `NodeID-…` to its 20 bytes. An absent value becomes zeros. */
export function nodeId(value: GoJson.GoJson | undefined, path: string): Uint8Array {
  if (value === undefined) return NodeId.EMPTY
  if (typeof value !== 'string') throw GoJson.malformed(path, 'a string', value)
  return checked(path, () => NodeId.parse(value))
}

/**
 * Parses a BLS key and its proof of possession. Like the node, it truncates or pads the proof to the fixed
 * length.
 */
export function proofOfPossession(value: GoJson.GoJson, path: string): Signer.ProofOfPossession {
  const from = GoJson.members(value, path)
  return checked(path, () => {
    const publicKey = CheckedHex.decode(GoJson.text(from, 'publicKey'), 'hexnc')
    if (publicKey.length !== PUBLIC_KEY_LENGTH) throw wrongLength(path, PUBLIC_KEY_LENGTH, publicKey.length)
    const proof = new Uint8Array(PROOF_LENGTH)
    proof.set(CheckedHex.decode(GoJson.text(from, 'proofOfPossession'), 'hexnc').subarray(0, PROOF_LENGTH))
    return { publicKey, proofOfPossession: proof }
  })
}

function checked<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof GenesisError) throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new GenesisError('GENESIS_ADDRESS', `${message} (in ${path})`, { details: { path }, cause })
  }
}

function wrongLength(path: string, expected: number, actual: number): GenesisError {
  return new GenesisError('GENESIS_ADDRESS', `expected ${expected} bytes, got ${actual} (in ${path})`, {
    details: { path, expected, actual },
  })
}
