import { isJsonObject, type Json } from '@firn/codec'

/**
 * Returns the paths of the members that both values have and whose values differ, with both values. Lists must have the
 * same length. For tests only.
 */
export function differences(one: Json.Json, other: Json.Json, path = ''): string[] {
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) return [`${path}: ${one.length} and ${other.length} elements`]
    return one.flatMap((item, i) => differences(item, other[i] as Json.Json, `${path}[${i}]`))
  }
  if (isJsonObject(one) && isJsonObject(other)) {
    return Object.keys(one)
      .filter((name) => Object.hasOwn(other, name))
      .flatMap((name) => differences(one[name] as Json.Json, other[name] as Json.Json, `${path}.${name}`))
  }
  return one === other ? [] : [`${path}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`]
}
