import * as Layout from '../Layout.ts'
import * as composites from './composites.ts'
import * as scalars from './scalars.ts'
import type { AnySchema, Schema } from './schema.ts'

/** A method whose arguments and results are checked completely, with ids, addresses and hex as bytes. */
export interface CheckedMethod<L extends Layout.MethodLayout> {
  readonly params: Schema<Layout.ValueOf<L['params']>>
  readonly result: Schema<Layout.ValueOf<L['result']>>
  readonly isOnce: boolean
}

/** Methods whose arguments and results are checked completely, with ids, addresses and hex as bytes. */
export type CheckedMethods<L extends Layout.MethodLayouts> = { readonly [M in keyof L]: CheckedMethod<L[M]> }

/** Returns the methods with a schema for each argument object and result. */
export function checkedMethods<const L extends Layout.MethodLayouts>(layouts: L): CheckedMethods<L> {
  return Object.fromEntries(
    Object.entries(layouts).map(([name, layout]) => [name, checkedMethod(layout)]),
  ) as unknown as CheckedMethods<L>
}

/** Returns the method with schemas. */
export function checkedMethod<const L extends Layout.MethodLayout>(layout: L): CheckedMethod<L> {
  const { params, result, isOnce = false } = layout
  return { params: fromShape(params), result: fromShape(result), isOnce } as CheckedMethod<L>
}

/** Returns the schema of a layout. */
export function checked<T, Text>(layout: Layout.Layout<T, Text>): Schema<T> {
  return fromShape(layout) as Schema<T>
}

/** The argument `encoding` in any case; defaults to hex. The response contains the encoding in lowercase. */
export const encoding: Schema<Layout.Encoding> = /* @__PURE__ */ checked(Layout.encoding)

const SCALARS: Readonly<Record<Layout.Scalar, AnySchema>> = {
  u64: scalars.u64,
  u32: scalars.u32,
  u16: scalars.u16,
  u8: scalars.u8,
  fixed4: scalars.fixed4,
  integer: scalars.integer,
  bigInteger: scalars.bigInteger,
  string: scalars.string,
  boolean: scalars.boolean,
  json: scalars.json,
  object: composites.object,
  time: scalars.time,
  id: scalars.id,
  nodeId: scalars.nodeId,
  checkedHex: scalars.checkedHex,
  address: scalars.address,
  height: scalars.height,
}

function fromShape(shape: Layout.Shape): AnySchema {
  switch (shape.kind) {
    case 'hex':
      return scalars.hex(shape.length)
    case 'oneOf':
      return oneOf(shape)
    case 'struct':
      return composites.struct(fromShapes(shape.members))
    case 'tuple':
      return composites.tuple(fromShapes(shape.members))
    case 'byMember':
      return composites.byMember(fromShapes(shape.shapes))
    case 'array':
      return composites.array(fromShape(shape.item) as Schema<unknown>)
    case 'nullable':
      return composites.nullable(fromShape(shape.item) as Schema<unknown>)
    case 'optional':
      return composites.optional(fromShape(shape.item) as Schema<unknown>)
    case 'map':
      return composites.map(fromShape(shape.key), fromShape(shape.item) as Schema<unknown>)
    default:
      return SCALARS[shape.kind]
  }
}

function fromShapes(shapes: Readonly<Record<string, Layout.Shape>>): Readonly<Record<string, AnySchema>> {
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, fromShape(shape)]))
}

function oneOf({ words, letterCase }: Extract<Layout.Shape, { readonly kind: 'oneOf' }>): AnySchema {
  const schema = scalars.oneOf(...(words as readonly [string, ...string[]]))
  if (letterCase === undefined) return schema
  const convert = (text: string) => (letterCase === 'lower' ? text.toLowerCase() : text.toUpperCase())
  return {
    ...schema,
    accept: (json, path) => schema.accept(typeof json === 'string' ? convert(json) : json, path),
  }
}
