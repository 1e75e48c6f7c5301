import type { Json } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import type { AddressForm } from '../avax/NodeJson.ts'

/**
 * A 20-byte address of an owner: in JSON as the context prints addresses, otherwise cb58, as the node prints
 * owners whose chain is not set.
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
 * Returns the same codec, with JSON members in alphabetical order: the node prints these structures from a Go
 * map.
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
