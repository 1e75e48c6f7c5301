import type { PublicKey, Signature } from '@firn/bls'
import { Hex } from '@firn/codec'
import type { Proved } from './BatchCheck.ts'

/**
 * Signatures by message and key, bounded in bytes. Holds decoded signatures, so that a hit costs no decoding;
 * accepts only {@link Proved} ones, because signatures that were merely part of a valid sum may be wrong in
 * pairs.
 */
export interface SignatureCache {
  /** Returns the signature of this key over the message with this id (32 bytes), if known. */
  get(messageId: Uint8Array, publicKey: PublicKey.PublicKey): Proved | undefined
  /** Stores the signature and evicts the least recently used messages to make room. */
  add(messageId: Uint8Array, proved: Proved): void
  /** Removes one signature. */
  remove(messageId: Uint8Array, publicKey: PublicKey.PublicKey): void
  /** Accounted bytes in use, at most `maxBytes`. */
  readonly bytes: number
  readonly messages: number
  readonly signatures: number
}

/**
 * Resident memory of one entry, nearly all of it the decoded point with its native memory: 1,960 bytes each,
 * measured over 20,000 entries with the native engine.
 */
export const SIGNATURE_BYTES = 2_048
const MESSAGE_BYTES = 512

/** Returns an empty cache that accounts for at most `maxBytes`; 0 stores nothing. */
export function create(options: { readonly maxBytes: number }): SignatureCache {
  const store: Store = { ...options, byMessage: new Map(), newest: undefined, bytes: 0, signatures: 0 }
  return {
    get(messageId, publicKey) {
      const signature = touch(store, idOf(messageId))?.get(keyOf(publicKey))
      // Everything in here was proved: `add` accepts nothing else.
      return signature && ({ publicKey, signature } as Proved)
    },
    add: (messageId, proved) => add(store, idOf(messageId), proved),
    remove: (messageId, publicKey) => remove(store, idOf(messageId), keyOf(publicKey)),
    get bytes() {
      return store.bytes
    },
    get messages() {
      return store.byMessage.size
    },
    get signatures() {
      return store.signatures
    },
  }
}

type Signatures = Map<string, Signature.Signature>

interface Store {
  readonly maxBytes: number
  /** Least recently used first. */
  readonly byMessage: Map<string, Signatures>
  /** Avoids moving the newest entry, a thousand times per run. */
  newest: string | undefined
  bytes: number
  signatures: number
}

function touch(store: Store, id: string): Signatures | undefined {
  const known = store.byMessage.get(id)
  if (known === undefined || id === store.newest) return known
  store.byMessage.delete(id)
  store.byMessage.set(id, known)
  store.newest = id
  return known
}

function add(store: Store, id: string, { publicKey, signature }: Proved): void {
  const key = keyOf(publicKey)
  const known = touch(store, id) ?? open(store, id)
  if (known === undefined || known.has(key) || !makeRoom(store, SIGNATURE_BYTES, id)) return
  known.set(key, signature)
  store.bytes += SIGNATURE_BYTES
  store.signatures += 1
}

function remove(store: Store, id: string, key: string): void {
  const known = store.byMessage.get(id)
  if (!known?.delete(key)) return
  store.bytes -= SIGNATURE_BYTES
  store.signatures -= 1
  if (known.size === 0) drop(store, id, known)
}

function open(store: Store, id: string): Signatures | undefined {
  if (!makeRoom(store, MESSAGE_BYTES + SIGNATURE_BYTES, id)) return undefined
  const known: Signatures = new Map()
  store.byMessage.set(id, known)
  store.newest = id
  store.bytes += MESSAGE_BYTES
  return known
}

/** Evicts other messages until `needed` bytes are free, and returns whether they are. */
function makeRoom(store: Store, needed: number, keep: string): boolean {
  for (const [id, known] of store.byMessage) {
    if (store.bytes + needed <= store.maxBytes) break
    if (id !== keep) drop(store, id, known)
  }
  return store.bytes + needed <= store.maxBytes
}

function drop(store: Store, id: string, known: Signatures): void {
  store.byMessage.delete(id)
  store.bytes -= MESSAGE_BYTES + known.size * SIGNATURE_BYTES
  store.signatures -= known.size
}

const ids = new WeakMap<Uint8Array, string>()
const keys = new WeakMap<PublicKey.PublicKey, string>()

/** Cached by identity: a run looks up a thousand keys under one id. */
function idOf(messageId: Uint8Array): string {
  let id = ids.get(messageId)
  if (id === undefined) {
    id = Hex.encodeBare(messageId)
    ids.set(messageId, id)
  }
  return id
}

/** Uses all 48 bytes: by its x coordinate alone, a key and its negative would share an entry. */
function keyOf(publicKey: PublicKey.PublicKey): string {
  let key = keys.get(publicKey)
  if (key === undefined) {
    key = Hex.encodeBare(publicKey.compressed)
    keys.set(publicKey, key)
  }
  return key
}
