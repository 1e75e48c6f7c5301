/** Current problems by name. Each problem can be cleared separately. */
export interface Problems {
  set(name: string, words: string): void
  clear(name: string): void
  clearAll(): void
  list(): readonly string[]
}

/** Creates an empty list of problems. */
export function create(): Problems {
  const problems = new Map<string, string>()
  return {
    set: (name, words) => void problems.set(name, words),
    clear: (name) => void problems.delete(name),
    clearAll: () => problems.clear(),
    list: () => [...problems.values()],
  }
}
