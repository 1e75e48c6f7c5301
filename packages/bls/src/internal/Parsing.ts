/** What `parse` returns, or null when it throws: the libraries below tell a refusal in no other way. */
export function parseOrNull<T>(parse: () => T): T | null {
  try {
    return parse()
  } catch {
    return null
  }
}
