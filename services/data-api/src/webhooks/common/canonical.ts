/** A value of which JSON can be made. Members that are undefined are left out. */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Value[]
  | { readonly [member: string]: Value | undefined }

/**
 * Returns the canonical JSON of a value (RFC 8785): members in the order of their UTF-16 code units, no white space. Some
 * receivers make the body canonical before they verify its signature, others verify the body as it is; with this form both
 * get the same bytes.
 */
export function canonical(value: Value): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value as Readonly<Record<string, Value | undefined>>)
    .filter((entry): entry is [string, Value] => entry[1] !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}
