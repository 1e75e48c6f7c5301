import { type ChainAlias, Hex, Id } from '@firn/codec'
import type { Refusal } from '@firn/ledger/Verify'
import { type Clock, type Logger, silentLogger, systemClock } from '@firn/runtime'
import { AtomicTx, AvmTx, PlatformTx, UtxoId } from '@firn/txs'
import { LRUCache } from 'lru-cache'
import { methodError } from '../Service.ts'
import * as Refusals from './Refusals.ts'

/** The status of an issued transaction that is not accepted yet. */
export type IssuedStatus =
  | { readonly status: 'Processing' }
  | { readonly status: 'Dropped'; readonly reason: string }

/** Issues transactions without an upstream node. */
export interface Issuer {
  /**
   * Issues a signed transaction and returns its id (32 bytes). Issuing a pending transaction again is no error.
   * @throws RpcError `RPC_REMOTE` with the node's text if the transaction is refused
   */
  issue(chain: ChainAlias, bytes: Uint8Array): Promise<Uint8Array>
  /** Returns the status of a transaction that is not accepted; undefined if it is unknown here. */
  status(chain: ChainAlias, txId: Uint8Array): IssuedStatus | undefined
}

/** Options of {@link createIssuer}. */
export interface IssuerOptions {
  /**
   * Checks a transaction against the state after the last block. Returns undefined for a valid one.
   * @throws RpcError if it cannot be checked now
   */
  readonly verify: (chain: ChainAlias, bytes: Uint8Array) => Promise<Refusal | undefined>
  /** Pushes transactions to validators and returns the number of validators that they were sent to. */
  readonly push: (chain: ChainAlias, transactions: readonly Uint8Array[]) => number
  /** Returns whether a transaction has been accepted. */
  readonly isAccepted: (chain: ChainAlias, txId: Uint8Array) => Promise<boolean>
  /**
   * Calls the listener after blocks have been accepted, so that acceptance is not looked up in between. Returns a
   * function that removes the listener.
   */
  readonly onAdvance?: (listener: () => void) => () => void
  readonly clock?: Clock
  readonly log?: Logger
  readonly limits?: Partial<Limits>
}

/** Limits of an issuer. All times are in milliseconds. */
export interface Limits {
  /** Time between two looks at the pending transactions. */
  readonly roundMs: number
  /** Time after which a pending transaction is pushed again, to other validators. */
  readonly pushMs: number
  /** Time after which a transaction that no block contains is dropped. */
  readonly expiryMs: number
  /** Maximum number of pending transactions, and of their bytes. */
  readonly transactions: number
  readonly bytes: number
}

const LIMITS: Limits = {
  roundMs: 1_000,
  pushMs: 4_000,
  expiryMs: 300_000,
  transactions: 4_096,
  bytes: 64 * 2 ** 20,
}
/** Maximum size of a transaction of the X-chain in bytes, as in nodes. */
const MAX_TX = 64 * 2 ** 10
/** Number of dropped transactions that are remembered, as in nodes. */
const MAX_DROPPED = 64
/** Maximum number of bytes that one message pushes. */
const MAX_PUSH = 256 * 2 ** 10

interface Pending {
  readonly chain: ChainAlias
  readonly txId: Uint8Array
  readonly bytes: Uint8Array
  readonly inputs: readonly string[]
  readonly since: number
  pushedAt: number
  /** Why the last look found the transaction invalid. It is dropped if the next one agrees. */
  refusal: string | undefined
}

/** An issuer with a list of pending transactions, which {@link Issuers.close} stops following. */
export interface FollowingIssuer extends Issuer {
  /** Stops following the pending transactions. */
  close(): Promise<void>
}

/**
 * Creates an issuer that checks transactions and pushes them to validators. It pushes pending transactions again every few
 * seconds until they are accepted, have become invalid, or have expired. Like the mempool of a node, the list of pending
 * transactions is bounded and ends with the process.
 * @example
 * ```ts
 * import { createIssuer } from '@firn/node-api'
 *
 * declare const options: Parameters<typeof createIssuer>[0]
 * declare const bytes: Uint8Array
 * const issuer = createIssuer(options)
 * const txId = await issuer.issue('P', bytes)
 * issuer.status('P', txId) // { status: 'Processing' }
 * ```
 */
