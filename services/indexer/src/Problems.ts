/** What is wrong now, each under a name, so that it can be taken back. */
export interface Problems {
  set(name: string, words: string): void
  clear(name: string): void
  clearAll(): void
  list(): readonly string[]
}

/** Returns a list without problems. */
export function create(): Problems {
  const problems = new Map<string, string>()
  return {
    set: (name, words) => void problems.set(name, words),
    clear: (name) => void problems.delete(name),
    clearAll: () => problems.clear(),
    list: () => [...problems.values()],
  }
}
