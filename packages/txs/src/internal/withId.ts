import { Bytes, Id, type Json } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { TxsError } from '../TxsError.ts'

/**
 * Returns the struct's codec with a member `id` (cb58 of `idOf`) at the end of its JSON. When JSON is read, its `id`,
 * if present, must belong to the decoded value or to one of its `alternatives`, which are values with the same JSON.
 * @throws TxsError `TXS_ID` if the `id` matches none of these values
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
      throw new TxsError('TXS_ID', `the JSON has the id ${id}, its content has ${actual}`, {
        details: { expected: id, actual },
      })
    },
  })
}
