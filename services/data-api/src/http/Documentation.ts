import { DocumentationPage, OpenApiComponents } from '@firn/http'
import type { FastifyInstance } from 'fastify'
import * as ErrorBody from './ErrorBody.ts'
import type { Download } from './endpoint/Download.ts'
import type { Endpoint, EventStream } from './endpoint/Endpoint.ts'
import type * as Parameter from './endpoint/Parameter.ts'
import { PARAMETER_TEXTS, type ParameterName, type ParameterText } from './endpoint/ParameterTexts.ts'
import { TAGS } from './endpoint/Tag.ts'

/** What the OpenAPI document describes. */
export interface DocumentationOptions {
  readonly title: string
  readonly version: string
  readonly prefix?: string
  readonly endpoints: readonly Endpoint[]
  readonly streams?: readonly EventStream[]
  readonly downloads?: readonly Download[]
}

/** Compute units of a file of the documentation. The largest has 1 MB when it is compressed. */
const UNITS = 10

/** Adds `/openapi.json`, which describes all endpoints, and `/docs`, a page that shows it. */
export function addDocumentation(server: FastifyInstance, options: DocumentationOptions): void {
  const { prefix = '' } = options
  const document = () => createDocument(options)
  DocumentationPage.add(server, { document, prefix, config: { units: UNITS } })
}

/** Names of the headers that may contain an API key. */
const KEY_HEADERS = { apiKey: 'x-data-api-key', formerApiKey: 'x-glacier-api-key' } as const
const KEYS = Object.keys(KEY_HEADERS).map((name) => ({ [name]: [] }))

/**
 * Returns the OpenAPI 3.1 document of endpoints. Schemas, errors and headers are components. `x-compute-units` is the
 * cost of an operation, and `x-scope` is the scope that a key needs for it.
 */
