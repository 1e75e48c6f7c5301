import { recordedStore } from '@firn/store/testing'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { create, endpointsOf } from './testing/serve.ts'

test('the document is valid OpenAPI 3.1 and has every endpoint with its parameters and answers', async () => {
  const store = await recordedStore('local')
  const server = await create(store)
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
  const expected = (await endpointsOf(store)).map(({ method, path, pathParameters, queryParameters }) => ({
    name: `${method} ${path}`,
    parameters: [...Object.keys(pathParameters), ...Object.keys(queryParameters)].sort(),
    answers: ['200', '4XX', '5XX'],
  }))
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
  expect(described.sort(byName)).toEqual(expected.sort(byName))
}, 120_000)
