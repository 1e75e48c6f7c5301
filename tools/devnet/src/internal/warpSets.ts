import { ValidatorSets } from '@firn/node-api'
import { nodesOf, PRIMARY, type State } from '../State.ts'

const made = new WeakMap<State, ValidatorSets.WarpSets>()

/**
 * Returns the canonical validator sets of a state by cb58 subnet id. Subnets without validators are omitted.
 */
export function getWarpSets(state: State): ValidatorSets.WarpSets {
  const known = made.get(state)
  if (known !== undefined) return known
  const l1s = [...state.subnets.values()].filter(({ conversion }) => conversion !== null)
  const members = [PRIMARY, ...l1s.map(({ id }) => id)].flatMap((subnetId) =>
    nodesOf(state, subnetId).map(({ nodeId, publicKey, weight }) => ({
      subnetId,
      nodeId,
      publicKey: publicKey ?? undefined,
      weight,
    })),
  )
  const sets = ValidatorSets.canonical(members)
  made.set(state, sets)
  return sets
}