export function createIssuer(options: IssuerOptions): FollowingIssuer {
  const { verify, push, isAccepted, clock = systemClock, log = silentLogger } = options
  const limits = { ...LIMITS, ...options.limits }
  const pending = new Map<string, Pending>()
  /** The pending transaction that spends an input. */
  const spenders = new Map<string, string>()
  const dropped = new LRUCache<string, string>({ max: MAX_DROPPED })
  const checking = new Map<string, Promise<Uint8Array>>()
  const stop = new AbortController()
  let held = 0
  let advances = 0
  let lookedUp = 0
  const unlisten = options.onAdvance?.(() => {
    advances += 1
  })
  let following: Promise<void> | undefined

  const add = (key: string, one: Pending) => {
    pending.set(key, one)
    for (const input of one.inputs) spenders.set(input, key)
    held += one.bytes.length
    dropped.delete(key)
    following ??= follow().finally(() => {
      following = undefined
    })
  }
  const remove = (key: string, { inputs, bytes }: Pending) => {
    if (!pending.delete(key)) return
    for (const input of inputs) if (spenders.get(input) === key) spenders.delete(input)
    held -= bytes.length
  }
  const drop = (key: string, one: Pending, reason: string) => {
    remove(key, one)
    dropped.set(key, reason)
    log.info({ chain: one.chain, txId: Id.format(one.txId), reason }, 'dropped an issued transaction')
  }
  const assertRoom = (chain: ChainAlias, txId: Uint8Array, bytes: Uint8Array, inputs: readonly string[]) => {
    const size = bytes.length
    const available = limits.bytes - held
    const reason = refusalOfPool(chain, {
      id: Id.format(txId),
      size,
      available,
      isFull: size > available || pending.size >= limits.transactions,
      isConflict: inputs.some((input) => spenders.has(input)),
    })
    if (reason !== undefined) throw methodError(reason)
  }
  const issueNew = async (key: string, chain: ChainAlias, bytes: Uint8Array, txId: Uint8Array) => {
    const refusal = await verify(chain, bytes)
    if (refusal !== undefined) {
      const isRepeated = dropped.has(key) && chain === 'P'
      if (refusal.step !== 'parse') dropped.set(key, Refusals.reason(chain, bytes, refusal))
      const text = isRepeated
        ? `couldn't issue tx: ${dropped.get(key)}`
        : Refusals.text(chain, bytes, refusal)
      throw methodError(text)
    }
    const inputs = inputsOf(chain, bytes)
    assertRoom(chain, txId, bytes, inputs)
    if (push(chain, [bytes]) === 0) {
      const cause = 'no validator is connected, so the transaction was not sent'
      throw methodError(chain === 'P' ? `couldn't issue tx: ${cause}` : cause)
    }
    const since = clock.now()
    add(key, { chain, txId, bytes, inputs, since, pushedAt: since, refusal: undefined })
    return txId
  }
  /** Looks at one pending transaction. Returns true if it should be pushed again. */
  const look = async (key: string, one: Pending, hasAdvanced: boolean): Promise<boolean> => {
    const { chain, txId, bytes, since } = one
    const now = clock.now()
    const isDue = now - one.pushedAt >= limits.pushMs
    if ((hasAdvanced || isDue) && (await isAccepted(chain, txId))) {
      remove(key, one)
      return false
    }
    if (now - since >= limits.expiryMs) {
      drop(key, one, `not seen in an accepted block within ${Math.round(limits.expiryMs / 1000)} s`)
      return false
    }
    if (!isDue) return false
    one.pushedAt = now
    const refusal = await verify(chain, bytes)
    const reason = refusal && Refusals.reason(chain, bytes, refusal)
    // The block that contains the transaction may be applied, but not stored yet.
    if (reason !== undefined && one.refusal !== undefined) drop(key, one, reason)
    one.refusal = reason
    return reason === undefined
  }
  const round = async () => {
    const again: Pending[] = []
    const hasAdvanced = unlisten === undefined || advances !== lookedUp
    lookedUp = advances
    for (const [key, one] of [...pending]) {
      if (stop.signal.aborted) return
      if (await look(key, one, hasAdvanced)) again.push(one)
    }
    for (const [chain, ones] of Map.groupBy(again, ({ chain }) => chain)) {
      const count = batches(ones).reduce((most, batch) => Math.max(most, push(chain, batch)), 0)
      log.debug({ chain, transactions: ones.length, validators: count }, 'pushed pending transactions again')
    }
  }
  const follow = async () => {
    while (pending.size > 0 && !stop.signal.aborted) {
      await clock.sleep(limits.roundMs, stop.signal).catch(() => undefined)
      await round().catch((error) => log.debug({}, `cannot follow issued transactions: ${error}`))
    }
  }
  return {
    async issue(chain, bytes) {
      const txId = Id.hash(bytes)
      const key = keyOf(chain, txId)
      if (pending.has(key)) return txId
      const running = checking.get(key)
      if (running !== undefined) return running
      const issued = issueNew(key, chain, bytes, txId).finally(() => checking.delete(key))
      checking.set(key, issued)
      return issued
    },
    status(chain, txId) {
      const key = keyOf(chain, txId)
      if (pending.has(key)) return { status: 'Processing' }
      const reason = dropped.get(key)
      return reason === undefined ? undefined : { status: 'Dropped', reason }
    },
    async close() {
      stop.abort()
      unlisten?.()
      await following
    },
  }
}

/** A transaction that is to be added to the pending ones. */
interface Added {
  readonly id: string
  readonly size: number
  readonly available: number
  readonly isFull: boolean
  readonly isConflict: boolean
}

/** Returns the text of a node's mempool for a valid transaction that it does not add, or undefined. */
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

function keyOf(chain: ChainAlias, txId: Uint8Array): string {
  return `${chain}${Hex.encodeBare(txId)}`
}

/** Returns what a transaction spends, as text: input ids, and the nonces of accounts on the C-chain. */
function inputsOf(chain: ChainAlias, bytes: Uint8Array): readonly string[] {
  if (chain === 'P') return PlatformTx.inputIds(PlatformTx.decode(bytes)).map((id) => Hex.encodeBare(id))
  if (chain === 'X') return AvmTx.inputIds(AvmTx.decode(bytes)).map((id) => Hex.encodeBare(id))
  const { unsignedTx } = AtomicTx.decode(bytes)
  const accounts = 'inputs' in unsignedTx ? unsignedTx.inputs : []
  return [
    ...(AtomicTx.imported(unsignedTx)?.inputs ?? []).map((input) => Hex.encodeBare(UtxoId.inputId(input))),
    ...accounts.map(({ address, nonce }) => `${Hex.encodeBare(address)} ${nonce}`),
  ]
}

/** Splits transactions into messages of a limited size. */
function batches(ones: readonly Pending[]): readonly (readonly Uint8Array[])[] {
  const all: Uint8Array[][] = []
  let size = MAX_PUSH
  for (const { bytes } of ones) {
    size += bytes.length
    if (size > MAX_PUSH) {
      all.push([])
      size = bytes.length
    }
    all.at(-1)?.push(bytes)
  }
  return all
}
