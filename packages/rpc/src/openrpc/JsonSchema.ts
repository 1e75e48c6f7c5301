import type { Scalar, Shape } from '../Layout.ts'

/** A JSON Schema (draft 7). */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Returns the JSON Schema of a part: its own, or a reference to a named one. */
export type Part = (shape: Shape) => JsonSchema

const BASE58 = '[1-9A-HJ-NP-Za-km-z]'

const decimal = (bits: number): JsonSchema => ({
  type: 'string',
  pattern: '^(0|[1-9][0-9]*)$',
  description: `Unsigned integer of ${bits} bits, as a decimal string`,
})

const SCALARS: Readonly<Record<Scalar, JsonSchema>> = {
  u64: decimal(64),
  u32: decimal(32),
  u16: decimal(16),
  u8: decimal(8),
  fixed4: { type: 'string', pattern: '^-?[0-9]+\\.[0-9]{4}$', description: 'Number with four decimals' },
  integer: { type: 'integer' },
  bigInteger: { type: 'integer', minimum: 0, description: 'Unsigned integer of 64 bits' },
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  json: { description: 'Any JSON' },
  object: { type: 'object' },
  time: { type: 'string', format: 'date-time' },
  id: { type: 'string', pattern: `^${BASE58}{36,50}$`, description: 'Id of 32 bytes in CB58' },
  nodeId: { type: 'string', pattern: `^NodeID-${BASE58}{24,34}$`, description: 'Id of a node' },
  checkedHex: { type: 'string', pattern: '^0x([0-9a-f]{2}){4,}$', description: 'Hex with a checksum' },
  address: {
    type: 'string',
    pattern: '^[^-]*-[!-~]+1[02-9ac-hj-np-z]{6,}$',
    description: 'Address with its chain',
  },
  height: {
    type: 'string',
    pattern: '^(0|[1-9][0-9]*|proposed)$',
    description: 'P-chain height as a decimal string, or `proposed`',
  },
}

type Composite = Exclude<Shape['kind'], Scalar>
/** The shapes of a kind. */
type OfKind<K, S = Shape> = S extends { readonly kind: infer L } ? (K extends L ? S : never) : never

const COMPOSITES: { readonly [K in Composite]: (shape: OfKind<K>, part: Part) => JsonSchema } = {
  hex: ({ length }) => ({
    type: 'string',
    pattern: `^0x([0-9a-f]{2})${length === undefined ? '*' : `{${length}}`}$`,
    description: length === undefined ? 'Hex' : `${length} bytes in hex`,
  }),
  oneOf: ({ words }) => ({ type: 'string', enum: words }),
  struct: ({ members }, part) => {
    const all = Object.entries(members)
    return {
      type: 'object',
      properties: Object.fromEntries(all.map(([name, member]) => [name, part(member)])),
      required: all.filter(([, { kind }]) => kind !== 'optional').map(([name]) => name),
    }
  },
  tuple: ({ members }, part) => {
    const all = Object.entries(members)
    return {
      type: 'array',
      items: all.map(([title, member]) => ({ ...part(member), title })),
      minItems: all.length,
      maxItems: all.length,
    }
  },
  byMember: ({ shapes }, part) => ({ anyOf: Object.values(shapes).map(part) }),
  array: ({ item }, part) => ({ type: 'array', items: part(item) }),
  nullable: ({ item }, part) => ({ anyOf: [part(item), { type: 'null' }] }),
  optional: ({ item }, part) => part(item),
  map: ({ key, item }, part) => ({
    type: 'object',
    propertyNames: part(key),
    additionalProperties: part(item),
  }),
}

/** Returns the JSON Schema of the JSON of a shape. Unknown members are allowed, as newer nodes add some. */
export function toJsonSchema(shape: Shape, part: Part): JsonSchema {
  if (shape.kind in SCALARS) return SCALARS[shape.kind as Scalar]
  return COMPOSITES[shape.kind as Composite](shape as never, part)
}
