import swagger from '@fastify/swagger'
import { DocumentationPage } from '@firn/http'
import type { FastifyInstance } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { Endpoint } from './Endpoint.ts'
import * as ErrorBody from './ErrorBody.ts'
import type * as Parameter from './Parameter.ts'

/** Options of {@link addDocumentation}. */
export interface DocumentationOptions {
  readonly title: string
  readonly version: string
  readonly prefix?: string
}

/**
 * Adds `/openapi.json`, which describes all routes that are added later, and `/docs`, a page that shows it.
 */
export async function addDocumentation(
  server: FastifyInstance,
  { title, version, prefix = '' }: DocumentationOptions,
): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version, description: 'Indexed data of the Avalanche network.' },
      components: {
        securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-data-api-key' } },
      },
      // The empty entry means that the key is optional.
      security: [{}, { key: [] }],
    },
  })
  server.get(`${prefix}/openapi.json`, { schema: { hide: true } }, async () => server.swagger())
  DocumentationPage.add(server, { document: () => ({ ...server.swagger() }), prefix })
}

/** Rate-limit headers, which responses have if rate limits are enabled. */
const LIMITS = {
  'x-compute-units': Type.Integer({ description: 'compute units charged for the request' }),
  'ratelimit-policy': Type.String({ description: 'maximum compute units per minute and per day' }),
  'ratelimit-limit': Type.Integer({ description: 'maximum compute units per minute' }),
  'ratelimit-remaining': Type.Integer({ description: 'remaining compute units in the current window' }),
  'ratelimit-reset': Type.Integer({ description: 'seconds until the current window ends' }),
}

const REFUSED = {
  ...LIMITS,
  'retry-after': Type.Integer({ description: 'for 429 and 503: seconds to wait before a retry' }),
}

/** Headers of successful responses. */
const ANSWERED = {
  ...LIMITS,
  'x-firn-height': Type.String({ description: 'height of the block at which the answer was computed' }),
  'x-firn-block-time': Type.Integer({ description: 'time of that block, in Unix seconds' }),
  etag: Type.String({ description: 'entity tag for If-None-Match' }),
}

/**
 * Returns the OpenAPI documentation of an endpoint. `x-compute-units` is its cost, and `x-scope` is the scope
 * that a key needs for it.
 */
export function schemaOf(
  endpoint: Pick<
    Endpoint,
    | 'summary'
    | 'tag'
    | 'scope'
    | 'units'
    | 'status'
    | 'response'
    | 'requestBody'
    | 'pathParameters'
    | 'queryParameters'
  >,
) {
  const { summary, tag, scope, units, status = 200, response, requestBody } = endpoint
  const refused = { ...ErrorBody.ErrorBody, headers: REFUSED }
  return {
    summary,
    tags: [tag],
    'x-compute-units': units,
    'x-scope': scope,
    params: objectOf(endpoint.pathParameters, true),
    querystring: objectOf(endpoint.queryParameters, false),
    ...(requestBody === undefined ? {} : { body: requestBody }),
    response: {
      [status]: { ...(response as TSchema), headers: ANSWERED },
      '4xx': refused,
      '5xx': refused,
    },
  }
}

function objectOf(specification: Parameter.Specification, isPath: boolean) {
  const properties = Object.entries(specification).map(([name, { schema, isRequired, fallback }]) => [
    name,
    isPath || (isRequired && fallback === undefined) ? schema : Type.Optional(schema),
  ])
  return Type.Object(Object.fromEntries(properties))
}
