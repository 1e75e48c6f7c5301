/**
 * Pushes an item onto a binary min-heap exactly as Go's `container/heap` does, because the order of the array
 * is part of the genesis.
 */
export function push<T>(heap: T[], item: T, less: (a: T, b: T) => boolean): void {
  heap.push(item)
  let at = heap.length - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = heap[parent] as T
    if (!less(item, above)) return
    heap[at] = above
    heap[parent] = item
    at = parent
  }
}
