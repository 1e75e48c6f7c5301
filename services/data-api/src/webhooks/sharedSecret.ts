import { Webhooks } from '@firn/service-store'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { OF_WEBHOOKS, ownerOf, type WebhookContext } from './common/WebhookContext.ts'

const SECRET_BYTES = 32

const SharedSecret = Schema.object('SharedSecretsResponse', 'The secret with which messages are signed', {
  secret: Schema.text(
    'Secret of all webhooks of the API key. The header `x-signature` of a message is the HMAC-SHA256 of its body, in base64. The key is this text, or the bytes of which it is the hexadecimal form, by `secretEncoding` of the webhook.',
    'c13cc017c4ed63bcc842c8edfb49df37512280326a32826de3b885340b8a3d53',
  ),
})

/** Returns a new secret: 64 hexadecimal digits. */
export function newSecret({ random }: Pick<WebhookContext, 'random'>): string {
  return Buffer.from(random(SECRET_BYTES)).toString('hex')
}

/** `GET /v1/webhooks:getSharedSecret`: the secret with which messages are signed. */
export function getSharedSecret({ store }: WebhookContext): Endpoint {
  return define({
    ...OF_WEBHOOKS,
    method: 'GET',
    path: '/v1/webhooks:getSharedSecret',
    operationId: 'getSharedSecret',
    summary: 'The secret with which messages are signed',
    units: 10,
    pathParameters: {},
    queryParameters: {},
    response: SharedSecret,
    handle: async (call) => {
      const secret = await Webhooks.secretOf(store, ownerOf(call))
      if (secret !== undefined) return { body: { secret } }
      const message =
        'your API key has no secret yet; POST /v1/webhooks:generateOrRotateSharedSecret makes one'
      throw new DataApiError('DATA_NOT_FOUND', message)
    },
  })
}

/** `POST /v1/webhooks:generateOrRotateSharedSecret`: replaces the secret. Messages are signed with the new one at once. */
export function rotateSharedSecret(context: WebhookContext): Endpoint {
  return define({
    ...OF_WEBHOOKS,
    method: 'POST',
    path: '/v1/webhooks:generateOrRotateSharedSecret',
    operationId: 'generateOrRotateSharedSecret',
    summary: 'Generates the secret with which messages are signed, or replaces it',
    units: 10,
    pathParameters: {},
    queryParameters: {},
    takesAnyContentType: true,
    status: 201,
    response: SharedSecret,
    handle: async (call) => ({
      body: { secret: await Webhooks.putSecret(context.store, ownerOf(call), newSecret(context), true) },
    }),
  })
}
