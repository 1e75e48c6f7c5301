import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { isFirnError } from '@firn/codec'
import type { Clock, Logger } from '@firn/runtime'
import { Lease, type LeasedStore, type LeaseOptions } from '@firn/sql'

/** Options of {@link lead}. */
export interface LeadOptions {
  readonly store: LeasedStore
  readonly lease: LeaseOptions
  readonly clock: Clock
  readonly log: Logger
  /** Fields that are added to every log line. */
  readonly facts?: object
  /** Called whenever another process turns out to hold the lease. */
  readonly onStandby: () => Promise<void>
}

/** Milliseconds between two attempts to take a lease that another process holds. */
const STANDBY_MS = 500

/**
 * Returns lease options for this process. The name of the lease's owner consists of machine name, process id
 * and a unique token.
 */
export function ownLease(): LeaseOptions {
  return { holder: `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}` }
}

/**
 * Runs `work` while this process holds the lease of a store, and stands by while another process holds it. If
 * the lease is lost, `work` is aborted, and it is restarted once the lease is held again. When the work is
 * done or the signal is aborted, the lease is released and the promise resolves.
 * @throws the errors of `work`, except those caused by a lost lease; StoreError `STORE_UNAVAILABLE`
 */
export async function lead(
  options: LeadOptions,
  work: (lease: Lease, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { log, facts } = options
  while (!signal.aborted) {
    const lease = await untilTaken(options, signal)
    if (lease === undefined) return
    try {
      await work(lease, AbortSignal.any([signal, lease.lost]))
      if (!lease.lost.aborted) return
    } catch (error) {
      // An error that occurs after the lease was lost is treated as a consequence of the loss.
      const isFenced = lease.lost.aborted || (isFirnError(error) && error.code === 'STORE_FENCED')
      if (!isFenced) throw error
    } finally {
      await lease.release()
    }
    log.warn({ ...facts, holder: lease.holder }, 'another process now writes to this database')
  }
}

/** Waits until this process holds the lease, and returns it. Returns undefined if the signal is aborted. */
async function untilTaken(options: LeadOptions, signal: AbortSignal): Promise<Lease | undefined> {
  const { store, clock, log, facts } = options
  let known: string | undefined
  while (!signal.aborted) {
    const lease = await Lease.take(store, options.lease)
    if (lease !== undefined) return lease
    const found = await Lease.holderOf(store)
    if (found !== undefined && found.holder !== known) log.info({ ...facts, ...found }, 'standing by')
    known = found?.holder ?? known
    await options.onStandby()
    await clock.sleep(STANDBY_MS, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }
  return undefined
}
