/** Names with the names to which each of them points. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Returns a graph of all `names` with the given edges. */
export const create = (
  names: readonly string[],
  edges: Iterable<readonly [from: string, to: string]>,
): Graph => {
  const graph = new Map(names.map((name) => [name, new Set<string>()]))
  for (const [from, to] of edges) if (from !== to) graph.get(from)?.add(to)
  return graph
}

const reaches = (graph: Graph, from: string, target: string, seen: Set<string>): boolean => {
  if (from === target) return true
  if (seen.has(from)) return false
  seen.add(from)
  return [...(graph.get(from) ?? [])].some((next) => reaches(graph, next, target, seen))
}

/** Returns a graph without the edges that follow from other edges. The graph must have no cycle. */
export const reduce = (graph: Graph): Graph =>
  new Map(
    [...graph].map(([from, targets]) => {
      const isImplied = (target: string) =>
        [...targets].some((other) => other !== target && reaches(graph, other, target, new Set()))
      return [from, new Set([...targets].filter((target) => !isImplied(target)))]
    }),
  )
