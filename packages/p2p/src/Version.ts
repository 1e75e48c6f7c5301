import { NodeRelease } from '@firn/codec'

/** A software version as peers announce it. Versions are compared by their numbers, not by the name. */
export interface Version {
  readonly name: string
  readonly major: number
  readonly minor: number
  readonly patch: number
}

/** The minimum versions that a peer accepts, before and after the network's upgrade time. */
export interface Compatibility {
  /** Time of the newest scheduled upgrade, in Unix seconds; peers send it in their Handshake. */
  readonly upgradeTime: bigint
  /** The minimum version accepted before `upgradeTime`. */
  readonly before: Version
  /** The minimum version accepted from `upgradeTime` on. */
  readonly after: Version
}

const version = (release: NodeRelease.NodeRelease): Version => ({ name: 'avalanchego', ...release })

/** The version announced by default. Mainnet and Fuji accept it, also after their Helicon upgrades. */
export const CLAIMED: Version = version(NodeRelease.CLAIMED)

const [FORTUNA, GRANITE, HELICON] = [
  version(NodeRelease.of('fortuna')),
  version(NodeRelease.of('granite')),
  version(NodeRelease.of('helicon')),
]

/** Mainnet: the Helicon upgrade of 2026-09-22 15:00 UTC raised the minimum to 1.15.0. */
export const MAINNET: Compatibility = {
  upgradeTime: 1_790_089_200n,
  before: GRANITE,
  after: HELICON,
}

/** Fuji: the Helicon upgrade of 2026-07-28 15:00 UTC raised the minimum to 1.15.0. */
export const FUJI: Compatibility = {
  upgradeTime: 1_785_250_800n,
  before: GRANITE,
  after: HELICON,
}

/**
 * All other networks: Granite is active since genesis. Its time in avalanchego is the constant 2020-12-05 05:00 UTC.
 */
export const CUSTOM: Compatibility = {
  upgradeTime: 1_607_144_400n,
  before: FORTUNA,
  after: GRANITE,
}

/**
 * Returns the rule of a network: 1 is Mainnet, 5 is Fuji, all others use {@link CUSTOM}.
 *
 * @example
 * ```ts
 * import { Version } from '@firn/p2p'
 *
 * const { before, after } = Version.compatibility(1)
 * ```
 */
export function compatibility(networkId: number): Compatibility {
  if (networkId === 1) return MAINNET
  return networkId === 5 ? FUJI : CUSTOM
}

/**
 * Compares two versions by (major, minor, patch) and returns −1, 0 or 1.
 *
 * @example
 * ```ts
 * import { Version } from '@firn/p2p'
 *
 * Version.compare({ ...Version.CLAIMED, minor: 14 }, { ...Version.CLAIMED, minor: 15 }) // -1
 * ```
 */
export function compare(a: Version, b: Version): -1 | 0 | 1 {
  const difference = a.major - b.major || a.minor - b.minor || a.patch - b.patch
  return difference === 0 ? 0 : difference < 0 ? -1 : 1
}

/**
 * Returns whether a peer's version is acceptable at `now` (Unix seconds). The version must not be below the
 * minimum, and its major version must not be above this side's. Newer minor and patch versions are
 * acceptable.
 *
 * @example
 * ```ts
 * import { Version } from '@firn/p2p'
 *
 * const newer = { ...Version.CLAIMED, patch: 99 }
 * Version.isCompatible(newer, Version.CLAIMED, Version.compatibility(1), 1_767_225_600n) // true
 * ```
 */
export function isCompatible(claim: Version, own: Version, rule: Compatibility, now: bigint): boolean {
  if (claim.major > own.major) return false
  return compare(claim, now >= rule.upgradeTime ? rule.after : rule.before) >= 0
}

/**
 * Formats a version as `name/1.2.3`, as nodes do.
 *
 * @example
 * ```ts
 * import { Version } from '@firn/p2p'
 *
 * Version.format(Version.CLAIMED) // 'avalanchego/1.15.0'
 * ```
 */
export function format(claim: Version): string {
  return `${claim.name}/${claim.major}.${claim.minor}.${claim.patch}`
}
