import type { Profiler } from 'node:inspector'
import type { Frame, Kind, Measured } from './Pprof.ts'

/** The quantities of a CPU profile, in Go's order. */
export const CPU_KINDS: readonly Kind[] = [
  { type: 'samples', unit: 'count' },
  { type: 'cpu', unit: 'nanoseconds' },
]

/** The quantities of a heap profile, which covers live objects only. */
export const HEAP_KINDS: readonly Kind[] = [
  { type: 'inuse_objects', unit: 'count' },
  { type: 'inuse_space', unit: 'bytes' },
]

/** A heap profile as V8 reports it. Source: the inspector protocol, `HeapProfiler.SamplingHeapProfile`. */
export interface HeapProfile {
  readonly head: HeapNode
  readonly samples: readonly { readonly nodeId: number }[]
}

/** The allocations of one call site and its callees. */
export interface HeapNode {
  readonly callFrame: Frame
  /** Size of live objects in bytes. */
  readonly selfSize: number
  readonly id: number
  readonly children: readonly HeapNode[]
}

const NOT_A_CALL = ['(root)', '(idle)']

/**
 * Returns the stacks of a CPU profile with their number of samples and nanoseconds; idle time is ignored, as
 * in Go.
 */
export function cpuSamples({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Measured[] {
  const spent = new Map<number, { count: number; microseconds: number }>()
  for (const [index, id] of samples.entries()) {
    const node = spent.get(id) ?? { count: 0, microseconds: 0 }
    node.count += 1
    node.microseconds += Math.max(0, timeDeltas[index] ?? 0)
    spent.set(id, node)
  }
  const parents = new Map<number, Profiler.ProfileNode>()
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node)
  const measured: Measured[] = []
  for (const node of nodes) {
    const own = spent.get(node.id)
    const stack = stackOf(node, parents)
    if (own === undefined || stack.length === 0) continue
    measured.push({ stack, values: [own.count, own.microseconds * 1_000] })
  }
  return measured
}

function stackOf(
  leaf: Profiler.ProfileNode,
  parents: ReadonlyMap<number, Profiler.ProfileNode>,
): readonly Frame[] {
  const stack: Frame[] = []
  for (let node: Profiler.ProfileNode | undefined = leaf; node !== undefined; node = parents.get(node.id)) {
    if (!NOT_A_CALL.includes(node.callFrame.functionName)) stack.push(node.callFrame)
  }
  return stack
}

/** Returns the stacks that allocated live objects, with the number of samples and bytes. */
export function heapSamples({ head, samples }: HeapProfile): Measured[] {
  const counts = new Map<number, number>()
  for (const { nodeId } of samples) counts.set(nodeId, (counts.get(nodeId) ?? 0) + 1)
  const measured: Measured[] = []
  const pending: { node: HeapNode; outer: readonly Frame[] }[] = [{ node: head, outer: [] }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, outer } = next
    const stack = NOT_A_CALL.includes(node.callFrame.functionName) ? outer : [node.callFrame, ...outer]
    if (node.selfSize > 0 && stack.length > 0) {
      measured.push({ stack, values: [counts.get(node.id) ?? 1, node.selfSize] })
    }
    for (const child of node.children) pending.push({ node: child, outer: stack })
  }
  return measured
}
