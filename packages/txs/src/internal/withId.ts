import { Bytes, Codec, CodecError, Id, type Json } from '@firn/codec'

/**
 * The same bytes, and JSON with the member `id` (cb58 of what `idOf` gives) at its end. On the way back an `id` that is there
 * must be the value's: a value whose JSON has been read as something else would not be what was printed.
 */
export function withId<F extends Codec.Fields>(
  struct: Codec.StructCodec<F>,
  idOf: (value: Codec.InferFields<F>) => Uint8Array,
): Codec.StructCodec<F> {
  return Codec.withJson(struct, {
    json: (value, _context, plain) => ({
      ...(plain(value) as Readonly<Record<string, Json.Json>>),
      id: Id.format(idOf(value)),
    }),
    unjson: (json, _context, plain) => {
      const value = plain(json)
      const { id } = json as { readonly id?: Json.Json }
      if (id !== undefined && !Bytes.equals(Codec.id.fromJSON(id), idOf(value))) {
        throw new CodecError('CODEC_VALUE', `expected the id ${Id.format(idOf(value))}, got ${id}`, {
          path: 'id',
        })
      }
      return value
    },
  })
}
