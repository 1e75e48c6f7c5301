import { Hex } from '@firn/codec'
import { AvmTx } from '@firn/txs'
import type { Decoded } from './Vertices.ts'

/** Maximum number of vertices that a node returns in one answer. */
export const MAX_VERTICES = 2_000
/** Maximum size in bytes of the vertices that a node returns in one answer, with 4 bytes more for each. */
export const MAX_BYTES = 1_677_721
const LENGTH_BYTES = 4

/** Vertices and their transactions in the order in which a node executes them. */
export interface VertexOrder {
  /** Parents come before their children, and the stop vertex is the last one. */
  readonly vertices: readonly Decoded[]
  /** Each transaction once; each one comes after those whose outputs it spends. */
  readonly txs: Decoded['txs']
}

/**
 * Returns whether a node returns these vertices in one answer. If the vertices of a whole network fit in one answer, all
 * nodes that bootstrap execute them in the same order. Otherwise the order depends on which answers arrive first.
 * @example
 * ```ts
 * import { VertexOrder, type Vertices } from '@firn/ledger'
 *
 * declare const vertices: readonly Vertices.Decoded[]
 * if (VertexOrder.fitsOneAnswer(vertices)) console.log('nodes agree on the order')
 * ```
 */
export function fitsOneAnswer(vertices: readonly Pick<Decoded, 'bytes'>[]): boolean {
  if (vertices.length > MAX_VERTICES) return false
  return vertices.reduce((sum, { bytes }) => sum + bytes.length + LENGTH_BYTES, 0) <= MAX_BYTES
}

/**
 * Returns the order in which a node executes the vertices of a network that fit in one answer: it executes all
 * transactions, then all vertices. Vertices that are not the stop vertex or one of its ancestors are left out. Source:
 * avalanchego `snow/engine/avalanche/bootstrap`.
 * @param vertices all vertices of the network, in any order
 * @example
 * ```ts
 * import { VertexOrder, type Vertices } from '@firn/ledger'
 *
 * declare const all: readonly Vertices.Decoded[]
 * declare const stopVertexId: Uint8Array
 * const { vertices, txs } = VertexOrder.ofNode(all, stopVertexId)
 * ```
 */
export function ofNode(vertices: readonly Decoded[], stopVertexId: Uint8Array): VertexOrder {
  const walk = walkDown(breadthFirst(vertices, stopVertexId))
  const txs = new Map(walk.flatMap((vertex) => vertex.txs.map((tx) => [keyOf(tx.id), tx] as const)))
  return {
    vertices: execute(walk.map((vertex) => ({ job: vertex, needs: vertex.parentIds }))),
    txs: execute([...txs.values()].map((tx) => ({ job: tx, needs: spentTxIds(tx) }))),
  }
}

/** Returns the ids of the transactions whose outputs a transaction spends on the X-chain. */
function spentTxIds({ tx }: Decoded['txs'][number]): Uint8Array[] {
  const imported: readonly unknown[] = AvmTx.imported(tx.unsignedTx)?.inputs ?? []
  return AvmTx.spent(tx)
    .filter((input) => !imported.includes(input))
    .map((input) => input.txID)
}

/** Returns the stop vertex and its ancestors in the order of an answer to `GetAncestors`. */
function breadthFirst(vertices: readonly Decoded[], stopVertexId: Uint8Array): Decoded[] {
  const byId = new Map(vertices.map((vertex) => [keyOf(vertex.id), vertex]))
  const seen = new Set([keyOf(stopVertexId)])
  for (const key of seen) for (const id of byId.get(key)?.parentIds ?? []) seen.add(keyOf(id))
  return [...seen].flatMap((key) => byId.get(key) ?? [])
}

/**
 * Returns the vertices of an answer from the highest one down. Go's `container/heap` decides the order of vertices of the
 * same height, so its steps are repeated here.
 */
function walkDown(answer: readonly Decoded[]): Decoded[] {
  const heap: Decoded[] = []
  const isHigher = (i: number, j: number) => (heap[i] as Decoded).height > (heap[j] as Decoded).height
  const swap = (i: number, j: number) => {
    const held = heap[i] as Decoded
    heap[i] = heap[j] as Decoded
    heap[j] = held
  }
  const up = (from: number) => {
    for (let i = from; i > 0; ) {
      const above = (i - 1) >> 1
      if (!isHigher(i, above)) return
      swap(i, above)
      i = above
    }
  }
  const down = (end: number) => {
    for (let i = 0; ; ) {
      const left = 2 * i + 1
      if (left >= end) return
      const next = left + 1 < end && isHigher(left + 1, left) ? left + 1 : left
      if (!isHigher(next, i)) return
      swap(i, next)
      i = next
    }
  }
  for (const vertex of answer) up(heap.push(vertex) - 1)
  const walk: Decoded[] = []
  while (heap.length > 0) {
    swap(0, heap.length - 1)
    down(heap.length - 1)
    walk.push(heap.pop() as Decoded)
  }
  return walk
}

interface Job<T> {
  readonly job: T
  /** Ids of the jobs that must be executed first. Those that are not in the list are executed already. */
  readonly needs: readonly Uint8Array[]
}

/**
 * Returns jobs in the order in which a node executes them. It keeps those that can be executed on a stack. After each one
 * it pushes those that waited for it, the newest first.
 */
function execute<T extends { readonly id: Uint8Array }>(jobs: readonly Job<T>[]): T[] {
  const known = new Set(jobs.map(({ job }) => keyOf(job.id)))
  const missing = new Map<T, Set<string>>()
  const waiting = new Map<string, T[]>()
  const ready: T[] = []
  for (const { job, needs } of jobs) {
    const keys = new Set(needs.map(keyOf).filter((key) => known.has(key)))
    missing.set(job, keys)
    if (keys.size === 0) ready.push(job)
    for (const key of keys) {
      const dependents = waiting.get(key)
      if (dependents === undefined) waiting.set(key, [job])
      else dependents.push(job)
    }
  }
  const done: T[] = []
  for (let job = ready.pop(); job !== undefined; job = ready.pop()) {
    done.push(job)
    const key = keyOf(job.id)
    for (const next of waiting.get(key)?.toReversed() ?? []) {
      const left = missing.get(next)
      left?.delete(key)
      if (left?.size === 0) ready.push(next)
    }
  }
  return done
}

function keyOf(id: Uint8Array): string {
  return Hex.encodeBare(id)
}
