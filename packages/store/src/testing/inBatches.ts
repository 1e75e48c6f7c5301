/** Items by so many, the last ones fewer. For tests and benches only. */
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
