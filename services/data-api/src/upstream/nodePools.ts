import { type Connection, type ConnectionOptions, connect, createPool, type Pool } from '@firn/rpc'

/** The connections to the nodes of each chain, by EVM chain id. */
export type NodePools = ReadonlyMap<bigint, Pool<Connection>>

/** Returns the time for a node to answer: less than the request has, so that lists are answered without a node that hangs. */
export const patienceOf = (requestTimeoutMs: number): number => Math.ceil(requestTimeoutMs * 0.4)

/** Creates a pool of connections for each chain that has nodes. `nodes` contains the nodes' URLs by EVM chain id. */
export function createNodePools(
  nodes: ReadonlyMap<bigint, readonly string[]>,
  transport: Pick<ConnectionOptions, 'fetch' | 'observe' | 'timeoutMs'>,
  now: () => number,
): NodePools {
  return new Map(
    [...nodes].flatMap(([chainId, urls]) => {
      if (urls.length === 0) return []
      return [
        [
          chainId,
          createPool({
            values: urls.map((url) => connect({ url, ...transport })),
            now,
          }),
        ],
      ]
    }),
  )
}
