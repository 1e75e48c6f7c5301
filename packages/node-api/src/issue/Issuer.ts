import { type ChainAlias, Id } from '@firn/codec'
import { silentLogger, systemClock } from '@firn/runtime'
import { methodError } from '../Service.ts'
import { type Follower, start } from './Follower.ts'
import { type IssuerOptions, LIMITS } from './IssuerOptions.ts'
import { add, createPendingPool, inputsOf, keyOf, refusal as refusalOfPool } from './PendingPool.ts'
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
  const { verify, push, isAccepted, onAdvance, clock = systemClock, log = silentLogger } = options
  const limits = { ...LIMITS, ...options.limits }
  const pool = createPendingPool(limits)
  const { pending, dropped } = pool
  const checking = new Map<string, Promise<Uint8Array>>()
  const follower: Follower = {
    ...{ verify, push, isAccepted, pool, limits, clock, log },
    ...{ stop: new AbortController(), advances: onAdvance && 0, lookedUp: 0, loop: undefined },
  }
  const unlisten = onAdvance?.(() => {
    follower.advances = (follower.advances ?? 0) + 1
  })
  return {
    async issue(chain, bytes) {
      const txId = Id.hash(bytes)
      const key = keyOf(chain, txId)
      if (pending.has(key)) return txId
      const running = checking.get(key)
      if (running !== undefined) return running
      const issued = issueNew(follower, key, chain, bytes, txId).finally(() => checking.delete(key))
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
      follower.stop.abort()
      unlisten?.()
      await follower.loop
    },
  }
}

/** Checks a transaction, pushes it to validators and starts to follow it. */
async function issueNew(
  follower: Follower,
  key: string,
  chain: ChainAlias,
  bytes: Uint8Array,
  txId: Uint8Array,
): Promise<Uint8Array> {
  const { verify, push, pool, clock } = follower
  const { dropped } = pool
  const refusal = await verify(chain, bytes)
  if (refusal !== undefined) {
    const isRepeated = dropped.has(key) && chain === 'P'
    if (refusal.step !== 'parse') dropped.set(key, Refusals.reason(chain, bytes, refusal))
    throw methodError(
      isRepeated ? `couldn't issue tx: ${dropped.get(key)}` : Refusals.text(chain, bytes, refusal),
    )
  }
  const inputs = inputsOf(chain, bytes)
  const noRoom = refusalOfPool(pool, { chain, txId, bytes, inputs })
  if (noRoom !== undefined) throw methodError(noRoom)
  if (push(chain, [bytes]) === 0) {
    const cause = 'no validator is connected, so the transaction was not sent'
    throw methodError(chain === 'P' ? `couldn't issue tx: ${cause}` : cause)
  }
  const since = clock.now()
  add(pool, key, { chain, txId, bytes, inputs, since, pushedAt: since, refusal: undefined })
  start(follower)
  return txId
}
