import { Hex, NodeId } from '@firn/codec'
import { type Snapshot, Stakers, type Store } from '@firn/store'
import { LRUCache } from 'lru-cache'
import * as Parameter from '../front/Parameter.ts'
import * as Names from '../Names.ts'

/** A node by its id (20 bytes), or nodes by a part of their id's text. */
export type Wanted = Uint8Array | string

/** Maximum numbers of nodes per request, of nodes that are searched, and of nodes that a part may match. */
const MAX_NODES = 64
const MAX_SEARCHED = 50_000
const MAX_FOUND = 1_000

const PART = /^(NodeID-)?[1-9A-HJ-NP-Za-km-z]{1,34}$/

/** NodeIDs, or parts of them. */
export const wantedNodes: Parameter.Parameter<readonly Wanted[]> = Parameter.list(
  'NodeIDs or parts of them',
  MAX_NODES,
  (text) => Names.parseNodeId(text) ?? (PART.test(text) ? text : undefined),
)

/** Finds nodes by parts of their ids. */
export interface NodeDirectory {
  /**
   * Returns the ids of all requested nodes; undefined if the request names none.
   * @throws DataApiError `DATA_PARAMETER`: a part that matches too many
   */
  find(at: Snapshot, wanted: readonly Wanted[] | undefined): Promise<readonly Uint8Array[] | undefined>
}

/** Reads ids from the store, and caches their texts, which are expensive to compute. */
export function createNodeDirectory(store: Store): NodeDirectory {
  const texts = new LRUCache<string, string>({ max: MAX_SEARCHED })
  const textOf = (nodeId: Uint8Array) => {
    const key = Hex.encodeBare(nodeId)
    const text = texts.get(key) ?? NodeId.format(nodeId)
    texts.set(key, text)
    return text
  }
  // A known node's id stays known.
  let known: { readonly height: bigint; readonly all: readonly Uint8Array[] } = { height: -1n, all: [] }
  return {
    find: async (at, wanted) => {
      if (wanted === undefined) return undefined
      const ids = wanted.filter((one) => typeof one !== 'string')
      const parts = wanted.filter((one) => typeof one === 'string')
      if (parts.length === 0) return ids
      if (at.P.height > known.height) {
        known = { height: at.P.height, all: await Stakers.nodeIds(store, MAX_SEARCHED + 1) }
      }
      const { all } = known
      const found = all.filter((one) => parts.some((part) => textOf(one).includes(part)))
      if (found.length > MAX_FOUND || all.length > MAX_SEARCHED) {
        const got = Parameter.excerpt(parts.join())
        throw Parameter.refused('nodeIds', `longer parts, which match at most ${MAX_FOUND} nodes`, got)
      }
      return [...ids, ...found]
    },
  }
}
