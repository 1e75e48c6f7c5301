import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { Endpoint } from './Endpoint.ts'
import * as ErrorBody from './ErrorBody.ts'
import type * as Parameter from './Parameter.ts'

/** What is documented. */
export interface DocumentationOptions {
  readonly title: string
  readonly version: string
  readonly prefix?: string
}

/** The page works without the internet: nothing of it asks its maker's servers. */
const PAGE = {
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
} as const

/** Adds OpenAPI 3.1 of all later routes at `/openapi.json` and a page of it at `/docs`. */
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
      // A key is taken where one is given.
      security: [{}, { key: [] }],
    },
  })
  server.get(`${prefix}/openapi.json`, { schema: { hide: true } }, async () => server.swagger())
  await server.register(scalar, {
    routePrefix: `/${`${prefix}/docs`.slice(1)}`,
    configuration: PAGE,
  })
}

/** Headers of every answer, where there are limits. */
const LIMITS = {
  'x-compute-units': Type.Integer({ description: 'compute units that the request cost' }),
  'ratelimit-policy': Type.String({ description: 'compute units a minute and a day' }),
  'ratelimit-limit': Type.Integer({ description: 'compute units a minute' }),
  'ratelimit-remaining': Type.Integer({ description: 'compute units that are left' }),
  'ratelimit-reset': Type.Integer({ description: 'seconds until there are more' }),
}

const REFUSED = {
  ...LIMITS,
  'retry-after': Type.Integer({ description: 'of 429 and 503: seconds until the request may succeed' }),
}

/** Headers of a success. */
const ANSWERED = {
  ...LIMITS,
  'x-firn-height': Type.String({ description: 'the block that the answer is as of' }),
  'x-firn-block-time': Type.Integer({ description: 'its time, Unix seconds' }),
  etag: Type.String({ description: 'for if-none-match' }),
}

/** Returns what OpenAPI says of an endpoint, with its price in `x-compute-units` and the scope that a key needs in `x-scope`. */
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
