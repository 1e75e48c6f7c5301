import { Address, Codec, type Json } from '@firn/codec'

/**
 * A 20-byte address of an owner: in JSON with the chain's alias and the network's prefix when the context has them, else
 * cb58, as the node prints owners that it hasn't told their chain.
 */
export const address = Codec.withJson(Codec.shortId, {
  json: (payload, { hrp, chain = '' }, plain) =>
    hrp === undefined ? plain(payload) : Address.format({ chain, hrp, payload }),
  unjson: (json, _context, plain) =>
    typeof json === 'string' && json.includes('-') ? Address.parseBytes(json) : plain(json),
})

/** The same bytes, and JSON with its members in alphabetical order: the node prints these structures out of a Go map. */
export function alphabetical<F extends Codec.Fields>(struct: Codec.StructCodec<F>): Codec.StructCodec<F> {
  return Codec.withJson(struct, {
    json: (value, _context, plain) => {
      const members = Object.entries(plain(value) as Readonly<Record<string, Json.Json>>)
      return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
    },
    unjson: (json, _context, plain) => plain(json),
  })
}
