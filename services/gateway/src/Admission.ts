import { Refusals } from '@firn/http'
import type { BypassToken } from './BypassTokens.ts'
import { GatewayError } from './GatewayError.ts'
import type { Limits } from './Limits.ts'
import { createTokenBuckets, type Rate } from './TokenBuckets.ts'

/** The caller of a request. */
export interface Caller {
  /** Rate-limit key derived from the caller's address. */
  readonly address: string
  readonly bypass: BypassToken | undefined
}

/**
 * Enforces the limits of callers. Some methods return a function that releases the reserved resources. Only the first
 * call of such a function has an effect.
 */
export interface Admission {
  /**
   * Admits a connection from an address; undefined means that the connection comes from a proxy. Returns
   * undefined if there are too many connections, or if the caller at this address ignored too many refusals.
   */
  connect(address: string | undefined): (() => void) | undefined
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
  refuse(address: string): boolean
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
  /** Numbers of open connections, running requests and waiting bytes. */
  readonly held: { readonly connections: number; readonly requests: number; readonly bytes: number }
}

/** Number of seconds in which a bypass token's empty bucket fills up, which determines the size of the bucket. */
const BURST_SECONDS = 10

/** Creates an {@link Admission} that enforces the limits per address and in total. */
export function createAdmission(limits: Limits, now: () => number): Admission {
  const buckets = createTokenBuckets(limits.addresses, now)
  const refusals = createTokenBuckets(limits.addresses, now)
  const [connections, requests] = [new Map<string, number>(), new Map<string, number>()]
  const held = { connections: 0, requests: 0, bytes: 0 }
  const hold = (kind: keyof typeof held, count: number) => {
    held[kind] += count
    return once(() => {
      held[kind] -= count
    })
  }
  const take = (caller: Caller, credits: number) => {
    const allowance = allowanceOf(caller, limits)
    return allowance === undefined ? 0 : buckets.take(allowance.name, credits, allowance.rate)
  }
  const spend = (caller: Caller, credits: number) => {
    const retryAfterMs = take(caller, credits)
    if (retryAfterMs > 0) {
      refused(allowanceOf(caller, limits)?.name ?? caller.address, 'credits')
      const message = `too many requests; retry in ${Math.ceil(retryAfterMs / 1000)} s`
      throw new GatewayError('GATEWAY_RATE', message, { details: { retryAfterMs } })
    }
  }
  return {
    held,
    spend,
    connect(address) {
      if (held.connections >= limits.connections) return undefined
      if (address === undefined) return hold('connections', 1)
      if (limits.refusals !== undefined && refusals.lacks(address, limits.refusals)) return undefined
      const release = countOf(connections, address, limits.connectionsPerAddress)
      return release && both(release, hold('connections', 1))
    },
    refuse: (address) => limits.refusals === undefined || refusals.take(address, 1, limits.refusals) === 0,
    begin(caller) {
      if (held.requests >= limits.requests) {
        throw new GatewayError('GATEWAY_BUSY', 'too many requests are in progress; try again later', BUSY)
      }
      // This charge fails if the caller has less than one credit left.
      spend(caller, 1)
      if (caller.bypass !== undefined) return hold('requests', 1)
      const release = countOf(requests, caller.address, limits.requestsPerAddress)
      if (release !== undefined) return both(release, hold('requests', 1))
      refused(caller.address, 'requests in progress')
      throw new GatewayError(
        'GATEWAY_RATE',
        'too many requests from this address are in progress; try again later',
        BUSY,
      )
    },
    charge(caller, credits) {
      const allowance = allowanceOf(caller, limits)
      if (allowance !== undefined) buckets.charge(allowance.name, credits, allowance.rate)
    },
    headersOf(caller) {
      const allowance = allowanceOf(caller, limits)
      if (allowance === undefined) return {}
      const { burst, perSecond } = allowance.rate
      const left = Math.floor(buckets.left(allowance.name, allowance.rate))
      return {
        'ratelimit-policy': `${burst};w=${Math.ceil(burst / perSecond)}`,
        'ratelimit-limit': String(burst),
        'ratelimit-remaining': String(Math.max(0, left)),
        'ratelimit-reset': String(Math.ceil((burst - left) / perSecond)),
      }
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

function allowanceOf(
  { address, bypass }: Caller,
  { rate }: Limits,
): { readonly name: string; readonly rate: Rate } | undefined {
  if (bypass === undefined) return rate && { name: address, rate }
  const { name, creditsPerSecond: perSecond } = bypass
  if (perSecond === undefined) return undefined
  return { name: `token ${name}`, rate: { perSecond, burst: BURST_SECONDS * perSecond } }
}

function countOf(counts: Map<string, number>, name: string, most: number): (() => void) | undefined {
  const count = counts.get(name) ?? 0
  if (count >= most) return undefined
  counts.set(name, count + 1)
  return once(() => {
    const left = (counts.get(name) ?? 1) - 1
    if (left === 0) counts.delete(name)
    else counts.set(name, left)
  })
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
