/**
 * Parses a JSON text like `JSON.parse`, with a `bigint` for each of the given integers. `integers` has the start and the
 * end offset of each. They are written as strings behind a random mark, so that nothing else in the text looks like one.
 * @throws SyntaxError if the text is not JSON
 */
export function parseIntegers(text: string, integers: readonly number[]): unknown {
  const mark = String(crypto.getRandomValues(new BigUint64Array(1))[0])
  const root = [parseMarked(text, integers, mark)]
  const restored = restore(root, mark)
  // A number in place of a key is an error, which the mark hides. A repeated key can hide the number in turn.
  if (2 * restored < integers.length) JSON.parse(text)
  return root[0]
}

function parseMarked(text: string, integers: readonly number[], mark: string): unknown {
  const parts: string[] = []
  let from = 0
  for (let i = 0; i < integers.length; i += 2) {
    const [start, end] = [integers[i] as number, integers[i + 1] as number]
    parts.push(text.slice(from, start), mark + text.slice(start, end))
    from = end
  }
  parts.push(text.slice(from))
  try {
    return JSON.parse(parts.join('"'))
  } catch {
    // The error must describe the given text.
    return JSON.parse(text)
  }
}

/** Replaces each marked string in an array or object by its integer. Returns the number of integers. */
function restore(root: object, mark: string): number {
  let count = 0
  const open = [root]
  const isInteger = (value: unknown): value is string => {
    if (typeof value === 'object' && value !== null) open.push(value)
    return typeof value === 'string' && value.startsWith(mark)
  }
  const toInteger = (marked: string) => {
    count++
    return BigInt(marked.slice(mark.length))
  }
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    if (Array.isArray(container)) {
      const items: unknown[] = container
      for (let i = 0; i < items.length; i++) {
        const item = items[i]
        if (isInteger(item)) items[i] = toInteger(item)
      }
    } else {
      const members = container as Record<string, unknown>
      for (const name in members) {
        const member = members[name]
        if (isInteger(member)) members[name] = toInteger(member)
      }
    }
  }
  return count
}
