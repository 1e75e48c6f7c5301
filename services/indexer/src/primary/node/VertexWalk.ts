import { Hex, Id, isFirnError } from '@firn/codec'
import { FetchedVertices, type Store } from '@firn/store'
import { Vertex } from '@firn/txs'
import type { VertexTarget } from '../Source.ts'
import { refused } from '../VertexFeed.ts'
import { absent, type IndexedVertex, type NodeVertices } from './NodeVertices.ts'

/** Maximum number of ids that are wanted at once. The graph is never as wide. */
const MAX_WANTED = 100_000
const SECOND = 1_000_000_000n
/** Time by which a node's clock may differ. Nodes whose clock differs by more than a minute find no peers. */
const TOLERANCE = 3_600n * SECOND

/**
 * Stores what is missing of the stop vertex and its ancestors. The walk reads the index of a node backwards and takes a
 * vertex only if a vertex that was taken before names it as a parent, so the node is not trusted with content. The next
 * walk, with this or another node, continues with the vertices in the store.
 * @param now current time in milliseconds since the Unix epoch
 * @throws IndexerError `INDEXER_BLOCK` if the node returns anything else; `INDEXER_NO_VERTICES` if it has no stop vertex;
 * RpcError; StoreError; the signal's reason
 */
export async function walk(
  node: NodeVertices,
  target: VertexTarget,
  now: number,
  signal?: AbortSignal,
): Promise<void> {
  const { origin } = node
  const wanted = await missing(target)
  let seen: ReadonlySet<string> = new Set()
  let last = await highest(node, wanted, target, signal)
  while (wanted.size > 0) {
    signal?.throwIfAborted()
    const page = await node.upTo(last, signal)
    const keys = new Set(page.map(({ id }) => keyOf(id)))
    if (keys.size < page.length || page.some(({ id }) => seen.has(keyOf(id))))
      throw refused('repeated', 'the node returned a vertex twice', origin)
    assertTimes(page, target.since, now, origin)
    const fresh = await take(page, keys, wanted, target.store, origin)
    await FetchedVertices.put(target.store, fresh)
    seen = keys
    const first = last + 1n - BigInt(page.length)
    if (wanted.size === 0) return
    if (first === 0n) throw lacking(wanted, origin)
    // What another node has returned before may fill whole pages, so they are skipped.
    last = fresh.length > 0 ? first - 1n : await highest(node, wanted, target, signal)
    if (last >= first) throw refused('repeated', 'the node returned no vertex that is missing', origin)
  }
}

/**
 * Returns the vertices of a page that are wanted, children first. Removes them from `wanted`, and adds their parents.
 */
async function take(
  page: readonly IndexedVertex[],
  keys: ReadonlySet<string>,
  wanted: Map<string, Uint8Array>,
  store: Store,
  origin: string,
): Promise<FetchedVertices.FetchedVertex[]> {
  const stored = await storedOf(
    store,
    page.map(({ id }) => id),
  )
  const fresh: FetchedVertices.FetchedVertex[] = []
  const outside = new Map<string, Uint8Array>()
  const passed = new Set<string>()
  for (const vertex of page.toReversed()) {
    const key = keyOf(vertex.id)
    passed.add(key)
    if (!wanted.delete(key)) {
      if (stored.has(key)) continue
      throw refused('parent', `${Id.format(vertex.id)} is not an ancestor of the stop vertex`, origin)
    }
    const { height, parentIDs: parentIds } = read(vertex, origin)
    fresh.push({ ...vertex, height, parentIds })
    for (const id of parentIds) {
      const parent = keyOf(id)
      if (passed.has(parent) || stored.has(parent)) continue
      if (keys.has(parent)) wanted.set(parent, id)
      else outside.set(parent, id)
    }
  }
  const known = await storedOf(store, [...outside.values()])
  for (const [key, id] of outside) if (!known.has(key)) wanted.set(key, id)
  return fresh
}

function read({ id, bytes }: IndexedVertex, origin: string): Vertex.Vertex {
  try {
    return Vertex.decode(bytes)
  } catch (cause) {
    if (!isFirnError(cause)) throw cause
    throw refused('bytes', `${Id.format(id)}: ${cause.message}`, origin, cause)
  }
}

async function storedOf(store: Store, ids: readonly Uint8Array[]): Promise<ReadonlySet<string>> {
  const found = await FetchedVertices.get(store, ids)
  return new Set(found.flatMap((vertex) => (vertex === undefined ? [] : [keyOf(vertex.id)])))
}

/** Returns the ids that are missing in the store, by their hex. */
async function missing({ store, stopVertexId }: VertexTarget): Promise<Map<string, Uint8Array>> {
  const [stop] = await FetchedVertices.get(store, [stopVertexId])
  const ids = stop === undefined ? [stopVertexId] : await FetchedVertices.missing(store, MAX_WANTED)
  return new Map(ids.map((id) => [keyOf(id), id]))
}

/** Returns the highest number that the node has for one of the wanted vertices; 0 if none is wanted. */
async function highest(
  node: NodeVertices,
  wanted: ReadonlyMap<string, Uint8Array>,
  { stopVertexId }: VertexTarget,
  signal: AbortSignal | undefined,
): Promise<bigint> {
  let most = 0n
  for (const id of wanted.values()) {
    const number = await node.numberOf(id, signal)
    if (number === undefined)
      throw wanted.has(keyOf(stopVertexId)) ? absent(node.origin) : lacking(wanted, node.origin)
    if (number > most) most = number
  }
  return most
}

function lacking(wanted: ReadonlyMap<string, Uint8Array>, origin: string) {
  const [first] = wanted.values()
  const words = `its index lacks ${wanted.size} ancestors of the stop vertex, among them ${first && Id.format(first)}`
  return refused('missing', words, origin)
}

/** Checks that a page was accepted between the genesis and now, and in the order of its numbers. */
function assertTimes(page: readonly IndexedVertex[], since: bigint, now: number, origin: string): void {
  const [start, end] = [since * SECOND, BigInt(Math.floor(now)) * 1_000_000n + TOLERANCE]
  let latest = start
  for (const { id, acceptedAt } of page) {
    const name = Id.format(id)
    if (acceptedAt < start || acceptedAt > end)
      throw refused('time', `${name} was accepted before the genesis, or in the future`, origin)
    if (acceptedAt < latest - TOLERANCE)
      throw refused('time', `${name} was accepted before vertices with lower numbers`, origin)
    if (acceptedAt > latest) latest = acceptedAt
  }
}

function keyOf(id: Uint8Array): string {
  return Hex.encodeBare(id)
}
