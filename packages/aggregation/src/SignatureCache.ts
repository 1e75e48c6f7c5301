import type { PublicKey, Signature } from '@firn/bls'
import { Hex } from '@firn/codec'
import { type Proved, toProved } from './BatchCheck.ts'

/**
 * Cache of signatures by message and key, limited in bytes. It holds signatures in uncompressed form, so that a hit
 * costs no decoding. It accepts only {@link Proved} signatures, because two invalid signatures can cancel out in a
 * valid aggregate.
 */
export interface SignatureCache {
  /**
   * Returns the signature of this key over the message with this id (32 bytes), or undefined if it is not
   * cached.
   */
  get(messageId: Uint8Array, publicKey: PublicKey.PublicKey): Proved | undefined
  /** Stores the signature, and evicts the least recently used messages to make room. */
  add(messageId: Uint8Array, proved: Proved): void
  /** Removes one signature. */
  remove(messageId: Uint8Array, publicKey: PublicKey.PublicKey): void
  /** Number of bytes in use, at most `maxBytes`. */
  readonly bytes: number
  readonly messages: number
  readonly signatures: number
}

/** Memory of one entry in bytes, measured over 20,000 entries. Half of them are the uncompressed point. */
export const SIGNATURE_BYTES = 512
const MESSAGE_BYTES = 512

/**
 * Returns an empty cache that uses at most `maxBytes` bytes; 0 disables it.
 *
 * @example
 * ```ts
 * import { SignatureCache } from '@firn/aggregation'
 *
 * const cache = SignatureCache.create({ maxBytes: 64 << 20 })
 * cache.signatures // 0
 * ```
 */
export function create(options: { readonly maxBytes: number }): SignatureCache {
  const store: Store = { ...options, byMessage: new Map(), newest: undefined, bytes: 0, signatures: 0 }
  return {
    get(messageId, publicKey) {
      const signature = touch(store, idOf(messageId))?.get(keyOf(publicKey))
      // All stored signatures are verified, because `add` accepts no others.
      return signature && toProved(publicKey, signature)
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
  /** Signatures by message, least recently used first. */
  readonly byMessage: Map<string, Signatures>
  /**
   * Id of the most recently used message, whose entry is already last and need not be moved. A run looks up a
   * thousand signatures of one message.
   */
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

/** Evicts other messages until `needed` bytes are free. Returns false if there is not enough room. */
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

/**
 * Returns the message id as a map key. The key is cached per array object, because a run looks up a thousand
 * signatures under one message id.
 */
function idOf(messageId: Uint8Array): string {
  let id = ids.get(messageId)
  if (id === undefined) {
    id = Hex.encodeBare(messageId)
    ids.set(messageId, id)
  }
  return id
}

/**
 * Returns all 48 bytes of a public key as a map key, because a key and its negative have the same x
 * coordinate.
 */
function keyOf(publicKey: PublicKey.PublicKey): string {
  let key = keys.get(publicKey)
  if (key === undefined) {
    key = Hex.encodeBare(publicKey.compressed)
    keys.set(publicKey, key)
  }
  return key
}
