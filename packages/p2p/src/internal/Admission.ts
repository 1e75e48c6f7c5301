import * as Endpoint from '../Endpoint.ts'
import type { Timers } from '../Timers.ts'

/** Limits on connections, enforced before TLS. */
export interface AdmissionLimits {
  /** Maximum number of connections accepted per second; further ones are delayed. Default 256. */
  readonly acceptsPerSecond: number
  /** Number of connections that may exceed the accept rate in a burst. Default 257. */
  readonly acceptsBurst: number
  /** Maximum number of simultaneous connections, unfinished ones included. Default 1,024. */
  readonly connections: number
  /** Milliseconds during which one address may connect only once; 0 disables the limit. Default 10,000. */
  readonly cooldownMs: number
  /** Maximum number of addresses remembered for the cooldown. Default 2,560. */
  readonly cooldownAddresses: number
  /** Whether loopback addresses are exempt from the cooldown. Default true. */
  readonly exemptLoopback: boolean
}

/** The default limits, which are the limits of a node. */
export const ADMISSION: AdmissionLimits = {
  acceptsPerSecond: 256,
  acceptsBurst: 257,
  connections: 1_024,
  cooldownMs: 10_000,
  cooldownAddresses: 2_560,
  exemptLoopback: true,
}

/** Enforces the limits on new connections: the accept rate and the cooldown per address. */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #timers: Timers
  readonly #lastSeen = new Map<string, number>()
  #tokens: number
  #refilledAt: number

  constructor(limits: AdmissionLimits, timers: Timers) {
    this.#limits = limits
    this.#timers = timers
    this.#tokens = limits.acceptsBurst
    this.#refilledAt = timers.monotonic()
  }

  /** Reserves a slot in the accept rate. Returns the milliseconds to wait for it. */
  take(): number {
    const { acceptsBurst, acceptsPerSecond } = this.#limits
    const now = this.#timers.monotonic()
    this.#tokens = Math.min(
      acceptsBurst,
      this.#tokens + ((now - this.#refilledAt) / 1_000) * acceptsPerSecond,
    )
    this.#refilledAt = now
    this.#tokens--
    return this.#tokens >= 0 ? 0 : (-this.#tokens / acceptsPerSecond) * 1_000
  }

  /** Returns false if this address connected within the cooldown, or if too many addresses are remembered. */
  isWelcome(host: string): boolean {
    const { cooldownMs, cooldownAddresses, exemptLoopback } = this.#limits
    if (cooldownMs === 0 || (exemptLoopback && Endpoint.isLoopback(host))) return true
    const now = this.#timers.monotonic()
    // The map is in chronological order, so its first entries expire first.
    for (const [address, at] of this.#lastSeen) {
      if (now - at < cooldownMs) break
      this.#lastSeen.delete(address)
    }
    if (this.#lastSeen.has(host) || this.#lastSeen.size >= cooldownAddresses) return false
    this.#lastSeen.set(host, now)
    return true
  }
}
