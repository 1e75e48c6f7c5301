/** Yields items in batches of a fixed size. The last batch may be smaller. For tests and benches only. */
export function* inBatches<T>(items: Iterable<T>, size: number): Iterable<T[]> {
  let batch: T[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
