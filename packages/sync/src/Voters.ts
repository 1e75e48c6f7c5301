import { Hex } from '@firn/codec'

/** A node whose word counts, with its weight: a validator with its stake, or a beacon. */
export interface Voter {
  /** NodeID (20 bytes). */
  readonly nodeId: Uint8Array
  readonly weight: bigint
}

/**
 * Returns voters of weight 1 each, as beacons are.
 *
 * @example
 * ```ts
 * import { NodeId } from '@firn/codec'
 * import { Voters } from '@firn/sync'
 *
 * const beacons = Voters.beacons([NodeId.parse('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')])
 * ```
 */
export function beacons(nodeIds: readonly Uint8Array[]): readonly Voter[] {
  return nodeIds.map((nodeId) => ({ nodeId, weight: 1n }))
}

/**
 * Returns the sum of the voters' weights.
 *
 * @example
 * ```ts
 * import { Voters } from '@firn/sync'
 *
 * Voters.totalWeight(Voters.beacons([new Uint8Array(20)])) // 1n
 * ```
 */
export function totalWeight(voters: readonly Voter[]): bigint {
  return voters.reduce((sum, { weight }) => sum + weight, 0n)
}

/**
 * Returns the sum of the weights of the voters that are among `connected`.
 *
 * @example
 * ```ts
 * import { Voters } from '@firn/sync'
 *
 * const voters = Voters.beacons([new Uint8Array(20)])
 * Voters.connectedWeight(voters, []) // 0n
 * ```
 */
export function connectedWeight(voters: readonly Voter[], connected: Iterable<Uint8Array>): bigint {
  const keys = new Set(Array.from(connected, Hex.encodeBare))
  return totalWeight(voters.filter(({ nodeId }) => keys.has(Hex.encodeBare(nodeId))))
}

/**
 * Returns up to `count` different voters, drawn one after another with probabilities proportional to their weights.
 * `random` returns numbers in [0, 1).
 *
 * @example
 * ```ts
 * import { Voters } from '@firn/sync'
 *
 * declare const validators: readonly Voters.Voter[]
 * const asked = Voters.sample(validators, 20, Math.random)
 * ```
 */
export function sample(voters: readonly Voter[], count: number, random: () => number): readonly Voter[] {
  const left = voters.filter(({ weight }) => weight > 0n)
  const drawn: Voter[] = []
  let total = totalWeight(left)
  while (drawn.length < count && left.length > 0) {
    const place = placeOf(left, pick(total, random))
    const [voter] = left.splice(place, 1) as [Voter]
    total -= voter.weight
    drawn.push(voter)
  }
  return drawn
}

/**
 * Returns `count` independent draws of voters, each with probabilities proportional to the weights. A voter can be
 * drawn several times. Returns an empty array if no voter has weight.
 *
 * @example
 * ```ts
 * import { Voters } from '@firn/sync'
 *
 * declare const validators: readonly Voters.Voter[]
 * const draws = Voters.draw(validators, 20, Math.random)
 * ```
 */
export function draw(voters: readonly Voter[], count: number, random: () => number): readonly Voter[] {
  const total = totalWeight(voters)
  if (total === 0n) return []
  return Array.from({ length: count }, () => voters[placeOf(voters, pick(total, random))] as Voter)
}

/** Number of bits of a random number: the precision of a double. */
const RANDOM_BITS = 53

/** Returns a uniform integer in [0, total), up to the precision of a double. */
function pick(total: bigint, random: () => number): bigint {
  return (total * BigInt(Math.floor(random() * 2 ** RANDOM_BITS))) >> BigInt(RANDOM_BITS)
}

function placeOf(voters: readonly Voter[], at: bigint): number {
  let sum = 0n
  const place = voters.findIndex(({ weight }) => {
    sum += weight
    return at < sum
  })
  return place < 0 ? voters.length - 1 : place
}
