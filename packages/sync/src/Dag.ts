import { Hex, Id } from '@firn/codec'
import { Vertex } from '@firn/txs'
import type { DropReason } from './Events.ts'
import { type Context, createContext, type SyncDependencies } from './internal/Context.ts'
import { childOf } from './internal/children.ts'
import { fetchAncestors, type Wanted } from './internal/Fetch.ts'
import { createWaiter, type Waiter } from './internal/Waiter.ts'
import { SyncError } from './SyncError.ts'
import type { StoredVertex, VertexStore } from './VertexStore.ts'

/** Options of {@link fetchVertices}. */
export interface DagOptions extends Omit<SyncDependencies, 'chain' | 'verify'> {
  /** Id of the vertex that ends the DAG, which is pinned for each network. */
  readonly stopVertexId: Uint8Array
  readonly store: VertexStore
}

/** Part of an answer that consists of the vertex that was asked for and its ancestors. */
export interface LinkedVertices {
  readonly vertices: readonly StoredVertex[]
  /** Why the rest of the answer is wrong; undefined if it is not. */
  readonly fault?: DropReason
}

/** Maximum number of ids that wait to be asked for. Further ones are found in the store later. */
const MAX_WAITING = 1_000
const PAGE = 500
const IDLE_MS = 1_000

/**
 * Stores the stop vertex and all its ancestors: the X-chain before its first block. All of them are accepted, because
 * the stop vertex is. After an abort or a kill, the next call continues with the vertices in the store.
 *
 * @throws SyncError `SYNC_OPTION`, `SYNC_UNREADABLE`
 * @throws the signal's reason; errors of the store
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { systemClock } from '@firn/runtime'
 * import { fetchVertices, orderedVertices, type Transport, type VertexStore, Voters } from '@firn/sync'
 *
 * declare const transport: Transport, store: VertexStore
 * declare const chainId: Uint8Array, beacons: readonly Uint8Array[]
 * const stopVertexId = Id.parse('jrGWDh5Po9FMj54depyunNixpia5PN4aAYxfmNzU8n752Rjga')
 * const voters = () => Voters.beacons(beacons)
 * await fetchVertices({ chainId, transport, clock: systemClock, voters, stopVertexId, store })
 * for await (const vertices of orderedVertices(store)) console.log(vertices.length)
 * ```
 */
export async function fetchVertices(options: DagOptions): Promise<void> {
  const context = createContext({ ...options, chain: 'X' })
  const { stopVertexId, store } = options
  const child = childOf(context.signal)
  const dag: Dag = {
    ...{ context, store, stopVertexId, signal: child.signal, waiter: createWaiter(context.clock) },
    ...{ waiting: new Map(), asked: new Set(), requests: new Set() },
    ...{ failure: undefined, changes: Promise.resolve(), stored: BigInt(await store.count()) },
  }
  try {
    await fetchMissing(dag)
    context.progress('vertices', { stored: dag.stored, isLast: true })
  } finally {
    child.abort()
    child.release()
    await Promise.all(dag.requests)
    await dag.changes
  }
}

/** The vertices that are stored, asked for, and still to be asked for. */
interface Dag {
  readonly context: Context
  readonly store: VertexStore
  readonly stopVertexId: Uint8Array
  readonly signal: AbortSignal
  readonly waiter: Waiter
  /** Ids to ask for, by themselves in hex. */
  readonly waiting: Map<string, Uint8Array>
  /** Ids of the requests in flight, in hex. */
  readonly asked: Set<string>
  readonly requests: Set<Promise<void>>
  failure: { readonly error: unknown } | undefined
  /** The end of the changes of the store, which happen one after another. */
  changes: Promise<unknown>
  stored: bigint
}

/** Asks for vertices until the store lacks none. */
async function fetchMissing(dag: Dag): Promise<void> {
  const { context, store, signal, waiting, asked, requests } = dag
  for (;;) {
    signal.throwIfAborted()
    if (dag.failure !== undefined) throw dag.failure.error
    if (waiting.size === 0 && asked.size === 0) {
      await refill(dag)
      if (waiting.size === 0) return
    }
    const [next] = waiting
    if (next === undefined || asked.size >= context.options.dagRequests) {
      await dag.waiter.wait(IDLE_MS, signal)
      continue
    }
    const [key, id] = next
    waiting.delete(key)
    // An answer to another request may have had it.
    const [known] = await store.get([id])
    if (known !== undefined) continue
    asked.add(key)
    const request = fetchVertex(dag, key, id).finally(() => requests.delete(request))
    requests.add(request)
  }
}

/** Fills the list of ids to ask for from the store. */
async function refill({ store, stopVertexId, asked, waiting }: Dag): Promise<void> {
  const [stop] = await store.get([stopVertexId])
  const missing = stop === undefined ? [stopVertexId] : await store.missing(MAX_WAITING)
  for (const id of missing) {
    const key = Hex.encodeBare(id)
    if (!asked.has(key)) waiting.set(key, id)
  }
}

