import { Bytes } from '@firn/codec'
import type { L1 } from '../Genesis.ts'
import { type Chain, isPrimary, key, type State } from '../State.ts'
import type { ValidatorKeys } from '../Validator.ts'
import { pathNames } from './nodeApi.ts'
import type { Plan } from './plan.ts'

/** Returns the L1s that each node validates, by the node's index. */
export function trackedL1s(l1s: readonly L1[]): ReadonlyMap<number, readonly L1[]> {
  const tracked = new Map<number, L1[]>()
  for (const l1 of l1s) for (const node of l1.nodes) tracked.set(node, [...(tracked.get(node) ?? []), l1])
  return tracked
}

/** Returns the ids of the subnets that each node validates, by the node's id as text. */
export function trackedByNodeId(
  l1s: readonly L1[],
  validators: readonly { readonly nodeIdText: string }[],
): ReadonlyMap<string, readonly Uint8Array[]> {
  const tracked = [...trackedL1s(l1s)].flatMap(([index, validated]) => {
    const { nodeIdText } = validators[index] ?? {}
    return nodeIdText === undefined ? [] : [[nodeIdText, validated.map(({ subnetId }) => subnetId)] as const]
  })
  return new Map(tracked)
}

/**
 * Returns the chain if the node runs it, and undefined otherwise. A node runs the chains of the subnets
 * that it validates. Every node runs the P-chain, and every node except those that validate only L1s runs
 * the C-chain.
 */
export function chainOf(
  state: State,
  plan: Plan,
  chainId: Uint8Array,
  { index, identity }: ValidatorKeys,
): Chain | undefined {
  const chain = state.chains.get(key(chainId))
  if (chain === undefined || chain.vm === 'platformvm') return chain
  if (isPrimary(chain.subnetId)) return isL1Only(plan, index) ? undefined : chain
  const validates = [...state.l1Validators.values()].some(
    ({ nodeId, subnetId }) => Bytes.equals(nodeId, identity.nodeId) && Bytes.equals(subnetId, chain.subnetId),
  )
  return validates ? chain : undefined
}

function isL1Only({ l1s }: Plan, index: number): boolean {
  return l1s.some(({ options, nodes }) => options.nodes === 'own' && nodes.includes(index))
}

/** Returns the chain with a name: the name of an L1, of a chain, or a name in the paths of the node API. */
export function findChain(state: State, l1s: readonly L1[], text: string): Chain | undefined {
  const l1 = l1s.find(({ name }) => name === text)
  if (l1 !== undefined) return state.chains.get(key(l1.chain.id))
  return [...state.chains.values()].find((chain) => chain.name === text || pathNames(chain).includes(text))
}
