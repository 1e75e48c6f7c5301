import { type ChainAnswers, type ChainRequestKind, type ChainRequests, limitAncestors } from '@firn/p2p'
import { key } from '../State.ts'
import type { RecordedBlock, RecordedChain } from './RecordedChain.ts'

/** Number of blocks below a state summary that a node with state sync has, by the hash of the inner block. */
const BELOW_SUMMARY = 256

/** A chain as one node knows it. */
export interface View {
  readonly chain: RecordedChain
  /** Height of the last accepted block. */
  readonly height: number
  /** Height of the first container that the node has; above 0 after a state sync. */
  readonly floor: number
}

/** Answers requests as a node does that knows a chain. A result of undefined stands for no answer. */
export const ANSWERS: {
  readonly [K in ChainRequestKind]: (view: View, request: ChainRequests[K]) => ChainAnswers[K] | undefined
} = {
  acceptedFrontier: (view) => ({ containerId: idAt(view, view.height) }),
  accepted: (view, { containerIds }) => ({ containerIds: accepted(view, containerIds) }),
  ancestors(view, { containerId, engine }) {
    const containers =
      engine === 'dag' ? vertexAncestors(view.chain, containerId) : ancestors(view, containerId)
    return containers && { containers }
  },
  pullQuery(view, { requestedHeight }) {
    const acceptedId = idAt(view, view.height)
    const isBelow = requestedHeight >= BigInt(view.floor) && requestedHeight < BigInt(view.height)
    const preferredIdAtHeight = isBelow ? idAt(view, Number(requestedHeight)) : acceptedId
    return { preferredId: acceptedId, preferredIdAtHeight, acceptedId, acceptedHeight: BigInt(view.height) }
  },
}

/** Returns whether a node knows a container, whose id may be the id of the inner block. */
export function isKnown({ chain, height }: View, id: Uint8Array): boolean {
  const at = chain.heights.get(key(id)) ?? chain.innerHeights.get(key(id))
  return at !== undefined && at <= height
}

function idAt({ chain }: View, height: number): Uint8Array {
  return (chain.blocks[height] as RecordedBlock).id
}

/** Returns the container ids in `ids` that are accepted, without duplicates. Ids of inner blocks are not. */
function accepted({ chain, height }: View, ids: readonly Uint8Array[]): readonly Uint8Array[] {
  const unique = new Map(ids.map((id) => [key(id), id]))
  return [...unique].flatMap(([name, id]) => {
    const at = chain.heights.get(name)
    return at !== undefined && at <= height ? [id] : []
  })
}

/**
 * Returns a container and its ancestors in descending order of heights, up to a node's limits. If `id` is the
 * id of an inner block, returns inner blocks. Returns an empty list for an unknown id.
 */
function ancestors({ chain, height, floor }: View, id: Uint8Array): readonly Uint8Array[] {
  const at = chain.heights.get(key(id))
  const from = at ?? chain.innerHeights.get(key(id))
  const least = at === undefined ? Math.max(0, floor - BELOW_SUMMARY) : floor
  if (from === undefined || from > height) return []
  return limitAncestors(descending(chain, from, least, at === undefined ? 'inner' : 'bytes'))
}

function* descending(chain: RecordedChain, from: number, least: number, member: 'inner' | 'bytes') {
  for (let height = from; height >= least; height--) yield (chain.blocks[height] as RecordedBlock)[member]
}

/**
 * Returns a vertex and its ancestors, breadth-first over parents, up to a node's limits. Returns undefined for
 * an unknown vertex, which nodes do not answer.
 */
function vertexAncestors(chain: RecordedChain, id: Uint8Array): readonly Uint8Array[] | undefined {
  return chain.vertices.has(key(id)) ? limitAncestors(breadthFirst(chain, id)) : undefined
}

function* breadthFirst({ vertices }: RecordedChain, id: Uint8Array) {
  const seen = new Set([key(id)])
  for (const next of seen) {
    const vertex = vertices.get(next)
    if (vertex === undefined) continue
    yield vertex.bytes
    for (const parentId of vertex.parentIds) seen.add(key(parentId))
  }
}
