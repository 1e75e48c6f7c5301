import { Codec } from '@firn/codec'

/** Type ids of the test types that implement an interface, by type name in the vectors. */
export const TYPE_IDS = { 'main.Circle': 2, 'main.Square': 3, 'main.Nest': 4, 'main.EmptyT': 5 } as const

const Circle = Codec.struct({ R: Codec.u32 })
const EmptyT = Codec.struct({})

// biome-ignore lint/suspicious/noExplicitAny: a recursive type cannot be inferred
const Shape: Codec.Codec<any> = Codec.union({
  'main.Circle': [TYPE_IDS['main.Circle'], Circle],
  'main.Square': [TYPE_IDS['main.Square'], Codec.struct({ Side: Codec.u64, Label: Codec.string })],
  'main.Nest': [TYPE_IDS['main.Nest'], Codec.struct({ Inner: Codec.lazy(() => Shape, 4) })],
  'main.EmptyT': [TYPE_IDS['main.EmptyT'], EmptyT],
})

const Prims = Codec.struct({
  Bool: Codec.bool,
  U8: Codec.u8,
  U16: Codec.u16,
  U32: Codec.u32,
  U64: Codec.u64,
  I8: Codec.i8,
  I16: Codec.i16,
  I32: Codec.i32,
  I64: Codec.i64,
  Str: Codec.string,
  Bytes: Codec.bytes(),
  Fixed: Codec.fixed(5),
  ID: Codec.id,
})

const Slices = Codec.struct({
  Bools: Codec.array(Codec.bool),
  U8s: Codec.bytes(),
  U16s: Codec.array(Codec.u16),
  U32s: Codec.array(Codec.u32),
  U64s: Codec.array(Codec.u64),
  Strs: Codec.array(Codec.string),
  BB: Codec.array(Codec.bytes()),
  Fixeds: Codec.array(Codec.fixed(3)),
  IDs: Codec.array(Codec.id),
  Arr: Codec.tuple(Codec.u16, 2),
  Ptrs: Codec.array(Circle),
  Shapes: Codec.array(Shape),
})

/** The types that the codec's vectors use, declared with the codec's combinators. */
// biome-ignore lint/suspicious/noExplicitAny: callers select codecs of different types by name
export const TYPES: Readonly<Record<string, Codec.Codec<any>>> = {
  Prims,
  Slices,
  Maps: Codec.struct({ A: Codec.map(Codec.u32, Codec.string), B: Codec.map(Codec.string, Codec.u64) }),
  'Iface{V interface}': Codec.struct({ V: Shape }),
  'Ifaces{V []interface}': Codec.struct({ V: Codec.array(Shape) }),
  'Bytes{V []byte}': Codec.struct({ V: Codec.bytes() }),
  'Empties{V []EmptyT}': Codec.struct({ V: Codec.array(EmptyT) }),
  'Str{V string}': Codec.struct({ V: Codec.string }),
  'Bool{V bool}': Codec.struct({ V: Codec.bool }),
  'Map{V map[u16]u8}': Codec.struct({ V: Codec.map(Codec.u16, Codec.u8) }),
}

/**
 * Converts a decoded value to the form of the vectors. Variants have their Go type and type id, and invalid
 * UTF-8 becomes U+FFFD.
 */
export function dump(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(dump)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  const { type, ...fields } = value as { readonly type?: keyof typeof TYPE_IDS }
  const members = Object.entries(fields).map(([name, member]) => [name, dump(member)])
  const variant = type === undefined ? {} : { $type: type, $typeID: TYPE_IDS[type] }
  return { ...variant, ...Object.fromEntries(members) }
}
