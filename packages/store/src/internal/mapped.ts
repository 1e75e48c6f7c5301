import { Codec } from '@firn/codec'

/**
 * Returns a codec with the same bytes as `inner`, but for values of another type. `to` converts decoded
 * values, and `from` converts them back.
 */
export function mapped<A, B>(
  inner: Codec.Codec<A>,
  to: (value: A) => B,
  from: (value: B) => A,
): Codec.Codec<B> {
  return {
    minSize: inner.minSize,
    fixedSize: inner.fixedSize,
    encode: (value) => inner.encode(from(value)),
    decode: (bytes) => to(inner.decode(bytes)),
    size: (value) => inner.size(from(value)),
    toJSON: (value, context) => inner.toJSON(from(value), context),
    fromJSON: (json, context) => to(inner.fromJSON(json, context)),
    read: (reader) => to(inner.read(reader)),
    write: (writer, value) => inner.write(writer, from(value)),
    json: (value, context) => inner.json(from(value), context),
    unjson: (json, context) => to(inner.unjson(json, context)),
    arbitrary: (fc, open) => inner.arbitrary(fc, open).map(to),
  }
}

/** Returns a codec of an optional value, which is encoded as a list of at most one item. */
export function optional<T>(inner: Codec.Codec<T>): Codec.Codec<T | undefined> {
  return mapped(
    Codec.array(inner, { max: 1 }),
    ([value]) => value,
    (value) => (value === undefined ? [] : [value]),
  )
}

/** Returns a codec of one of several names, which is encoded as its index in the list. */
export function oneOf<const Name extends string>(...names: readonly Name[]): Codec.Codec<Name> {
  const none = () => Codec.struct({})
  const variants = Object.fromEntries(names.map((name, i) => [name, [i, none()] as const]))
  return mapped(
    Codec.union(variants),
    ({ type }) => type as Name,
    (type) => ({ type }),
  )
}
