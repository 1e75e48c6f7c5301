import type { Networks } from '@firn/genesis'
import type { NetworkKind } from './evm/EvmContext.ts'

type Named = Pick<Networks.Constants, 'networkId' | 'name'>

/** Names of the public networks in answers, by network id. */
export const PUBLIC_NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'mainnet'],
  [5, 'fuji'],
])

/**
 * Returns the accepted names of a network in paths, each mapped to the network name in the answer. With an alias,
 * every answer contains the alias. Without an alias, answers of a public network contain its public name. Answers of
 * a custom network repeat the name in the request, because a client that requests `testnet` does not know the
 * network's own name.
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

/** Returns the network kind for each accepted name of the network. */
export function kindsOf(network: Named, alias: string | undefined): ReadonlyMap<string, NetworkKind> {
  const kind = network.networkId === 1 ? 'mainnet' : 'testnet'
  return new Map([...namesOf(network, alias).keys()].map((name) => [name, kind]))
}
