import { Network } from '@firn/codec'

/** Kind of network, as clients distinguish it. Every network except Mainnet is a testnet. */
export type NetworkKind = 'mainnet' | 'testnet'

/** Names that stand for several networks. Clients that request them may not know the network's own name. */
const SHARED = ['local', 'testnet']

/**
 * Returns the accepted names of a network, each mapped to the network name in the answer. With an alias, every answer
 * contains the alias. Without an alias, answers contain the network's own name, except that answers of a custom network
 * repeat `local` and `testnet`.
 */
export function namesOf(networkId: number, alias: string | undefined): ReadonlyMap<string, string> {
  const isPublic = networkId === Network.MAINNET || networkId === Network.FUJI
  const own = alias ?? Network.formatName(networkId)
  const isRepeated = (name: string) => alias === undefined && !isPublic && SHARED.includes(name)
  return new Map(Network.names(networkId, alias).map((name) => [name, isRepeated(name) ? name : own]))
}

/** Returns the network kind for each accepted name of the network. */
export function kindsOf(networkId: number, alias?: string): ReadonlyMap<string, NetworkKind> {
  const kind = networkId === Network.MAINNET ? 'mainnet' : 'testnet'
  return new Map(Network.names(networkId, alias).map((name) => [name, kind]))
}
