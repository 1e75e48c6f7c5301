import type { Json } from '../Json.ts'
import { type Codec, create, type Infer, type JsonContext } from './Codec.ts'
import { Fault, readU16 } from './Reader.ts'
import { writeU16 } from './Writer.ts'

/** Default size limit of the node's codec manager, in bytes. */
export const DEFAULT_MAX_SIZE = 256 * 1024

/**
 * Creates a codec of a structure with a u16 codec version prefix and a total size of at most `maxSize` bytes.
 * Source: avalanchego `codec.Manager`.
 *
 * @example
 * ```ts
 * import { Codec, Hex } from '@firn/codec'
 *
 * const Header = Codec.versioned(Codec.struct({ height: Codec.u64 }), { maxSize: 1024 })
 * Hex.encode(Header.encode({ height: 1n })) // '0x00000000000000000001'
 * ```
 */
export function versioned<T>(
  inner: Codec<T>,
  options: { readonly version?: number; readonly maxSize?: number } = {},
): Codec<T> {
  const { version = 0, maxSize = DEFAULT_MAX_SIZE } = options
  return create({
    minSize: 2 + inner.minSize,
    fixedSize: inner.fixedSize === undefined ? undefined : 2 + inner.fixedSize,
    size(value) {
      const size = 2 + inner.size(value)
      if (size > maxSize) throw new Fault('CODEC_SIZE', `expected at most ${maxSize} bytes, got ${size}`)
      return size
    },
    read(reader) {
      const left = reader.bytes.length - reader.offset
      if (left > maxSize) {
        const details = { maximum: maxSize, actual: left }
        const expectation = `expected at most ${maxSize} bytes, got ${left}`
        throw new Fault('CODEC_SIZE', expectation, reader.offset, { details })
      }
      const got = readU16(reader)
      if (got !== version)
        throw new Fault('CODEC_VERSION', `expected codec version ${version}, got ${got}`, reader.offset - 2)
      return inner.read(reader)
    },
    write(writer, value) {
      writeU16(writer, version)
      inner.write(writer, value)
    },
    json: inner.json,
    unjson: inner.unjson,
    arbitrary: inner.arbitrary,
  })
}

/**
 * Creates a codec whose definition is looked up at its first use, for types that contain each other. `minSize` is the
 * minimum encoded size of a value in bytes, which must be known before the definition.
 *
 * @example
 * ```ts
 * import { Codec, Hex } from '@firn/codec'
 *
 * type Tree = { readonly children: readonly Tree[] }
 * const Tree: Codec.Codec<Tree> = Codec.struct({ children: Codec.array(Codec.lazy(() => Tree, 4)) })
 * Hex.encode(Tree.encode({ children: [{ children: [] }] })) // '0x0000000100000000'
 * ```
 */
export function lazy<T>(get: () => Codec<T>, minSize: number): Codec<T> {
  let found: Codec<T> | undefined
  const inner = (): Codec<T> => {
    found ??= get()
    return found
  }
  return create({
    minSize,
    fixedSize: undefined,
    size: (value) => inner().size(value),
    read: (reader) => inner().read(reader),
    write: (writer, value) => inner().write(writer, value),
    json: (value, context) => inner().json(value, context),
    unjson: (json, context) => inner().unjson(json, context),
    arbitrary: (fc, open) => inner().arbitrary(fc, open),
  })
}

/**
 * Creates a codec with the same bytes as `inner` but another JSON form, for structures that the node prints
 * in a special way. A struct remains a struct, so that it can be a variant of a union.
 *
 * @example
 * ```ts
 * import { Codec } from '@firn/codec'
 *
 * const Flag = Codec.withJson(Codec.bool, {
 *   json: (value) => (value ? 'on' : 'off'),
 *   unjson: (json) => json === 'on',
 * })
 * Flag.toJSON(true) // 'on'
 * ```
 */
export function withJson<
  // biome-ignore lint/suspicious/noExplicitAny: accepts a codec of any type; `Infer` recovers the type
  C extends Codec<any>,
>(
  inner: C,
  form: {
    readonly json: (value: Infer<C>, context: JsonContext, plain: (value: Infer<C>) => Json) => Json
    readonly unjson: (json: Json, context: JsonContext, plain: (json: Json) => Infer<C>) => Infer<C>
  },
): C {
  const codec = create<Infer<C>>({
    ...inner,
    json: (value, context) => form.json(value, context, (v) => inner.json(v, context)),
    unjson: (json, context) => form.unjson(json, context, (j) => inner.unjson(j, context)),
  })
  return { ...inner, ...codec }
}
