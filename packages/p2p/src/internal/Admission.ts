import * as Endpoint from '../Endpoint.ts'
import type { Timers } from '../Timers.ts'

/** Bounds on connections, enforced before TLS. */
export interface AdmissionLimits {
  /** Connections accepted per second; more wait. Default 256. */
  readonly acceptsPerSecond: number
  /** Number of connections that may exceed that rate in a burst. Default 257. */
  readonly acceptsBurst: number
  /** Simultaneous connections, unfinished ones included. Default 1,024. */
  readonly connections: number
  /** Milliseconds during which one address gets one connection; 0 disables this. Default 10,000. */
  readonly cooldownMs: number
  /** Number of addresses remembered for that. Default 2,560. */
  readonly cooldownAddresses: number
  /** Whether the machine's own addresses are exempt from the cooldown. Default true. */
  readonly exemptLoopback: boolean
}

/** The limits of a node. */
export const ADMISSION: AdmissionLimits = {
  acceptsPerSecond: 256,
  acceptsBurst: 257,
  connections: 1_024,
  cooldownMs: 10_000,
  cooldownAddresses: 2_560,
  exemptLoopback: true,
}

/** Remembers when each address connected. */
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

  /** Takes a turn in the accept rate; returns the milliseconds to wait for it. */
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

  /** Returns false when that address connected too recently, or when too many addresses did. */
  isWelcome(host: string): boolean {
    const { cooldownMs, cooldownAddresses, exemptLoopback } = this.#limits
    if (cooldownMs === 0 || (exemptLoopback && Endpoint.isLoopback(host))) return true
    const now = this.#timers.monotonic()
    // Insertion order is chronological, so the front expires first.
    for (const [address, at] of this.#lastSeen) {
      if (now - at < cooldownMs) break
      this.#lastSeen.delete(address)
    }
    if (this.#lastSeen.has(host) || this.#lastSeen.size >= cooldownAddresses) return false
    this.#lastSeen.set(host, now)
    return true
  }
}
