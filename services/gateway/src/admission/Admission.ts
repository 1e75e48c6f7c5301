import { type IpAddress, RateLimiter, Refusals } from '@firn/http'
import { GatewayError } from '../GatewayError.ts'
import type { Limits } from '../Limits.ts'
import type { BypassToken } from './BypassTokens.ts'

/** The caller of a request. */
export interface Caller {
  /** Rate-limit keys derived from the caller's address. */
  readonly keys: IpAddress.LimitKeys
  readonly bypass: BypassToken | undefined
}

/**
 * Enforces the limits of callers. Some methods return a function that releases the reserved resources. Only the first
 * call of such a function has an effect.
 */
export interface Admission {
  /** Returns whether connections of an address are refused, because its caller ignored too many refusals. */
  isBanned(keys: IpAddress.LimitKeys): boolean
  /**
   * Admits the start of a request and charges one credit.
   * @throws GatewayError `GATEWAY_BUSY`, `GATEWAY_RATE`
   */
  begin(caller: Caller): () => void
  /**
   * Charges credits for calls.
   * @throws GatewayError `GATEWAY_RATE`
   */
  spend(caller: Caller, credits: number): void
  /**
   * Counts a refused request of an address. Returns false if the caller at this address ignored too many
   * refusals.
   */
  refuse(keys: IpAddress.LimitKeys): boolean
  /**
   * Charges credits for messages that the caller did not request. The charge always succeeds, because such
   * messages cannot be refused.
   */
  charge(caller: Caller, credits: number): void
  /**
   * Reserves memory for bytes that are waiting to be forwarded.
   * @throws GatewayError `GATEWAY_BUSY`
   */
  hold(bytes: number): () => void
  /** Returns the rate-limit headers for a caller. Returns no headers if the caller has no limit. */
  headersOf(caller: Caller): Readonly<Record<string, string>>
  /** Numbers of running requests and waiting bytes. */
  readonly held: { readonly requests: number; readonly bytes: number }
}

/** Number of seconds in which a bypass token's empty bucket fills up, which determines the size of the bucket. */
const BURST_SECONDS = 10

/** Creates an {@link Admission} that enforces the limits per address and in total. */
export function createAdmission(limits: Limits, now: () => number): Admission {
  const limiter = RateLimiter.create({ keys: limits.addresses, now })
  const refusals = RateLimiter.create({ keys: limits.addresses, now })
  const requests = new Map<string, number>()
  const held = { requests: 0, bytes: 0 }
  const hold = (kind: keyof typeof held, count: number) => {
    held[kind] += count
    return once(() => {
      held[kind] -= count
    })
  }
  const take = (caller: Caller, credits: number) => {
    const allowance = allowanceOf(caller, limits)
    return allowance === undefined ? 0 : limiter.take(allowance.keys, credits, allowance.rate)
  }
  const spend = (caller: Caller, credits: number) => {
    const retryAfterMs = take(caller, credits)
    if (retryAfterMs > 0) {
      refused(nameOf(caller), 'credits')
      const message = `too many requests; retry in ${Math.ceil(retryAfterMs / 1000)} s`
      throw new GatewayError('GATEWAY_RATE', message, { details: { retryAfterMs } })
    }
  }
  return {
    held,
    spend,
    isBanned: (keys) =>
      limits.refusals !== undefined && refusals.left(keys, limits.refusals) < limits.refusals.burst / 2,
    refuse: (keys) => limits.refusals === undefined || refusals.take(keys, 1, limits.refusals) === 0,
    begin(caller) {
      if (held.requests >= limits.requests) {
        throw new GatewayError('GATEWAY_BUSY', 'too many requests are in progress; try again later', BUSY)
      }
      // This charge fails if the caller has less than one credit left.
      spend(caller, 1)
      if (caller.bypass !== undefined) return hold('requests', 1)
      const release = countOf(requests, caller.keys, limits.requestsPerAddress)
      if (release !== undefined) return both(release, hold('requests', 1))
      refused(caller.keys[0].key, 'requests in progress')
      throw new GatewayError(
        'GATEWAY_RATE',
        'too many requests from this address are in progress; try again later',
        BUSY,
      )
    },
    charge(caller, credits) {
      const allowance = allowanceOf(caller, limits)
      if (allowance !== undefined) limiter.charge(allowance.keys, credits, allowance.rate)
    },
    headersOf(caller) {
      const allowance = allowanceOf(caller, limits)
      if (allowance === undefined) return {}
      return RateLimiter.headers(allowance.rate, limiter.left(allowance.keys, allowance.rate))
    },
    hold(bytes) {
      if (held.bytes + bytes <= limits.waitingBytes) return hold('bytes', bytes)
      throw new GatewayError(
        'GATEWAY_BUSY',
        'too much data is waiting to be forwarded; try again later',
        BUSY,
      )
    },
  }
}

/** Reports a refused request to the operators. */
function refused(caller: string, limit: string): void {
  Refusals.publish({ service: 'gateway', caller, limit })
}

const BUSY = { details: { retryAfterMs: 1_000 } }

function nameOf({ keys, bypass }: Caller): string {
  return bypass === undefined ? keys[0].key : `token ${bypass.name}`
}

interface Allowance {
  readonly keys: IpAddress.LimitKeys
  readonly rate: RateLimiter.Rate
}

function allowanceOf(caller: Caller, { rate }: Limits): Allowance | undefined {
  const { keys, bypass } = caller
  if (bypass === undefined) return rate && { keys, rate }
  const { creditsPerSecond: perSecond } = bypass
  if (perSecond === undefined) return undefined
  return { keys: RateLimiter.named(nameOf(caller)), rate: { perSecond, burst: BURST_SECONDS * perSecond } }
}

/** Counts a caller under each of its keys. Returns undefined if there are too many under one of them. */
function countOf(
  counts: Map<string, number>,
  keys: IpAddress.LimitKeys,
  most: number,
): (() => void) | undefined {
  if (keys.some(({ key, factor }) => (counts.get(key) ?? 0) >= most * factor)) return undefined
  const add = (change: number) => {
    for (const { key } of keys) {
      const count = (counts.get(key) ?? 0) + change
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
    }
  }
  add(1)
  return once(() => add(-1))
}

function both(one: () => void, other: () => void): () => void {
  return () => {
    one()
    other()
  }
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
