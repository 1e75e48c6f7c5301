import { Hex } from '@firn/codec'
import { Webhooks } from '@firn/service-store'
import { addressText } from '../evm/chain/addressText.ts'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Field from '../http/endpoint/Field.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { addressUnits } from './addressUnits.ts'
import * as members from './common/members.ts'
import { found, id, MOST_KEYS, OF_WEBHOOKS, ownerOf, type WebhookContext } from './common/WebhookContext.ts'
import { addressActivity } from './kinds/AddressActivity.ts'
import { EVM_ADDRESSES } from './kinds/reading.ts'
import { nextPageToken, paging } from './listWebhooks.ts'
import { answer } from './oneWebhook.ts'

const PATH = '/v1/webhooks/{id}/addresses'

/** `GET /v1/webhooks/{id}/addresses`: the addresses that a webhook of an EVM chain observes. */
export function listWebhookAddresses({ store, tokens }: WebhookContext): Endpoint {
  return define({
    ...OF_WEBHOOKS,
    method: 'GET',
    path: PATH,
    operationId: 'getAddressesFromWebhook',
    summary: 'The addresses that a webhook of an EVM chain observes',
    units: 10,
    pathParameters: { id },
    queryParameters: paging,
    response: Schema.object('ListWebhookAddressesResponse', 'A page of addresses', {
      nextPageToken,
      addresses: Schema.list(Field.evmAddress('Address'), 'Addresses of the page, in ascending order'),
      totalAddresses: Field.count('Number of all addresses'),
    }),
    handle: async (call) => {
      const { id } = ofEvm(await Webhooks.find(store, ownerOf(call), call.path.id))
      const { pageSize, pageToken } = call.query
      const name = `webhook addresses ${id}`
      const [after] = pageToken === undefined ? [] : tokens.open(name, pageToken).after
      const [keys, counts] = await Promise.all([
        Webhooks.keysPage(store, id, {
          after: after === undefined ? undefined : Hex.decodeBare(after),
          limit: pageSize + 1,
        }),
        Webhooks.countKeys(store, [id]),
      ])
      const page = keys.slice(0, pageSize)
      const last = keys.length > pageSize ? page.at(-1) : undefined
      return {
        body: {
          nextPageToken: last && tokens.seal(name, { at: [], after: [Hex.encodeBare(last)], query: {} }),
          addresses: page.map(addressText),
          totalAddresses: counts.get(id) ?? 0,
        },
      }
    },
  })
}

const AddressesChangeRequest = Schema.object('AddressesChangeRequest', 'Addresses to add or to remove', {
  addresses: Schema.list(Field.evmAddress('Address'), 'Addresses'),
})

/** `PATCH /v1/webhooks/{id}/addresses` adds addresses to a webhook of an EVM chain; `DELETE` removes addresses. */
export function changeWebhookAddresses(context: WebhookContext): readonly Endpoint[] {
  const { store, wake } = context
  const common = {
    ...OF_WEBHOOKS,
    path: PATH,
    units: 20,
    extraUnits: addressUnits,
    pathParameters: { id },
    queryParameters: {},
    requestBody: AddressesChangeRequest,
    takesAnyContentType: true,
    response: addressActivity.response,
  } as const
  const change = async (owner: Uint8Array, id: string, body: unknown, kind: 'add' | 'remove') => {
    const known = ofEvm(await Webhooks.find(store, owner, id))
    const given = members.membersOf(body)
    const listed = members.list(given, 'addresses', EVM_ADDRESSES)
    const keys = members.required(given, 'addresses', listed, `a list of ${EVM_ADDRESSES.expected}`)
    const count = (await Webhooks.countKeys(store, [known.id])).get(known.id) ?? 0
    if (kind === 'add' && count + keys.length > MOST_KEYS) {
      const expected = `at most ${MOST_KEYS} addresses, with the ${count} that the webhook has`
      throw Parameter.refused('addresses', expected, String(keys.length))
    }
    const row = await Webhooks.changeKeys(store, owner, id, kind, keys)
    wake()
    return answer(row, context)
  }
  return [
    define({
      ...common,
      method: 'PATCH',
      operationId: 'addAddressesToWebhook',
      summary: 'Adds addresses to a webhook of an EVM chain',
      handle: (call) => change(ownerOf(call), call.path.id, call.body, 'add'),
    }),
    define({
      ...common,
      method: 'DELETE',
      operationId: 'removeAddressesFromWebhook',
      summary: 'Removes addresses from a webhook of an EVM chain',
      handle: (call) => change(ownerOf(call), call.path.id, call.body, 'remove'),
    }),
  ]
}

function ofEvm(row: Webhooks.Webhook | undefined): Webhooks.Webhook {
  const known = found(row)
  if (known.event_type === 'address_activity') return known
  throw new DataApiError('DATA_PARAMETER', 'id: only webhooks of EVM chains have lists of addresses')
}
