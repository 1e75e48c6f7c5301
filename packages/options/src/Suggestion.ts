/** Returns the edit distance of two texts: the minimum number of letters to insert, remove or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (letter === b[j] ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/**
 * Returns the known word that is closest to a mistyped word. Returns undefined if more than half of the
 * letters differ in every known word.
 */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const rated = known.map((word) => ({ word, edits: distance(given, word) }))
  const [best] = rated.toSorted((a, b) => a.edits - b.edits)
  if (best === undefined || best.edits * 2 > Math.max(given.length, best.word.length)) return undefined
  return best.word
}
