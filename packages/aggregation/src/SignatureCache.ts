import type { PublicKey, Signature } from '@firn/bls'
import { Hex } from '@firn/codec'
import type { Proved } from './BatchCheck.ts'

/**
 * Signatures by message and key, bounded in bytes. Holds decoded signatures, so that a hit costs no decoding; takes
 * only {@link Proved} ones, as signatures that were merely part of a valid sum may be wrong in pairs.
 */
export interface SignatureCache {
  /** Returns the signature of this key over the message with this id (32 bytes), if known. */
  get(messageId: Uint8Array, publicKey: PublicKey.PublicKey): Proved | undefined
  /** Keeps the signature; the least recently used messages make room. */
  add(messageId: Uint8Array, proved: Proved): void
  /** Forgets one signature. */
  remove(messageId: Uint8Array, publicKey: PublicKey.PublicKey): void
  /** Accounted bytes in use, at most `maxBytes`. */
  readonly bytes: number
  readonly messages: number
  readonly signatures: number
}

/**
 * Resident memory of one entry, nearly all of it the decoded point with its native memory: 1,960 bytes each, measured
 * over 20,000 entries with the native engine.
 */
const SIGNATURE_BYTES = 2_048
const MESSAGE_BYTES = 512

/** Returns an empty cache that accounts for at most `maxBytes`; 0 keeps nothing. */
export function create(options: { readonly maxBytes: number }): SignatureCache {
  const { maxBytes } = options
  const byMessage = new Map<string, Map<string, Signature.Signature>>()
  let bytes = 0
  let signatures = 0
  let newest: string | undefined

  const drop = (id: string, known: Map<string, Signature.Signature>) => {
    byMessage.delete(id)
    bytes -= MESSAGE_BYTES + known.size * SIGNATURE_BYTES
    signatures -= known.size
  }
  const makeRoom = (needed: number, keep: string) => {
    for (const [id, known] of byMessage) {
      if (bytes + needed <= maxBytes) break
      if (id !== keep) drop(id, known)
    }
    return bytes + needed <= maxBytes
  }
  const touch = (id: string) => {
    const known = byMessage.get(id)
    if (known === undefined || id === newest) return known
    byMessage.delete(id)
    byMessage.set(id, known)
    newest = id
    return known
  }
  const open = (id: string) => {
    if (!makeRoom(MESSAGE_BYTES + SIGNATURE_BYTES, id)) return undefined
    const known = new Map<string, Signature.Signature>()
    byMessage.set(id, known)
    newest = id
    bytes += MESSAGE_BYTES
    return known
  }

  return {
    get(messageId, publicKey) {
      const signature = touch(idOf(messageId))?.get(keyOf(publicKey))
      // What is in here was proved: `add` takes nothing else.
      return signature && ({ publicKey, signature } as Proved)
    },
    add(messageId, { publicKey, signature }) {
      const id = idOf(messageId)
      const key = keyOf(publicKey)
      const known = touch(id) ?? open(id)
      if (known === undefined || known.has(key) || !makeRoom(SIGNATURE_BYTES, id)) return
      known.set(key, signature)
      bytes += SIGNATURE_BYTES
      signatures += 1
    },
    remove(messageId, publicKey) {
      const id = idOf(messageId)
      const known = byMessage.get(id)
      if (!known?.delete(keyOf(publicKey))) return
      bytes -= SIGNATURE_BYTES
      signatures -= 1
      if (known.size === 0) drop(id, known)
    },
    get bytes() {
      return bytes
    },
    get messages() {
      return byMessage.size
    },
    get signatures() {
      return signatures
    },
  }
}

const ids = new WeakMap<Uint8Array, string>()
const keys = new WeakMap<PublicKey.PublicKey, string>()

/** A run looks up a thousand keys under one id. */
function idOf(messageId: Uint8Array): string {
  let id = ids.get(messageId)
  if (id === undefined) {
    id = Hex.encodeBare(messageId)
    ids.set(messageId, id)
  }
  return id
}

/** The whole 48 bytes: by its x coordinate alone, a key and its negative would share an entry. */
function keyOf(publicKey: PublicKey.PublicKey): string {
  let key = keys.get(publicKey)
  if (key === undefined) {
    key = Hex.encodeBare(publicKey.compressed)
    keys.set(publicKey, key)
  }
  return key
}
