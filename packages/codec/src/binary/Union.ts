import { excerpt } from '../excerpt.ts'
import { isJsonObject } from '../isJsonObject.ts'
import type { Json } from '../Json.ts'
import type { Arbitrary, FastCheck } from './Arbitrary.ts'
import { type Codec, create, type Infer, type JsonContext } from './Codec.ts'
import { at, Fault, type Reader, readU32 } from './Reader.ts'
import { type Fields, type Flat, readInto, type StructCodec } from './Struct.ts'
import { type Writer, writeU32 } from './Writer.ts'

/**
 * Variants of a union by name. Each is a tuple of the type id on the wire and the struct. The tuple may contain
 * further items for the caller's own use.
 */
export type Variants = Readonly<
  // biome-ignore lint/suspicious/noExplicitAny: structs have different fields; `Infer` recovers them
  Record<string, readonly [typeId: number, struct: StructCodec<any>, ...others: readonly unknown[]]>
>

/** Type of a union's values: the struct's fields plus `type`, the name of the variant. */
export type InferVariants<V extends Variants> = {
  readonly [K in keyof V]: Flat<{ readonly type: K } & Infer<V[K][1]>>
}[keyof V] &
  unknown

export interface UnionOptions {
  /**
   * Returns the name of the variant that a JSON object represents, because the node's JSON does not name it. By
   * default, this is the only variant whose fields are exactly the members of the object.
   */
  readonly variantOf?: (json: Readonly<Record<string, Json>>, context: JsonContext) => string | undefined
}

interface Variant {
  readonly name: string
  readonly typeId: number
  readonly codec: StructCodec<Fields>
  readonly names: readonly string[]
  readonly codecs: readonly Codec<unknown>[]
  readonly template: Readonly<Record<string, unknown>>
}

/**
 * Creates a codec of one of several structs with a u32 type id prefix (Go's interface values). As in the
 * node, a type may not be nested in itself. A struct that is part of several unions counts as one type.
 *
 * @example
 * ```ts
 * import { Codec } from '@firn/codec'
 *
 * const Hash = Codec.struct({ hash: Codec.id })
 * const AddressedCall = Codec.struct({ sourceAddress: Codec.bytes(), payload: Codec.bytes() })
 * const Payload = Codec.union({ Hash: [0, Hash], AddressedCall: [1, AddressedCall] })
 * Payload.decode(new Uint8Array(36)).type // 'Hash'
 * ```
 */
export function union<V extends Variants>(variants: V, options: UnionOptions = {}): Codec<InferVariants<V>> {
  const all = Object.entries(variants).map(([name, [typeId, codec]]) => prepare(name, typeId, codec))
  const byTypeId = new Map(all.map((variant) => [variant.typeId, variant]))
  const byName = new Map(all.map((variant) => [variant.name, variant]))
  const of = (value: { readonly type?: unknown }): Variant => {
    const variant = byName.get(value?.type as string)
    if (variant !== undefined) return variant
    throw new Fault(
      'CODEC_VALUE',
      `expected one of the types ${[...byName.keys()].join(', ')}, got ${excerpt(value?.type)}`,
    )
  }
  type Value = InferVariants<V>
  return create<Value>({
    minSize: 4 + Math.min(...all.map((variant) => variant.codec.minSize)),
    fixedSize: undefined,
    size: (value) => 4 + of(value).codec.size(value as never),
    read: (reader) => readVariant(byTypeId, reader) as Value,
    write: (writer, value) => writeVariant(of(value), writer, value as never),
    json: (value, context) => of(value).codec.json(value as never, context),
    unjson: (json, context) => unjsonVariant(all, options, json, context) as Value,
    arbitrary: (fc, open = []) => arbitraryOf(fc, all, open) as Arbitrary<Value>,
  })
}

function prepare(name: string, typeId: number, codec: StructCodec<Fields>): Variant {
  const names = Object.keys(codec.fields)
  return {
    name,
    typeId,
    codec,
    names,
    codecs: Object.values(codec.fields),
    template: { type: name, ...Object.fromEntries(names.map((field) => [field, undefined])) },
  }
}

function readVariant(byTypeId: ReadonlyMap<number, Variant>, reader: Reader): Record<string, unknown> {
  const typeId = readU32(reader, 'type id')
  const variant = byTypeId.get(typeId)
  if (variant === undefined) {
    const expectation = `expected one of the type ids ${[...byTypeId.keys()].join(', ')}, got ${typeId}`
    throw new Fault('CODEC_TYPE_ID', expectation, reader.offset - 4, { details: { typeId } })
  }
  if (reader.open.includes(variant.codec)) {
    const details = { typeId }
    throw new Fault('CODEC_RECURSIVE', `expected no nested ${variant.name}`, reader.offset - 4, { details })
  }
  reader.open.push(variant.codec)
  const value = readInto({ ...variant.template }, variant.names, variant.codecs, reader)
  reader.open.pop()
  return value
}

function writeVariant(variant: Variant, writer: Writer, value: never): void {
  if (writer.open.includes(variant.codec))
    throw new Fault('CODEC_RECURSIVE', `expected no nested ${variant.name}`)
  writer.open.push(variant.codec)
  writeU32(writer, variant.typeId)
  variant.codec.write(writer, value)
  writer.open.pop()
}

function unjsonVariant(
  all: readonly Variant[],
  options: UnionOptions,
  json: Json,
  context: JsonContext,
): unknown {
  if (!isJsonObject(json)) {
    throw new Fault('CODEC_VALUE', 'expected a JSON object')
  }
  const name = options.variantOf?.(json, context)
  const fitting = all.filter((variant) =>
    name === undefined ? hasMembers(variant, json) : variant.name === name,
  )
  const [variant, other] = fitting
  if (variant === undefined || other !== undefined) {
    const got = Object.keys(json).join(', ')
    throw new Fault(
      'CODEC_VALUE',
      `expected members of exactly one of ${all.map((v) => v.name).join(', ')}, got ${got}`,
    )
  }
  try {
    return { ...variant.template, ...variant.codec.unjson(json, context) }
  } catch (error) {
    throw at(error, variant.name)
  }
}

function hasMembers(variant: Variant, members: Readonly<Record<string, Json>>): boolean {
  const names = Object.keys(members)
  return names.length === variant.names.length && variant.names.every((name) => name in members)
}

function arbitraryOf(fc: FastCheck, all: readonly Variant[], open: readonly unknown[]): Arbitrary<unknown> {
  const free = all.filter((variant) => !open.includes(variant.codec))
  return fc.oneof(
    ...free.map((variant) =>
      variant.codec
        .arbitrary(fc, [...open, variant.codec])
        .map((value) => ({ ...variant.template, ...value })),
    ),
  )
}
