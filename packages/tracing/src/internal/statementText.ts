const MAX_TEXT = 500

/** Returns a statement without the strings and numbers that it contains, for logs and traces. */
export function statementText(text: string): string {
  return text
    .replace(/^\s*\/\*.*?\*\//, '')
    .replaceAll(/'(?:[^']|'')*'/g, '?')
    .replaceAll(/(?<![$\w.])\d+(?:\.\d+)?/g, '?')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT)
}
