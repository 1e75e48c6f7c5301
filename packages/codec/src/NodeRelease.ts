/** A release of avalanchego. */
export interface NodeRelease {
  readonly major: number
  readonly minor: number
  readonly patch: number
}

/** First release of avalanchego with the rules of each network upgrade, in activation order. */
export const RELEASES = {
  apricotPhase1: [1, 3, 0],
  apricotPhase2: [1, 4, 0],
  apricotPhase3: [1, 5, 0],
  apricotPhase4: [1, 6, 0],
  apricotPhase5: [1, 7, 0],
  apricotPhasePre6: [1, 8, 0],
  apricotPhase6: [1, 8, 0],
  apricotPhasePost6: [1, 8, 0],
  banff: [1, 9, 0],
  cortina: [1, 10, 0],
  durango: [1, 11, 0],
  etna: [1, 12, 0],
  fortuna: [1, 13, 0],
  granite: [1, 14, 0],
  helicon: [1, 15, 0],
} as const satisfies Readonly<Record<string, readonly [number, number, number]>>

/** The name of a network upgrade. */
export type Upgrade = keyof typeof RELEASES

/** Names of the network upgrades in activation order. */
export const UPGRADES = Object.keys(RELEASES) as readonly Upgrade[]

/**
 * Returns the first release with the rules of an upgrade.
 * @example
 * ```ts
 * import { NodeRelease } from '@firn/codec'
 *
 * NodeRelease.of('granite') // { major: 1, minor: 14, patch: 0 }
 * ```
 */
export function of(upgrade: Upgrade): NodeRelease {
  const [major, minor, patch] = RELEASES[upgrade]
  return { major, minor, patch }
}

/** The release that Firn claims to be, to peers and in the node API: the first one with the newest known upgrade. */
export const CLAIMED: NodeRelease = of(UPGRADES.at(-1) as Upgrade)
