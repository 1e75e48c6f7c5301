/**
 * Returns a value in which views of larger buffers are replaced by copies of their bytes. Otherwise records would
 * keep whole blocks in memory.
 */
export function own<T>(value: T): T {
  return (typeof value === 'object' && value !== null ? owned(value) : value) as T
}

function owned(value: object): object {
  if (value instanceof Uint8Array) {
    return value.byteLength === value.buffer.byteLength ? value : new Uint8Array(value)
  }
  return Array.isArray(value) ? ownedItems(value) : ownedMembers(value as Record<string, unknown>)
}

function ownedItems(value: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let i = 0; i < value.length; i++) {
    const next = own(value[i])
    if (next === value[i]) continue
    copy ??= [...value]
    copy[i] = next
  }
  return copy ?? value
}

function ownedMembers(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let copy: Record<string, unknown> | undefined
  for (const name in value) {
    const next = own(value[name])
    if (next === value[name]) continue
    copy ??= { ...value }
    copy[name] = next
  }
  return copy ?? value
}
