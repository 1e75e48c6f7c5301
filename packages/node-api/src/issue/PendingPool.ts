import { type ChainAlias, Hex, Id } from '@firn/codec'
import { AtomicTx, AvmTx, PlatformTx, UtxoId } from '@firn/txs'
import { LRUCache } from 'lru-cache'
import type { Limits } from './IssuerOptions.ts'

/** Maximum size of a transaction of the X-chain in bytes, as in nodes. */
const MAX_TX = 64 * 2 ** 10
/** Number of dropped transactions that are remembered, as in nodes. */
const MAX_DROPPED = 64

/** An issued transaction that is not accepted yet. */
export interface Pending {
  readonly chain: ChainAlias
  readonly txId: Uint8Array
  readonly bytes: Uint8Array
  readonly inputs: readonly string[]
  readonly since: number
  pushedAt: number
  /** Why the last look found the transaction invalid. It is dropped if the next one agrees. */
  refusal: string | undefined
}

/** The pending transactions, and why others were dropped, by {@link keyOf}. */
export interface PendingPool {
  readonly limits: Pick<Limits, 'transactions' | 'bytes'>
  readonly pending: Map<string, Pending>
  /** The pending transaction that spends an input. */
  readonly spenders: Map<string, string>
  readonly dropped: LRUCache<string, string>
  /** Number of bytes of the pending transactions. */
  held: number
}

/** Creates a pool without transactions. */
export function createPendingPool(limits: PendingPool['limits']): PendingPool {
  const dropped = new LRUCache<string, string>({ max: MAX_DROPPED })
  return { limits, pending: new Map(), spenders: new Map(), dropped, held: 0 }
}

/** Returns the key of a transaction. */
export function keyOf(chain: ChainAlias, txId: Uint8Array): string {
  return `${chain}${Hex.encodeBare(txId)}`
}

/** Adds a transaction for which there is room. */
export function add(pool: PendingPool, key: string, one: Pending): void {
  pool.pending.set(key, one)
  for (const input of one.inputs) pool.spenders.set(input, key)
  pool.held += one.bytes.length
  pool.dropped.delete(key)
}

/** Removes a transaction that is accepted. */
export function remove(pool: PendingPool, key: string, { inputs, bytes }: Pending): void {
  const { pending, spenders } = pool
  if (!pending.delete(key)) return
  for (const input of inputs) if (spenders.get(input) === key) spenders.delete(input)
  pool.held -= bytes.length
}

/** Removes a transaction, and remembers the reason. */
export function drop(pool: PendingPool, key: string, one: Pending, reason: string): void {
  remove(pool, key, one)
  pool.dropped.set(key, reason)
}

/** Returns the text of a node's mempool for a valid transaction that it does not add; undefined if there is room. */
export function refusal(
  { limits, pending, spenders, held }: PendingPool,
  { chain, txId, bytes, inputs }: Pick<Pending, 'chain' | 'txId' | 'bytes' | 'inputs'>,
): string | undefined {
  const size = bytes.length
  const available = limits.bytes - held
  return refusalOfPool(chain, {
    id: Id.format(txId),
    size,
    available,
    isFull: size > available || pending.size >= limits.transactions,
    isConflict: inputs.some((input) => spenders.has(input)),
  })
}

/** A transaction that is to be added to the pending ones. */
interface Added {
  readonly id: string
  readonly size: number
  readonly available: number
  readonly isFull: boolean
  readonly isConflict: boolean
}

function refusalOfPool(chain: ChainAlias, added: Added): string | undefined {
  const { id, size, available, isFull, isConflict } = added
  if (chain === 'P') {
    if (isConflict) return "couldn't issue tx: tx conflicts with other tx"
    return isFull ? "couldn't issue tx: not enough gas" : undefined
  }
  // The limits of the P- and C-chain are part of the checks.
  if (chain === 'X' && size > MAX_TX) return `tx too large: ${id} size (${size}) > max size (${MAX_TX})`
  if (isFull) return `mempool is full: ${id} size (${size}) > available space (${available})`
  return isConflict ? `tx conflicts with other tx: ${id}` : undefined
}

/** Returns what a transaction spends, as text: input ids, and the nonces of accounts on the C-chain. */
export function inputsOf(chain: ChainAlias, bytes: Uint8Array): readonly string[] {
  if (chain === 'P') return PlatformTx.inputIds(PlatformTx.decode(bytes)).map((id) => Hex.encodeBare(id))
  if (chain === 'X') return AvmTx.inputIds(AvmTx.decode(bytes)).map((id) => Hex.encodeBare(id))
  const { unsignedTx } = AtomicTx.decode(bytes)
  const accounts = 'inputs' in unsignedTx ? unsignedTx.inputs : []
  return [
    ...(AtomicTx.imported(unsignedTx)?.inputs ?? []).map((input) => Hex.encodeBare(UtxoId.inputId(input))),
    ...accounts.map(({ address, nonce }) => `${Hex.encodeBare(address)} ${nonce}`),
  ]
}
