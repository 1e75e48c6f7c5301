import { ApiKey, OpenApiComponents } from '@firn/http'
import { ENDPOINTS, type Endpoint } from './Endpoints.ts'
import * as OperatorAccess from './OperatorAccess.ts'
import { STATUS } from './OperatorError.ts'

const FAILURE = {
  type: 'object',
  title: 'OperatorFailure',
  description: 'An error',
  properties: {
    message: { type: 'string', description: 'What happened, and what to do' },
    code: { type: 'string', description: 'Code of the error', enum: Object.keys(STATUS) },
    statusCode: { type: 'integer', description: 'HTTP status' },
  },
  required: ['message', 'code', 'statusCode'],
}

/**
 * Returns the OpenAPI 3.1 document of all endpoints for operators. A service has the endpoints of its data.
 * @example
 * ```ts
 * import { Operators } from '@firn/operate'
 *
 * Operators.createDocument('0.2.0')['openapi'] // '3.1.0'
 * ```
 * @throws HttpError `HTTP_SCHEMA` if two different schemas have the same title
 */
export function create(version: string): Record<string, unknown> {
  const paths = [...new Set(ENDPOINTS.map(({ path }) => path))]
  const key = ApiKey.HEADERS[0]
  return OpenApiComponents.extract({
    openapi: '3.1.0',
    info: {
      title: 'Firn for operators',
      version,
      description:
        'State of a service, for operators: with an API key of the scope admin, or on the machine of the service with its token or its operator socket. Requests across origins are refused.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The server of this document' }],
    tags: [{ name: 'Operate', description: 'State of a service and management of keys' }],
    security: [{ apiKey: [] }, { token: [] }],
    paths: Object.fromEntries(
      paths.map((path) => {
        const some = ENDPOINTS.filter((one) => one.path === path)
        return [path, Object.fromEntries(some.map((one) => [one.method.toLowerCase(), operation(one)]))]
      }),
    ),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: key, description: 'A key with the scope admin' },
        token: {
          ...{ type: 'apiKey', in: 'header', name: OperatorAccess.TOKEN_HEADER },
          description: 'Contents of operator-token in the data folder, on the machine of the service only',
        },
      },
    },
  })
}

function operation({ operationId, summary, path, query = {}, body, response }: Endpoint) {
  const json = (schema: unknown) => ({ 'application/json': { schema } })
  const hasKeyId = path.includes('{keyId}')
  return {
    operationId,
    summary,
    description: `${summary}.`,
    tags: ['Operate'],
    parameters: [
      ...(hasKeyId
        ? [
            {
              ...{ name: 'keyId', in: 'path', required: true, description: 'Id of the key' },
              schema: { type: 'string' },
            },
          ]
        : []),
      ...Object.entries(query).map(([name, schema]) => {
        const { description } = schema as { readonly description?: string }
        return { name, in: 'query', required: false, description, schema }
      }),
    ],
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(body) } }),
    responses: {
      200: { description: 'The answer', content: json(response) },
      '4XX': { description: 'The request is invalid, or the caller has no access', content: json(FAILURE) },
      '5XX': { description: 'The data cannot be read', content: json(FAILURE) },
    },
  }
}
