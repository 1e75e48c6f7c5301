import { type AggregatorClient, createAggregatorClient } from '@firn/client/aggregator'
import { beforeAll, describe, expect, it } from 'vitest'
import { readAggregatorDocument } from './ClientSource.ts'
import { type Document, operationsOf, resolve } from './Document.ts'
import { groupOf, isReadable } from './Operations.ts'

let document: Document
let sent: { readonly url: URL; readonly init: RequestInit }[] = []
let client: AggregatorClient

beforeAll(async () => {
  document = await readAggregatorDocument()
  client = createAggregatorClient({
    url: 'http://service.test',
    fetch: async (url, init) => {
      sent.push({ url: new URL(url), init })
      return new Response('{}')
    },
  })
})

/** Returns the values with which each parameter of an operation is recognised in the request. */
const valuesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `of-${name}`]))

describe('createAggregatorClient', () => {
  it('sends every parameter of every operation where the document has it', async () => {
    const all = operationsOf(document).filter(isReadable)
    expect(all.length).toBeGreaterThan(10)
    for (const { path, method, operation } of all) {
      sent = []
      const body = operation.requestBody?.content['application/json']?.schema
      const members = (body?.anyOf ?? (body === undefined ? [] : [body])).flatMap((schema) =>
        Object.keys(resolve(document, schema).properties ?? {}),
      )
      const names = (place: string) =>
        (operation.parameters ?? []).filter((one) => one.in === place).map(({ name }) => name)
      const group = Reflect.get(client, groupOf(operation.tags[0])) as Readonly<
        Record<string, (parameters: object) => Promise<unknown> | AsyncGenerator>
      >
      const parameters = valuesOf([...names('path'), ...names('query'), ...names('header'), ...members])
      const result = group[operation.operationId]?.(parameters)
      if (result !== undefined && 'next' in result) await result.next()
      else await result
      const [request] = sent
      expect([operation.operationId, request?.init.method]).toEqual([
        operation.operationId,
        method.toUpperCase(),
      ])
      expect(request?.url.pathname).toBe(path.replace(/\{(\w+)\}/g, 'of-$1'))
      expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual(valuesOf(names('query')))
      expect(request?.init.headers).toMatchObject(valuesOf(names('header')))
      if (members.length > 0) expect(JSON.parse(String(request?.init.body))).toEqual(valuesOf(members))
    }
  })
})
