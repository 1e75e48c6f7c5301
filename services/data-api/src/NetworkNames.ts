import type { Networks } from '@firn/genesis'
import type { NetworkKind } from './evm/EvmContext.ts'

type Named = Pick<Networks.Constants, 'networkId' | 'name'>

/** The public networks, by their names in answers. */
export const PUBLIC_NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'mainnet'],
  [5, 'fuji'],
])

/**
 * Returns the names of a network in paths, each with the name in the answers. With an alias all answers
 * contain that. Without one, answers about a network that is not public contain the name of the request:
 * clients know only `testnet`.
 */
export function namesOf(network: Named, alias: string | undefined): ReadonlyMap<string, string> {
  const given = namesInPaths(network)
  const publicName = PUBLIC_NAMES.get(network.networkId)
  const all = alias === undefined ? given : [alias, ...given]
  return new Map(all.map((name) => [name, alias ?? publicName ?? name]))
}

function namesInPaths({ networkId, name }: Named): readonly string[] {
  if (networkId === 1) return ['mainnet']
  return [...new Set([networkId === 5 ? 'fuji' : name, ...(networkId === 5 ? [] : ['local']), 'testnet'])]
}

/** Returns the kind of network for each name of a network. */
export function kindsOf(network: Named, alias: string | undefined): ReadonlyMap<string, NetworkKind> {
  const kind = network.networkId === 1 ? 'mainnet' : 'testnet'
  return new Map([...namesOf(network, alias).keys()].map((name) => [name, kind]))
}
