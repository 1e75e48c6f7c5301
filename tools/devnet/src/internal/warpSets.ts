import { ValidatorSets } from '@firn/node-api'
import { nodesOf, PRIMARY, type State } from '../State.ts'

/** Returns the nodes of a subnet in the form that the node API's functions take. */
export function membersOf(state: State, subnetId: Uint8Array) {
  return nodesOf(state, subnetId).map(({ publicKey, ...node }) => ({
    ...node,
    subnetId,
    publicKey: publicKey ?? undefined,
  }))
}

const made = new WeakMap<State, ValidatorSets.WarpSets>()

/**
 * Returns the canonical validator sets of a state by cb58 subnet id. Subnets without validators are omitted.
 */
export function getWarpSets(state: State): ValidatorSets.WarpSets {
  const known = made.get(state)
  if (known !== undefined) return known
  const l1s = [...state.subnets.values()].filter(({ conversion }) => conversion !== null)
  const members = [PRIMARY, ...l1s.map(({ id }) => id)].flatMap((subnetId) => membersOf(state, subnetId))
  const sets = ValidatorSets.canonical(members)
  made.set(state, sets)
  return sets
}