async function fetchVertex(dag: Dag, key: string, id: Uint8Array): Promise<void> {
  const { context, signal, asked, waiter } = dag
  try {
    const vertices = await fetchAncestors(context, wantedVertices(id), signal)
    const done = dag.changes.then(() => commit(dag, vertices ?? []))
    dag.changes = done.catch(() => undefined)
    await done
    context.progress('vertices', { stored: dag.stored })
  } catch (error) {
    if (!signal.aborted) dag.failure ??= { error }
  } finally {
    asked.delete(key)
    waiter.wake()
  }
}

/** Stores what is new in an answer, and remembers parents that are not stored. */
async function commit(dag: Dag, vertices: readonly StoredVertex[]): Promise<void> {
  const { context, store, signal, waiting, asked } = dag
  signal.throwIfAborted()
  const known = await store.get(vertices.map(({ id }) => id))
  const fresh = vertices.filter((_, i) => known[i] === undefined)
  if (fresh.length === 0) return
  await store.put(fresh)
  dag.stored += BigInt(fresh.length)
  context.countStored(fresh.length)
  const inAnswer = new Set(vertices.map(({ id }) => Hex.encodeBare(id)))
  const parents = new Map(
    fresh.flatMap(({ parentIds }) => parentIds.map((id) => [Hex.encodeBare(id), id] as const)),
  )
  const open = [...parents].filter(([key]) => !inAnswer.has(key))
  const found = await store.get(open.map(([, id]) => id))
  for (const [i, [key, id]] of open.entries()) {
    if (found[i] === undefined && waiting.size < MAX_WAITING && !asked.has(key)) waiting.set(key, id)
  }
}

function wantedVertices(id: Uint8Array): Wanted<readonly StoredVertex[]> {
  return {
    id,
    engine: 'dag',
    isAccepted: true,
    async check(containers) {
      const { vertices, fault } = linkedVertices(id, containers)
      const bytes = vertices.reduce((sum, vertex) => sum + vertex.bytes.length, 0)
      return { bytes, ...(vertices.length > 0 && { value: vertices }), ...(fault && { fault }) }
    },
  }
}

/**
 * Returns the vertices of an answer, as far as the first one has the id that was asked for, and each other one is a
 * parent of one before it. A vertex that is there twice is returned once.
 *
 * @throws SyncError `SYNC_UNREADABLE`
 * @example
 * ```ts
 * import { linkedVertices } from '@firn/sync'
 *
 * declare const id: Uint8Array, containers: readonly Uint8Array[]
 * const { vertices, fault } = linkedVertices(id, containers)
 * ```
 */
export function linkedVertices(id: Uint8Array, containers: readonly Uint8Array[]): LinkedVertices {
  const vertices: StoredVertex[] = []
  const allowed = new Set([Hex.encodeBare(id)])
  const taken = new Set<string>()
  for (const bytes of containers) {
    const vertexId = Vertex.id(bytes)
    const key = Hex.encodeBare(vertexId)
    if (!allowed.has(key)) return { vertices, fault: 'wrong-container' }
    if (taken.has(key)) continue
    taken.add(key)
    const vertex = read(vertexId, bytes)
    const parentIds = vertex.parentIDs
    vertices.push({ id: vertexId, height: vertex.height, parentIds, bytes })
    for (const parentId of parentIds) allowed.add(Hex.encodeBare(parentId))
  }
  return { vertices }
}

function read(id: Uint8Array, bytes: Uint8Array): Vertex.Vertex {
  try {
    return Vertex.decode(bytes)
  } catch (cause) {
    const text = Id.format(id)
    const message = `vertex ${text} of the X-chain has a version that is not known. Upgrade Firn.`
    throw new SyncError('SYNC_UNREADABLE', message, { cause, details: { id: text } })
  }
}

/**
 * Yields all vertices of a complete store in topological order, in batches: by height, then by id, so that each vertex
 * comes after its parents. The last one is the stop vertex.
 *
 * @throws SyncError `SYNC_HEIGHT` if a vertex is not higher than its parents; `SYNC_STORE` if one is missing
 * @example
 * ```ts
 * import { orderedVertices, type VertexStore } from '@firn/sync'
 *
 * declare const store: VertexStore
 * for await (const vertices of orderedVertices(store)) {
 *   for (const { bytes, height } of vertices) console.log(height, bytes.length)
 * }
 * ```
 */
export async function* orderedVertices(store: VertexStore): AsyncGenerator<readonly StoredVertex[]> {
  let last: StoredVertex | undefined
  for (;;) {
    const page = await store.page(last, PAGE)
    if (page.length === 0) return
    await assertHigherThanParents(store, page)
    yield page
    last = page.at(-1)
  }
}

async function assertHigherThanParents(store: VertexStore, page: readonly StoredVertex[]): Promise<void> {
  const links = page.flatMap((child) => child.parentIds.map((parentId) => ({ child, parentId })))
  const parents = await store.get(links.map(({ parentId }) => parentId))
  for (const [i, { child, parentId }] of links.entries()) {
    const parent = parents[i]
    const id = Id.format(child.id)
    if (parent === undefined) {
      throw new SyncError(
        'SYNC_STORE',
        `the vertex store has no vertex ${Id.format(parentId)}, a parent of ${id}`,
      )
    }
    if (parent.height < child.height) continue
    const message = `vertex ${id} has height ${child.height}, but its parent ${Id.format(parentId)} has height ${parent.height}`
    throw new SyncError('SYNC_HEIGHT', message, { details: { id } })
  }
}
