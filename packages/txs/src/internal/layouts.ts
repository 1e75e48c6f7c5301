import type { Json } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import type { AddressForm } from '../avax/NodeJson.ts'

/**
 * Codec of an owner's 20-byte address. JSON uses the context's address form. Without a context it uses cb58,
 * as the node does for owners whose chain is not set.
 */
export const address = Codec.withJson(Codec.shortId, {
  json: (payload, context, plain) => formOf(context)?.format(payload) ?? plain(payload),
  unjson(json, context, plain) {
    const form = formOf(context)
    return form !== undefined && typeof json === 'string' && json.includes('-')
      ? form.parse(json)
      : plain(json)
  },
})

function formOf(context: Codec.JsonContext): AddressForm | undefined {
  return context['addresses'] as AddressForm | undefined
}

/**
 * Returns the struct's codec with JSON members in alphabetical order, because the node prints these
 * structures from a Go map.
 */
export function alphabetical<F extends Codec.Fields>(struct: Codec.StructCodec<F>): Codec.StructCodec<F> {
  return Codec.withJson(struct, {
    json: (value, _context, plain) => {
      const members = Object.entries(plain(value) as Readonly<Record<string, Json.Json>>)
      return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
    },
    unjson: (json, _context, plain) => plain(json),
  })
}
