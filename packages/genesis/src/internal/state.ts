import { Hex } from '@firn/codec'
import { Rlp } from '@firn/txs'
import { keccak_256 } from '@noble/hashes/sha3.js'
import * as Trie from './trie.ts'

/** An account of a state. Its storage is keyed by the slot in hexadecimal. */
export interface Account {
  balance: bigint
  nonce: bigint
  code: Uint8Array
  readonly storage: Map<string, Uint8Array>
}

/** Accounts by address in hexadecimal. */
export type State = Map<string, Account>

const NO_CODE = new Uint8Array(0)

/** Returns the account at an address (20 bytes), and creates it if it is missing. */
export function account(state: State, address: Uint8Array): Account {
  const key = Hex.encodeBare(address)
  const found = state.get(key)
  if (found !== undefined) return found
  const made: Account = { balance: 0n, nonce: 0n, code: NO_CODE, storage: new Map() }
  state.set(key, made)
  return made
}

/** Writes a storage slot (32 bytes). A zero value deletes the slot. */
export function store(into: Account, slot: Uint8Array, value: Uint8Array): void {
  if (value.every((byte) => byte === 0)) into.storage.delete(Hex.encodeBare(slot))
  else into.storage.set(Hex.encodeBare(slot), value)
}

/** Returns a number as a 32-byte word. */
export function word(value: bigint): Uint8Array {
  return Hex.decodeBare(value.toString(16).padStart(64, '0'))
}

/** Returns an address as a 32-byte word. */
export function addressWord(address: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(32)
  bytes.set(address, 32 - address.length)
  return bytes
}

/**
 * Returns the root of the state. C-chain accounts have a fifth field, which says whether the account holds
 * other assets; it is false here.
 */
export function root(state: State, form: 'ethereum' | 'coreth'): Uint8Array {
  const entries = [...state].map(([address, { balance, nonce, code, storage }]) => {
    const fields = [Rlp.fromBigint(nonce), Rlp.fromBigint(balance), storageRoot(storage), keccak_256(code)]
    return {
      key: Hex.decodeBare(address),
      value: Rlp.encode(form === 'coreth' ? [...fields, Rlp.fromBigint(0n)] : fields),
    }
  })
  return Trie.root(entries)
}

function storageRoot(storage: Account['storage']): Uint8Array {
  return Trie.root(
    [...storage].map(([slot, value]) => {
      const start = value.findIndex((byte) => byte !== 0)
      return { key: Hex.decodeBare(slot), value: Rlp.encode(value.subarray(start)) }
    }),
  )
}
