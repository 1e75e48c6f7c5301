/** Maximum number of values of a key. More are omitted, because nobody could tell which one is right. */
const MOST = 8

/** Adds a value to the list of a key. */
export function append<T>(lists: Map<string, readonly T[]>, key: string, value: T): void {
  const list = lists.get(key) ?? []
  if (list.length < MOST) lists.set(key, [...list, value])
}
