import { beforeAll, describe, expect, it } from 'vitest'
import { openApiDocument } from './OpenApi.ts'
import { setUp } from './testing/app.ts'

type Json = Readonly<Record<string, unknown>>

interface Operation {
  readonly parameters?: readonly Json[]
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

let document: Document

beforeAll(async () => {
  document = (await openApiDocument()) as unknown as Document
})

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Returns the members of all objects in a part of the document, by their places. */
const membersOf = (value: unknown, at: string): readonly (readonly [string, Json])[] => {
  if (!isObject(value)) return []
  const { properties } = value
  const own = value['type'] === 'object' && isObject(properties) ? Object.entries(properties) : []
  return [
    ...own.map(([name, member]) => [`${at}.${name}`, member as Json] as const),
    ...Object.entries(value).flatMap(([name, part]) => membersOf(part, `${at}.${name}`)),
  ]
}

const named = (member: Json): Json => {
  const [, name] = /^#\/components\/schemas\/(.+)$/.exec(String(member['$ref'])) ?? []
  return name === undefined ? member : (document.components.schemas[name] ?? {})
}

const hasDescription = (member: Json): boolean =>
  typeof (member['description'] ?? named(member)['description']) === 'string'

/** Returns whether a member has an example. The members of named objects have their own. */
const hasExample = (member: Json): boolean => {
  const { items } = member
  return '$ref' in member || Array.isArray(member['examples']) || (isObject(items) && '$ref' in items)
}

describe('openApiDocument', () => {
  it('returns the document that the service serves', async () => {
    const { server } = await setUp()
    const { paths, components } = (await server.inject('/openapi.json')).json()
    expect([document.paths, document.components]).toEqual([paths, components])
  })

  it('describes every member, with an example', () => {
    const members = membersOf(document, 'document')
    expect(members.length).toBeGreaterThan(150)
    const bare = members.filter(([, member]) => !hasDescription(member) || !hasExample(member))
    expect(bare.map(([at]) => at)).toEqual([])
  })

  it('describes every parameter, with an example', () => {
    const parameters = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ parameters = [] }) =>
        parameters.map((parameter) => [`${path} ${parameter['name']}`, parameter] as const),
      ),
    )
    expect(parameters.length).toBeGreaterThan(15)
    const bare = parameters.filter(([, { description, example, schema }]) => {
      const examples = isObject(schema) ? schema['examples'] : undefined
      return typeof description !== 'string' || (example === undefined && !Array.isArray(examples))
    })
    expect(bare.map(([at]) => at)).toEqual([])
  })

  it('has a name for every object', () => {
    const anonymous = (value: unknown, at: string): readonly string[] => {
      if (!isObject(value)) return []
      const isDeclaration = /^document\.components\.schemas\.\w+$/.test(at)
      const own = value['type'] === 'object' && 'properties' in value && !isDeclaration ? [at] : []
      return [...own, ...Object.entries(value).flatMap(([name, part]) => anonymous(part, `${at}.${name}`))]
    }
    expect(anonymous(document, 'document')).toEqual([])
  })
})
