import { readdirSync, readFileSync } from 'node:fs'
import { OpenApiComponents } from '@firn/http'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Value } from 'typebox/value'
import { beforeAll, describe, expect, test } from 'vitest'
import * as ErrorBody from './http/ErrorBody.ts'
import type { Download } from './http/endpoint/Download.ts'
import type { Endpoint, EventStream } from './http/endpoint/Endpoint.ts'
import { PARAMETER_TEXTS } from './http/endpoint/ParameterTexts.ts'
import { TAGS } from './http/endpoint/Tag.ts'
import { documented } from './testing/document.ts'

type Json = Readonly<Record<string, unknown>>

interface Operation {
  readonly operationId: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly (Json & { readonly name: string; readonly schema: object })[]
  readonly responses: Readonly<Record<string, Json>>
}

interface Document {
  readonly servers: readonly Json[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

let endpoints: readonly Endpoint[]
let streams: readonly (EventStream | Download)[]
let document: Document
let operations: readonly { readonly name: string; readonly operation: Operation }[]

beforeAll(async () => {
  const made = await documented()
  endpoints = made.endpoints
  streams = [...made.streams, ...made.downloads]
  document = JSON.parse(JSON.stringify(made.document)) as Document
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
})

test('generates a valid OpenAPI 3.1 document with the parameters and responses of every endpoint', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone({ ...document }))
  expect([valid, errors]).toEqual([true, undefined])
  expect(validator.version).toBe('3.1')
  const described = operations.map(({ name, operation: { parameters, responses } }) => ({
    name,
    parameters: parameters.map((one) => one.name).sort(),
    answer: Object.keys(responses)[0],
    failures: Object.keys(responses).slice(1).length > 0,
  }))
  const all = [...endpoints, ...streams.map((stream) => ({ ...stream, method: 'GET' }))]
  const expected = all.map(({ method, path, status = 200, pathParameters, queryParameters }) => ({
    name: `${method} ${path}`,
    parameters: [...Object.keys(pathParameters), ...Object.keys(queryParameters)].sort(),
    answer: String(status),
    failures: true,
  }))
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
  expect(described.sort(byName)).toEqual(expected.sort(byName))
})

test('follows the recommended rules of a linter', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const source = JSON.stringify(document)
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  const found = problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)
  const accepted = [
    // The official API has these two paths.
    /^no-ambiguous-paths: .*\/v1\/chains\/address\/\{address\}/,
    // Health checks have no errors of the client.
    /^operation-4xx-response/,
  ]
  expect(found.filter((text) => !accepted.some((one) => one.test(text)))).toEqual([])
})

describe('names', () => {
  test('gives every operation a unique id, a declared tag and a server', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/)
    const tags = document.tags.map(({ name }) => name)
    expect(tags.toSorted()).toEqual(Object.keys(TAGS).toSorted())
    for (const { operation } of operations) expect(tags).toContain(operation.tags[0])
    expect(document.servers).toEqual([{ url: '/', description: expect.any(String) }])
  })

  test('calls operations as the official client calls them', () => {
    const official = officialIds()
    expect(official.size).toBeGreaterThan(80)
    const shared = operations.filter(({ name }) => official.has(name))
    expect(shared.length).toBeGreaterThan(50)
    for (const { name, operation } of shared) {
      expect([name, operation.operationId]).toEqual([name, official.get(name)])
    }
  })

  test('declares every object as a named schema', () => {
    const anonymous: string[] = []
    visit(document, 'document', (value, at) => {
      const isDeclaration = /^document\.components\.schemas\.\w+$/.test(at)
      if (value['type'] === 'object' && 'properties' in value && !isDeclaration) anonymous.push(at)
    })
    expect(anonymous).toEqual([])
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['EvmBlock', 'PChainTransaction', 'Erc20TokenBalance', 'TooManyRequests']),
    )
  })

  test('rejects two different schemas with the same name', () => {
    const one = { title: 'Thing', properties: { a: { type: 'string' } } }
    const other = { title: 'Thing', properties: { b: { type: 'string' } } }
    expect(() => OpenApiComponents.extract({ one, other })).toThrow(/same title|title Thing/)
  })
})

describe('descriptions and examples', () => {
  test('describes every parameter, with an example that matches its schema', () => {
    for (const { name, operation } of operations) {
      for (const { name: parameter, description, example, schema } of operation.parameters) {
        const at = `${name} ${parameter}`
        expect([at, typeof description, example === undefined]).toEqual([at, 'string', false])
        expect([at, example, [...Value.Errors(schema, example)]]).toEqual([at, example, []])
      }
    }
  })

  test('has no description of a parameter that no endpoint has', () => {
    const names = new Set(operations.flatMap(({ operation }) => operation.parameters.map(({ name }) => name)))
    expect(Object.keys(PARAMETER_TEXTS).filter((name) => !names.has(name))).toEqual([])
  })

  test('describes every member, with an example that matches its schema', () => {
    const incomplete: string[] = []
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const members = Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
      for (const [at, one] of [[name, schema] as const, ...members]) {
        const hasExample = '$ref' in one || 'examples' in one || JSON.stringify(one).includes('"$ref"')
        const isComplete =
          '$ref' in one || (typeof one['description'] === 'string' && (at === name || hasExample))
        if (!isComplete) incomplete.push(`${name} ${at}`)
      }
    }
    expect(incomplete).toEqual([])
  })

  test('has examples of answers, errors and request bodies that match their schemas', () => {
    for (const endpoint of endpoints) {
      for (const schema of [endpoint.response, endpoint.requestBody]) {
        if (schema === undefined) continue
        const [example] = schema.examples
        expect([endpoint.operationId, [...Value.Errors(schema, example)]]).toEqual([endpoint.operationId, []])
      }
    }
    for (const { schema } of ErrorBody.statuses()) {
      expect([...Value.Errors(schema, schema.examples[0])]).toEqual([])
    }
  })
})

/** Returns the operation ids in the official client's source by method and path, in camel case. */
function officialIds(): ReadonlyMap<string, string> {
  const folder = new URL('funcs/', import.meta.resolve('@avalanche-sdk/chainkit'))
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'))
  return new Map(
    files.flatMap((file) => {
      const source = readFileSync(new URL(file, folder), 'utf8')
      const path = /pathToFunc\("([^"]+)"/.exec(source)?.[1]
      const id = /operationID: "([^"]+)"/.exec(source)?.[1]
      const method = /method: "(\w+)"/.exec(source)?.[1]
      if (path === undefined || id === undefined) return []
      return [
        [`${method} ${path}`, id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())] as const,
      ]
    }),
  )
}

function visit(value: unknown, at: string, see: (value: Json, at: string) => void): void {
  if (typeof value !== 'object' || value === null || /\.examples?$/.test(at)) return
  see(value as Json, at)
  for (const [name, one] of Object.entries(value)) visit(one, `${at}.${name}`, see)
}
