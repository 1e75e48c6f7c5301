import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { allEndpoints } from './testing/allEndpoints.ts'
import { createEvm } from './testing/serveEvm.ts'

test('generates a valid OpenAPI 3.1 document with the parameters and responses of every endpoint', async () => {
  const endpoints = await allEndpoints()
  const server = await createEvm(endpoints)
  const document = (await server.inject('/openapi.json')).json()
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  expect([valid, errors]).toEqual([true, undefined])
  expect(validator.version).toBe('3.1')
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { parameters?: { name: string }[]; responses: object }>).map(
      ([method, { parameters = [], responses }]) => ({
        name: `${method.toUpperCase()} ${path}`,
        parameters: parameters.map(({ name }) => name).sort(),
        answers: Object.keys(responses),
      }),
    ),
  )
  const expected = endpoints.map(({ method, path, status = 200, pathParameters, queryParameters }) => ({
    name: `${method} ${path}`,
    parameters: [...Object.keys(pathParameters), ...Object.keys(queryParameters)].sort(),
    answers: [String(status), '4XX', '5XX'],
  }))
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
  expect(described.sort(byName)).toEqual(expected.sort(byName))
}, 120_000)