export function createDocument(options: DocumentationOptions): Record<string, unknown> {
  const { title, version, prefix = '', endpoints, streams = [], downloads = [] } = options
  const operations = [
    ...endpoints.map((endpoint) => ({ ...endpoint, type: 'application/json' })),
    ...streams.map((stream) => ({ ...stream, method: 'GET' as const, type: 'text/event-stream' })),
    ...downloads.map((download) => ({ ...download, method: 'GET' as const, type: download.mediaType })),
  ]
  const byPath = Map.groupBy(operations, ({ path }) => path)
  const used = new Set(operations.map(({ tag }) => tag))
  return OpenApiComponents.extract({
    openapi: '3.1.0',
    info: {
      title,
      version,
      description: 'Indexed data of the Avalanche network. 64-bit numbers in JSON are exact.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: prefix === '' ? '/' : prefix, description: 'The server of this document' }],
    tags: [...used].map((name) => ({ name, description: TAGS[name] ?? name })),
    // The empty entry means that the key is optional.
    security: [{}, ...KEYS],
    paths: Object.fromEntries(
      [...byPath].map(([path, some]) => [
        path,
        Object.fromEntries(some.map((one) => [one.method.toLowerCase(), operation(one)])),
      ]),
    ),
    components: {
      securitySchemes: Object.fromEntries(
        Object.entries(KEY_HEADERS).map(([name, header]) => [
          name,
          {
            type: 'apiKey',
            in: 'header',
            name: header,
            description: 'An API key. Without one, callers are limited by their address.',
          },
        ]),
      ),
      headers: { ...LIMITS, ...REFUSED, ...ANSWERED },
      responses: Object.fromEntries(
        ErrorBody.statuses().map(({ schema, description, codes }) => [
          schema.title,
          {
            description,
            'x-codes': codes,
            headers: references({ ...LIMITS, ...REFUSED }),
            content: { 'application/json': { schema, example: schema.examples[0] } },
          },
        ]),
      ),
    },
  })
}

type Header = readonly [type: 'integer' | 'string', description: string, example: number | string]

function headers(all: Readonly<Record<string, Header>>) {
  return Object.fromEntries(
    Object.entries(all).map(([name, [type, description, example]]) => [
      name,
      { description, schema: { type }, example },
    ]),
  )
}

/** Rate-limit headers, which responses have if rate limits are enabled. */
const LIMITS = headers({
  'x-compute-units': ['integer', 'Compute units charged for the request', 20],
  'ratelimit-policy': ['string', 'Maximum compute units per minute and per day', '2000;w=60, 100000;w=86400'],
  'ratelimit-limit': ['integer', 'Maximum compute units per minute', 2_000],
  'ratelimit-remaining': ['integer', 'Remaining compute units in the current window', 1_980],
  'ratelimit-reset': ['integer', 'Seconds until the current window ends', 60],
})

const REFUSED = headers({
  'retry-after': ['integer', 'Seconds to wait before a retry, for 429 and 503', 1],
})

/** Headers of successful responses. */
const ANSWERED = headers({
  'x-firn-height': ['string', 'Height of the block at which the answer was computed', '16776960'],
  'x-firn-block-time': ['integer', 'Time of that block, in Unix seconds', 1_795_219_200],
  etag: ['string', 'Entity tag for If-None-Match', '"b3f1c2"'],
})

function references(headers: object) {
  const names = Object.keys(headers)
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

type Operation = Omit<Endpoint, 'handle' | 'version'> &
  Partial<Pick<EventStream, 'unitsPerMinute'>> & { readonly type: string }

function operation(endpoint: Operation) {
  const { operationId, summary, tag, scope, units, status = 200, response, requestBody, type } = endpoint
  const need =
    endpoint.needsKey === true ? `needs a key with the scope ${scope}` : `keys need the scope ${scope}`
  const { unitsPerMinute } = endpoint
  const open = unitsPerMinute === undefined ? '' : `, and ${unitsPerMinute} for each minute while it is open`
  const cost = endpoint.isOpen === true ? 'Free.' : `Costs ${units} compute units${open}; ${need}.`
  return {
    operationId,
    summary,
    description: `${summary}. ${cost}`,
    tags: [tag],
    ...(endpoint.isDeprecated === true ? { deprecated: true } : {}),
    ...(endpoint.isOpen === true ? { security: [] } : {}),
    ...(endpoint.needsKey === true ? { security: KEYS } : {}),
    'x-compute-units': units,
    'x-scope': scope,
    parameters: [
      ...parameters(endpoint.pathParameters, 'path'),
      ...parameters(endpoint.queryParameters, 'query'),
    ],
    ...(requestBody === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: requestBody, example: requestBody.examples[0] } },
          },
        }),
    responses: {
      [status]: {
        description: response.description,
        headers: references({ ...LIMITS, ...ANSWERED }),
        content: { [type]: { schema: response, example: response.examples[0] } },
      },
      ...Object.fromEntries(
        ErrorBody.statuses()
          .filter((one) => canFail(endpoint, one.status))
          .map(({ status, schema }) => [status, { $ref: `#/components/responses/${schema.title}` }]),
      ),
    },
  }
}

/** Returns whether an endpoint can answer with an error status. */
function canFail({ isOpen, requestBody }: Operation, status: number): boolean {
  if (isOpen === true) return status >= 500 && status !== 502
  if (status === 413) return requestBody !== undefined
  return true
}

function parameters(specification: Parameter.Specification, place: 'path' | 'query') {
  return Object.entries(specification).map(([name, parameter]) => {
    const known: ParameterText = PARAMETER_TEXTS[name as ParameterName]
    const { description, example } = { ...known, ...parameter.text }
    const { schema, isRequired, isList, fallback } = parameter
    return {
      name,
      in: place,
      required: place === 'path' || (isRequired && fallback === undefined),
      description,
      ...(isList ? { style: 'form', explode: false } : {}),
      schema,
      example,
    }
  })
}
