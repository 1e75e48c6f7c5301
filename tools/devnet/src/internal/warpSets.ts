import { PublicKey } from '@firn/bls'
import { Id } from '@firn/codec'
import { ValidatorSet } from '@firn/warp'
import { key, nodesOf, PRIMARY, type State } from '../State.ts'

/** A set in the form of platform.getAllValidatorsAt. */
interface WarpSet {
  readonly validators: readonly {
    readonly publicKey: Uint8Array
    readonly weight: bigint
    readonly nodeIDs: readonly Uint8Array[]
  }[]
  readonly totalWeight: bigint
}

/** Canonical sets by state, computed once for each set of validators. */
export interface WarpSets {
  /** By subnet id in cb58; subnets without validators are absent. */
  of(state: State): ReadonlyMap<string, WarpSet>
}

/** Returns a source of sets that caches its results. */
export function createWarpSets(): WarpSets {
  const keys = new Map<string, PublicKey.PublicKey>()
  const primary = new WeakMap<State['primary'], WarpSet>()
  const l1s = new WeakMap<State['l1Validators'], ReadonlyMap<string, WarpSet>>()
  const decodePublicKey = (bytes: Uint8Array) => {
    const known = keys.get(key(bytes)) ?? PublicKey.decode(bytes)
    keys.set(key(bytes), known)
    return known
  }
  const make = (state: State, subnetId: Uint8Array): WarpSet => {
    const set = ValidatorSet.create(nodesOf(state, subnetId), { decodePublicKey })
    const validators = set.validators.map(({ publicKey, weight, nodeIds }) => ({
      publicKey: publicKey.compressed,
      weight,
      nodeIDs: nodeIds,
    }))
    return { validators, totalWeight: set.totalWeight }
  }
  const makeL1s = (state: State) => {
    const subnets = [...state.subnets.values()].filter(({ conversion }) => conversion !== null)
    return new Map(subnets.map(({ id }) => [Id.format(id), make(state, id)]))
  }
  return {
    of(state) {
      const first = remember(primary, state.primary, () => make(state, PRIMARY))
      const rest = remember(l1s, state.l1Validators, () => makeL1s(state))
      const all = new Map([[Id.format(PRIMARY), first], ...rest])
      return new Map([...all].filter(([, { totalWeight }]) => totalWeight > 0n))
    },
  }
}

function remember<K extends WeakKey, V>(known: WeakMap<K, V>, at: K, make: () => V): V {
  const found = known.get(at) ?? make()
  known.set(at, found)
  return found
}
