import type { ChainAlias } from '@firn/codec'
import type { AtomicTx, AvmTx, PlatformTx } from '@firn/txs'
import { LRUCache } from 'lru-cache'
import { key } from '../State.ts'

/** A decoded transaction of each chain. */
export interface Txs {
  readonly P: PlatformTx.PlatformTx
  readonly X: AvmTx.AvmTx
  readonly C: AtomicTx.AtomicTx
}

/** A transaction that waits for a block. */
export interface Entry<C extends ChainAlias = ChainAlias> {
  readonly id: Uint8Array
  readonly bytes: Uint8Array
  readonly tx: Txs[C]
}

/** Transactions of one chain that wait for a block, in the order of arrival. */
export interface Mempool<C extends ChainAlias = ChainAlias> {
  readonly size: number
  has(txId: Uint8Array): boolean
  entries(): Iterable<Entry<C>>
  add(entry: Entry<C>): void
  /** Removes an accepted transaction. */
  remove(txId: Uint8Array): void
  /** Removes a transaction that no block can contain, and keeps the reason. */
  drop(txId: Uint8Array, reason: string): void
  /** Returns why a transaction was dropped; undefined if it was not, or long ago. */
  reason(txId: Uint8Array): string | undefined
}

/** Number of dropped transactions whose reasons are kept. Source: avalanchego's mempool. */
const MAX_DROPPED = 64

/** The mempools of all chains. */
export type Mempools = { readonly [C in ChainAlias]: Mempool<C> }

/** Creates empty mempools. */
export function createAll(): Mempools {
  return { P: create<'P'>(), X: create<'X'>(), C: create<'C'>() }
}

function create<C extends ChainAlias>(): Mempool<C> {
  const waiting = new Map<string, Entry<C>>()
  const dropped = new LRUCache<string, string>({ max: MAX_DROPPED })
  return {
    get size() {
      return waiting.size
    },
    has: (txId) => waiting.has(key(txId)),
    entries: () => [...waiting.values()],
    add(entry) {
      dropped.delete(key(entry.id))
      waiting.set(key(entry.id), entry)
    },
    remove(txId) {
      waiting.delete(key(txId))
    },
    drop(txId, reason) {
      waiting.delete(key(txId))
      dropped.set(key(txId), reason)
    },
    reason: (txId) => dropped.get(key(txId)),
  }
}
