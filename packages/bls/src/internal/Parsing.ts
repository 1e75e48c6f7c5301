/**
 * Returns the result of `parse`, or null if it throws. The libraries report invalid input only by throwing.
 */
export function parseOrNull<T>(parse: () => T): T | null {
  try {
    return parse()
  } catch {
    return null
  }
}
