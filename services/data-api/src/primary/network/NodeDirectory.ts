import { excerpt, Hex, NodeId } from '@firn/codec'
import { type Snapshot, Stakers, type Store } from '@firn/store'
import { LRUCache } from 'lru-cache'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Names from './Names.ts'

/** A node by its 20-byte id, or several nodes by a part of the node id's text. */
export type NodeSelector = Uint8Array | string

/** Maximum number of node ids and parts of node ids per request. */
const MAX_NODES = 64
/** Maximum number of nodes that are searched. */
const MAX_SEARCHED = 50_000
/** Maximum number of nodes that the parts in a request may match together. */
const MAX_FOUND = 1_000

const PART = /^(NodeID-)?[1-9A-HJ-NP-Za-km-z]{1,34}$/

/** Parameter for node ids or parts of node ids. */
export const nodeSelectors: Parameter.Parameter<readonly NodeSelector[]> = Parameter.list(
  'node ids or parts of node ids',
  MAX_NODES,
  (text) => Names.parseNodeId(text) ?? (PART.test(text) ? text : undefined),
)

/** Finds nodes by parts of their node ids. */
export interface NodeDirectory {
  /**
   * Returns the ids of all requested nodes, or undefined if the request does not filter by node.
   * @throws DataApiError `DATA_PARAMETER` if the parts match too many nodes, or if there are too many nodes to search
   */
  find(
    at: Snapshot,
    selectors: readonly NodeSelector[] | undefined,
  ): Promise<readonly Uint8Array[] | undefined>
}

/** Creates a directory of node ids. It caches their text form, which is expensive to compute. */
export function createNodeDirectory(store: Store): NodeDirectory {
  const texts = new LRUCache<string, string>({ max: MAX_SEARCHED })
  const textOf = (nodeId: Uint8Array) => {
    const key = Hex.encodeBare(nodeId)
    const text = texts.get(key) ?? NodeId.format(nodeId)
    texts.set(key, text)
    return text
  }
  // Node ids are never removed, so the cached list only grows.
  let known: { readonly height: bigint; readonly all: readonly Uint8Array[] } = { height: -1n, all: [] }
  return {
    find: async (at, selectors) => {
      if (selectors === undefined) return undefined
      const ids = selectors.filter((one) => typeof one !== 'string')
      const parts = selectors.filter((one) => typeof one === 'string')
      if (parts.length === 0) return ids
      if (at.P.height > known.height) {
        known = { height: at.P.height, all: await Stakers.nodeIds(store, MAX_SEARCHED + 1) }
      }
      const { all } = known
      const found = all.filter((one) => parts.some((part) => textOf(one).includes(part)))
      if (found.length > MAX_FOUND || all.length > MAX_SEARCHED) {
        const got = excerpt(parts.join())
        throw Parameter.refused(
          'nodeIds',
          `longer parts of node ids that match at most ${MAX_FOUND} nodes`,
          got,
        )
      }
      return [...ids, ...found]
    },
  }
}
