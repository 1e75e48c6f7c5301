import { excerpt } from '../excerpt.ts'
import { isJsonObject } from '../isJsonObject.ts'
import type { Json } from '../Json.ts'
import type { Arbitrary, FastCheck } from './Arbitrary.ts'
import { type Codec, create, type Infer, type JsonContext } from './Codec.ts'
import { at, Fault, type Reader } from './Reader.ts'
import type { Writer } from './Writer.ts'

// biome-ignore lint/suspicious/noExplicitAny: fields have different types; `Infer` recovers each type
export type Fields = Readonly<Record<string, Codec<any>>>

/** Type of a struct's values. The intersection makes editors show its members instead of its name. */
export type InferFields<F extends Fields> = { readonly [K in keyof F]: Infer<F[K]> } & unknown

/** A type with the members of `T`, as one object type that editors show with all members. */
export type Flat<T> = { readonly [K in keyof T]: T[K] } & unknown

/** A codec of named fields in wire order. */
export interface StructCodec<F extends Fields> extends Codec<InferFields<F>> {
  /** Fields of the struct. Another struct can spread them to embed this one. */
  readonly fields: F
}

/**
 * Creates a codec that encodes the fields one after the other, in the declared order. The field names are
 * also the names in the node's JSON.
 *
 * @example
 * ```ts
 * import { Codec } from '@firn/codec'
 *
 * const Transfer = Codec.struct({ amount: Codec.u64, memo: Codec.bytes() })
 * Transfer.encode({ amount: 1n, memo: new Uint8Array() }).length // 12
 * ```
 */
export function struct<F extends Fields>(fields: F): StructCodec<F> {
  const names = Object.keys(fields)
  const codecs = Object.values(fields)
  const template = Object.fromEntries(names.map((name) => [name, undefined]))
  const fixedSize = totalOf(codecs.map((codec) => codec.fixedSize))
  type Value = InferFields<F>
  const codec: Codec<Value> = create<Value>({
    minSize: totalOf(codecs.map((field) => field.minSize)) as number,
    fixedSize,
    size: (value) => fixedSize ?? sizeOf(names, codecs, value),
    read: (reader) => readInto({ ...template }, names, codecs, reader) as Value,
    write: (writer, value) => writeFields(names, codecs, writer, value),
    json: (value, context) => jsonOf(names, codecs, value, context),
    unjson: (json, context) => unjsonOf({ ...template }, names, codecs, json, context) as Value,
    arbitrary: (fc, open) => arbitraryOf(fc, fields, open) as Arbitrary<Value>,
  })
  return { ...codec, fields }
}

type Record_ = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: fields have different types, as in Fields
type Codecs = readonly Codec<any>[]

/**
 * Reads the fields into `target`. The target already has all properties, so that all values of a struct have
 * the same shape for the JavaScript engine.
 */
export function readInto(target: Record_, names: readonly string[], codecs: Codecs, reader: Reader): Record_ {
  let i = 0
  try {
    for (; i < names.length; i++) target[names[i] as string] = (codecs[i] as Codecs[number]).read(reader)
  } catch (error) {
    throw at(error, names[i] as string)
  }
  return target
}

function writeFields(names: readonly string[], codecs: Codecs, writer: Writer, value: Record_): void {
  let i = 0
  try {
    for (; i < names.length; i++) (codecs[i] as Codecs[number]).write(writer, value[names[i] as string])
  } catch (error) {
    throw at(error, names[i] as string)
  }
}

function sizeOf(names: readonly string[], codecs: Codecs, value: Record_): number {
  if (typeof value !== 'object' || value === null)
    throw new Fault('CODEC_VALUE', `expected an object, got ${excerpt(value)}`)
  let size = 0
  let i = 0
  try {
    for (; i < names.length; i++) {
      const codec = codecs[i] as Codecs[number]
      size += codec.fixedSize ?? codec.size(value[names[i] as string])
    }
  } catch (error) {
    throw at(error, names[i] as string)
  }
  return size
}

function jsonOf(names: readonly string[], codecs: Codecs, value: Record_, context: JsonContext): Json {
  const json: Record<string, Json> = {}
  let i = 0
  try {
    for (; i < names.length; i++) {
      const name = names[i] as string
      json[name] = (codecs[i] as Codecs[number]).json(value[name], context)
    }
  } catch (error) {
    throw at(error, names[i] as string)
  }
  return json
}

function unjsonOf(
  target: Record_,
  names: readonly string[],
  codecs: Codecs,
  json: Json,
  context: JsonContext,
): Record_ {
  if (!isJsonObject(json)) {
    throw new Fault('CODEC_VALUE', 'expected a JSON object')
  }
  let i = 0
  try {
    for (; i < names.length; i++) {
      const name = names[i] as string
      const member = json[name]
      if (member === undefined) throw new Fault('CODEC_VALUE', 'required member is missing')
      target[name] = (codecs[i] as Codecs[number]).unjson(member, context)
    }
  } catch (error) {
    throw at(error, names[i] as string)
  }
  return target
}

function arbitraryOf(fc: FastCheck, fields: Fields, open?: readonly unknown[]): Arbitrary<Record_> {
  return fc.record(
    Object.fromEntries(Object.entries(fields).map(([name, codec]) => [name, codec.arbitrary(fc, open)])),
    {
      noNullPrototype: true,
    },
  )
}

function totalOf(sizes: readonly (number | undefined)[]): number | undefined {
  let total = 0
  for (const size of sizes) {
    if (size === undefined) return undefined
    total += size
  }
  return total
}
