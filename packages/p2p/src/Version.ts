/** A software version as peers claim it: compared by its numbers; the name is not compared. */
export interface Version {
  readonly name: string
  readonly major: number
  readonly minor: number
  readonly patch: number
}

/** The versions that a peer accepts, and the network's upgrade time that switches between two minimums. */
export interface Compatibility {
  /** Unix seconds of the newest scheduled upgrade; peers send it in their Handshake. */
  readonly upgradeTime: bigint
  /** The minimum version accepted before `upgradeTime`. */
  readonly before: Version
  /** The minimum version accepted from `upgradeTime` on. */
  readonly after: Version
}

const version = (major: number, minor: number, patch: number): Version => ({
  name: 'avalanchego',
  major,
  minor,
  patch,
})

/** The default claimed version: accepted by Mainnet, and by Fuji after its Helicon upgrade. */
export const CLAIMED: Version = version(1, 15, 0)

/** Mainnet: the Granite upgrade of 2025-11-19 16:00 UTC raised the minimum to 1.14.0. */
export const MAINNET: Compatibility = {
  upgradeTime: 1_763_568_000n,
  before: version(1, 13, 0),
  after: version(1, 14, 0),
}

/** Fuji: the Helicon upgrade of 2026-07-28 15:00 UTC raised the minimum to 1.15.0. */
export const FUJI: Compatibility = {
  upgradeTime: 1_785_250_800n,
  before: version(1, 14, 0),
  after: version(1, 15, 0),
}

/** Every other network: Granite since genesis (the reference's "long ago", 2020-12-05 05:00 UTC). */
export const CUSTOM: Compatibility = {
  upgradeTime: 1_607_144_400n,
  before: version(1, 13, 0),
  after: version(1, 14, 0),
}

/** Returns the rule of a network: 1 is Mainnet, 5 is Fuji, all others are custom. */
export function compatibility(networkId: number): Compatibility {
  if (networkId === 1) return MAINNET
  return networkId === 5 ? FUJI : CUSTOM
}

/** Returns −1, 0 or 1 by (major, minor, patch). */
export function compare(a: Version, b: Version): -1 | 0 | 1 {
  const difference = a.major - b.major || a.minor - b.minor || a.patch - b.patch
  return difference === 0 ? 0 : difference < 0 ? -1 : 1
}

/**
 * Returns whether a peer's claim is acceptable at `now` (Unix seconds): its major version is not above one's
 * own, and it is not below the minimum. A newer minor or patch is acceptable.
 */
export function isCompatible(claim: Version, own: Version, rule: Compatibility, now: bigint): boolean {
  if (claim.major > own.major) return false
  return compare(claim, now >= rule.upgradeTime ? rule.after : rule.before) >= 0
}

/** Formats as `name/1.2.3`, the form nodes show. */
export function format(claim: Version): string {
  return `${claim.name}/${claim.major}.${claim.minor}.${claim.patch}`
}
