import { type Browser, startBrowser } from '@firn/browser'
import { type Client, createClient, isClientError } from '@firn/client'
import { createEvm, documented } from '@firn/data-api/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { files, readDocument } from './ClientSource.ts'
import { type Document, operationsOf, resolve } from './Document.ts'
import { groupOf, isReadable } from './Operations.ts'

let document: Document
let url: string
let client: Client
let close: () => Promise<void>

beforeAll(async () => {
  const { endpoints } = await documented()
  document = await readDocument()
  const server = await createEvm(endpoints)
  url = await server.listen({ host: '127.0.0.1', port: 0 })
  client = createClient({ url, retries: 0 })
  close = () => server.close()
})

afterAll(() => close?.())

test('is generated from the current document', async () => {
  for (const { text, expected } of await files()) {
    expect(text === expected, 'The client is stale. Run npm run openapi to write it again.').toBe(true)
  }
})

test('generates a type with a name for every schema', async () => {
  const [schemas] = await files()
  expect(Object.keys(document.components.schemas).length).toBeGreaterThan(150)
  for (const name of Object.keys(document.components.schemas)) {
    expect(schemas?.expected).toMatch(new RegExp(`^export (interface|type) ${name}\\b`, 'm'))
  }
})

describe('the client', () => {
  test('calls every endpoint of the document with the names of the documentation', async () => {
    const located = operationsOf(document).filter(isReadable)
    expect(located.length).toBeGreaterThan(60)
    for (const { path, method, operation } of located) {
      const sent: { readonly url: string; readonly method: string | undefined }[] = []
      const fetch = async (target: string, init: RequestInit) => {
        sent.push({ url: target, method: init.method })
        return new Response('{}')
      }
      const recorder = createClient({ url: 'http://service.test', fetch })
      const group = Reflect.get(recorder, groupOf(operation.tags[0])) as Readonly<
        Record<string, (parameters: object) => Promise<unknown> | AsyncGenerator>
      >
      const call = group[operation.operationId]
      const values = Object.fromEntries((operation.parameters ?? []).map(({ name }) => [name, `of-${name}`]))
      const result = call?.(values)
      if (result !== undefined && 'next' in result) await result.next()
      else await result
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const query = (operation.parameters ?? []).filter(({ name }) => !inPath.includes(name))
      const search = query.map(({ name }) => `${name}=of-${name}`).join('&')
      const filled = path.replace(/\{(\w+)\}/g, 'of-$1')
      expect([operation.operationId, sent]).toEqual([
        operation.operationId,
        [
          {
            url: `http://service.test${filled}${search === '' ? '' : `?${search}`}`,
            method: method.toUpperCase(),
          },
        ],
      ])
    }
  })

  test('reads objects, pages and items of a real service', async () => {
    const { chains } = await client.evm.supportedChains()
    expect(chains.map(({ chainId }) => chainId)).toContain('43112')
    const numbers: string[] = []
    for await (const page of client.evm.getLatestBlocks.pages({ chainId: '43112', pageSize: 7 })) {
      expect(page.blocks.length).toBeLessThanOrEqual(7)
      numbers.push(...page.blocks.map(({ blockNumber }) => blockNumber))
    }
    expect(numbers.length).toBeGreaterThan(20)
    expect(new Set(numbers).size).toBe(numbers.length)
    const validators = client.primaryNetwork.listValidators.items({
      network: 'fuji',
      validationStatus: 'active',
    })
    for await (const validator of validators) expect(validator.validationStatus).toBe('active')
  })

  test('has the errors of a real service', async () => {
    const errors = [
      client.evm.getBlock({ chainId: '43112', blockId: '999999' }),
      client.evm.getLatestBlocks({ chainId: '43112', pageSize: 0 }),
    ].map(async (call) => {
      const error = await call.catch((caught: unknown) => caught)
      return isClientError(error) ? [error.code, error.status] : error
    })
    expect(await Promise.all(errors)).toEqual([
      ['CLIENT_NOT_FOUND', 404],
      ['CLIENT_BAD_REQUEST', 400],
    ])
  })

  test('answers match the schemas from which its types are generated', async () => {
    const { blocks } = await client.evm.getLatestBlocks({ chainId: '43112' })
    const { required = [], properties = {} } = resolve(document, { $ref: '#/components/schemas/EvmBlock' })
    for (const block of blocks) {
      expect(Object.keys(block)).toEqual(expect.arrayContaining([...required]))
      for (const name of Object.keys(block)) expect(Object.keys(properties)).toContain(name)
    }
  })
})

describe('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('reads pages and errors from another origin', async () => {
    const module = new URL('testing/readBlocks.ts', import.meta.url)
    const { numbers, code } = await browser.run<typeof import('./testing/readBlocks.ts')>(module, { url })
    expect([numbers.length > 20, code]).toEqual([true, 'CLIENT_NOT_FOUND'])
  })
})
