import type { Json } from '@firn/codec'

const isBranch = (value: Json.Json): value is readonly Json.Json[] | { readonly [name: string]: Json.Json } =>
  typeof value === 'object' && value !== null

const leaf = (value: Json.Json): string => {
  if (value === null) return '(none)'
  if (!isBranch(value)) return String(value)
  return Array.isArray(value) && value.length > 0 ? value.join(', ') : '(none)'
}

const isListOfLeaves = (value: Json.Json): boolean => Array.isArray(value) && !value.some(isBranch)

const children = (value: Json.Json): readonly (readonly [string, Json.Json])[] => {
  if (!isBranch(value) || isListOfLeaves(value)) return []
  return Object.entries(value).map(([name, child]) => [
    Array.isArray(value) ? `[${name}]` : name,
    child as Json.Json,
  ])
}

/** Formats a JSON value as the lines of a tree. The `kind` of an object is printed after its name. */
export const format = (name: string, value: Json.Json, indent = ''): readonly string[] => {
  const all = children(value)
  const kind = all.find(([key]) => key === 'kind')?.[1]
  const rest = all.filter(([key]) => key !== 'kind')
  const head = typeof kind === 'string' ? [name, kind].filter((part) => part !== '').join(': ') : name
  if (rest.length === 0) return [kind === undefined ? `${name}: ${leaf(value)}` : head]
  const below = rest.flatMap(([key, child], index) => {
    const isLast = index === rest.length - 1
    const [first = '', ...others] = format(key, child)
    return [`${isLast ? '└─' : '├─'} ${first}`, ...others.map((line) => `${isLast ? '  ' : '│ '} ${line}`)]
  })
  return [head, ...below].map((line, index) => (index === 0 ? line : indent + line))
}
