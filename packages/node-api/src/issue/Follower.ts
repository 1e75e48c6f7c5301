import { Id } from '@firn/codec'
import type { Clock, Logger } from '@firn/runtime'
import type { IssuerOptions, Limits } from './IssuerOptions.ts'
import { drop, type Pending, type PendingPool, remove } from './PendingPool.ts'
import * as Refusals from './Refusals.ts'

/** Maximum number of bytes that one message pushes. */
const MAX_PUSH = 256 * 2 ** 10

/** Looks at pending transactions until they are accepted, invalid or expired. */
export interface Follower extends Pick<IssuerOptions, 'verify' | 'push' | 'isAccepted'> {
  readonly pool: PendingPool
  readonly limits: Limits
  readonly clock: Clock
  readonly log: Logger
  readonly stop: AbortController
  /** Number of times that blocks were accepted; undefined if nobody reports it. */
  advances: number | undefined
  /** The number of advances at the last look. */
  lookedUp: number
  /** The loop, which runs while there are pending transactions. */
  loop: Promise<void> | undefined
}

/** Starts to follow the pending transactions, unless it has started. */
export function start(follower: Follower): void {
  follower.loop ??= follow(follower).finally(() => {
    follower.loop = undefined
  })
}

async function follow(follower: Follower): Promise<void> {
  const { pool, stop, clock, limits, log } = follower
  while (pool.pending.size > 0 && !stop.signal.aborted) {
    await clock.sleep(limits.roundMs, stop.signal).catch(() => undefined)
    await round(follower).catch((error) => log.debug({}, `cannot follow issued transactions: ${error}`))
  }
}

async function round(follower: Follower): Promise<void> {
  const { pool, stop, advances, push, log } = follower
  const again: Pending[] = []
  const hasAdvanced = advances === undefined || advances !== follower.lookedUp
  follower.lookedUp = advances ?? 0
  for (const [key, one] of [...pool.pending]) {
    if (stop.signal.aborted) return
    if (await look(follower, key, one, hasAdvanced)) again.push(one)
  }
  for (const [chain, ones] of Map.groupBy(again, ({ chain }) => chain)) {
    const count = batches(ones).reduce((most, batch) => Math.max(most, push(chain, batch)), 0)
    log.debug({ chain, transactions: ones.length, validators: count }, 'pushed pending transactions again')
  }
}

/** Looks at one pending transaction. Returns true if it should be pushed again. */
async function look(follower: Follower, key: string, one: Pending, hasAdvanced: boolean): Promise<boolean> {
  const { verify, isAccepted, pool, limits, clock } = follower
  const { chain, txId, bytes, since } = one
  const now = clock.now()
  const isDue = now - one.pushedAt >= limits.pushMs
  if ((hasAdvanced || isDue) && (await isAccepted(chain, txId))) {
    remove(pool, key, one)
    return false
  }
  if (now - since >= limits.expiryMs) {
    const reason = `not seen in an accepted block within ${Math.round(limits.expiryMs / 1000)} s`
    dropLogged(follower, key, one, reason)
    return false
  }
  if (!isDue) return false
  one.pushedAt = now
  const refusal = await verify(chain, bytes)
  const reason = refusal && Refusals.reason(chain, bytes, refusal)
  // The block that contains the transaction may be applied, but not stored yet.
  if (reason !== undefined && one.refusal !== undefined) dropLogged(follower, key, one, reason)
  one.refusal = reason
  return reason === undefined
}

function dropLogged({ pool, log }: Follower, key: string, one: Pending, reason: string): void {
  drop(pool, key, one, reason)
  log.info({ chain: one.chain, txId: Id.format(one.txId), reason }, 'dropped an issued transaction')
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
