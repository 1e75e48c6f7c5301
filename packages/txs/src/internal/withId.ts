import { Bytes, Id, type Json } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { TxsError } from '../TxsError.ts'

/**
 * The same bytes, and JSON with the member `id` (cb58 of what `idOf` gives) at its end. On the way back an `id` that is there
 * must be the value's, or that of one of its `alternatives`, where JSON doesn't tell types apart.
 * @throws TxsError `TXS_ID`: JSON that has been changed, or that doesn't tell what it was printed from
 */
export function withId<F extends Codec.Fields>(
  struct: Codec.StructCodec<F>,
  idOf: (value: Codec.InferFields<F>) => Uint8Array,
  alternatives: (value: Codec.InferFields<F>) => Iterable<Codec.InferFields<F>> = () => [],
): Codec.StructCodec<F> {
  return Codec.withJson(struct, {
    json: (value, _context, plain) => ({
      ...(plain(value) as Readonly<Record<string, Json.Json>>),
      id: Id.format(idOf(value)),
    }),
    unjson: (json, _context, plain) => {
      const value = plain(json)
      const { id } = json as { readonly id?: Json.Json }
      if (id === undefined) return value
      const expected = Codec.id.fromJSON(id)
      if (Bytes.equals(idOf(value), expected)) return value
      for (const other of alternatives(value)) if (Bytes.equals(idOf(other), expected)) return other
      const actual = Id.format(idOf(value))
      throw new TxsError('TXS_ID', `expected JSON of ${id}, got that of ${actual}`, {
        details: { expected: id, actual },
      })
    },
  })
}
