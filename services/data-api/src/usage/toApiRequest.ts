import { ClientAddress, type TrustedProxies } from '@firn/http'
import type { ApiRequest } from '@firn/service-store'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Used } from '../http/admission/Access.ts'

/** Path pattern under which requests for unknown paths are counted. */
const UNKNOWN = 'unknown path'

/**
 * Returns the stored row of an answered request with an API key. The query, headers and bodies are left out, except what
 * identifies the client. `now` is in Unix milliseconds.
 */
export function toApiRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { keyId, units }: Used & { readonly keyId: string },
  { trusted, now }: { readonly trusted: TrustedProxies.TrustedProxies; readonly now: number },
): ApiRequest {
  const { endpoint = UNKNOWN } = request.routeOptions.config as { readonly endpoint?: string }
  const { chainId, blockchainId, operationId } = (request.params ?? {}) as Readonly<Record<string, string>>
  const [path = ''] = request.url.split('?')
  return {
    id: request.id,
    keyId,
    time: now,
    endpoint,
    // Whoever knows the id of an export may read its file, so the id is a secret.
    path: operationId === undefined ? path : endpoint,
    chainId: chainId ?? blockchainId ?? '',
    status: reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime),
    credits: units,
    client: {
      address: ClientAddress.find(request, trusted)?.text ?? '',
      host: request.headers.host ?? '',
      userAgent: request.headers['user-agent'] ?? '',
    },
  }
}
