import { createRequire } from 'node:module'
import { Json } from '@firn/codec'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { checkedMethods } from '../internal/checked.ts'
import { argumentOf } from '../internal/composites.ts'
import type { AnySchema } from '../internal/schema.ts'
import { exchanges } from '../testing/recordings.ts'
import { tokens } from '../testing/tokens.ts'
import { APIS, type Api } from './Apis.ts'
import { EXAMPLES } from './Examples.ts'
import { createOpenRpc } from './index.ts'

const { openrpcDocument: META_SCHEMA } = createRequire(import.meta.url)('@open-rpc/meta-schema') as {
  readonly openrpcDocument: Readonly<Record<string, unknown>>
}
const OPTIONS = { title: 'Node', version: '1.0.0', url: 'http://127.0.0.1:9650' }
const DOCUMENT = createOpenRpc(OPTIONS)
const TABLE = checkedMethods(Object.assign({}, ...APIS.map(({ table }) => table)) as Api['table'])
const RESULT = /^\{"jsonrpc":"2\.0","result":(.*),"id":[^,]*\}\n$/s

/** Examples that were not recorded, because nodes need more than one process, funds or a day for them. */
const INVENTED = [
  'platform.issueTx',
  'avm.issueTx',
  'wallet.issueTx',
  'avax.issueTx',
  'proposervm.getProposedHeight',
  'proposervm.getCurrentEpoch',
  'health.health',
  'health.liveness',
  'health.readiness',
  'admin.getConfig',
]

const createAjv = () => formats.default(new Ajv({ strict: false, allErrors: true }))

/** Returns a function that validates JSON against a schema in the document. */
function createValidator() {
  const ajv = createAjv().addSchema(DOCUMENT, 'document')
  return (path: string, json: unknown): string => {
    const validate = ajv.getSchema(`document#${path}`)
    if (validate === undefined) return `no schema at ${path}`
    return validate(json) ? '' : ajv.errorsText(validate.errors)
  }
}

/** Numbers beyond 2^53 become inexact here, which makes no difference to the schemas. */
const parse = (text: string): unknown => JSON.parse(text)

describe('createOpenRpc', () => {
  test('is a valid OpenRPC document', () => {
    const ajv = createAjv()
    const draft7 = ajv.getSchema('http://json-schema.org/draft-07/schema')?.schema as typeof META_SCHEMA
    const definitions = { ...(draft7['definitions'] as object), JSONSchemaObject: draft7 }
    // The meta schema refers to the one of JSON Schema with and without a slash at the end.
    for (const end of ['', '/'])
      ajv.addSchema({ ...draft7, definitions, $id: `https://meta.json-schema.tools${end}` })
    const { $schema: _itself, ...schema } = META_SCHEMA
    const validate = ajv.compile(schema)
    validate(parse(Json.stringify(DOCUMENT as unknown as Json.Json)))
    expect(validate.errors ?? []).toEqual([])
    const [method] = DOCUMENT.methods
    expect(validate({ ...DOCUMENT, methods: [{ name: 'a.b' }] })).toBe(false)
    expect(
      validate({ ...DOCUMENT, methods: [{ ...method, result: { name: 'x', schema: { type: 'u64' } } }] }),
    ).toBe(false)
  })

  test('contains every method of every table once, with a summary of each argument', () => {
    const names = DOCUMENT.methods.map(({ name }) => name)
    expect(names.toSorted()).toEqual(Object.keys(TABLE).sort())
    for (const { name, summary, params } of DOCUMENT.methods) {
      expect(summary, name).toMatch(/^[A-Z].*\.$/)
      for (const param of params) expect(param.summary, `${name} ${param.name}`).toMatch(/^[A-Z].*\.$/)
    }
  })

  test('describes every recorded result and the arguments that led to it', () => {
    const check = createValidator()
    const recorded = new Set<string>()
    for (const { request, response, status } of exchanges()) {
      const result = RESULT.exec(response)?.[1]
      if (status !== 200 || result === undefined) continue
      const { method, params } = tokens(request) as { readonly method: string; readonly params: unknown }
      const index = DOCUMENT.methods.findIndex(({ name }) => name === method)
      expect(check(`/methods/${index}/result/schema`, parse(result)), `${method}: ${result}`).toBe('')
      const schema = TABLE[method]?.params as AnySchema
      const given = schema.format(schema.accept(argumentOf(params)) as never) as Record<string, unknown>
      for (const [at, { name }] of (DOCUMENT.methods[index]?.params ?? []).entries())
        if (name in given)
          expect(check(`/methods/${index}/params/${at}/schema`, given[name]), `${method} ${name}`).toBe('')
      recorded.add(method)
    }
    expect(
      Object.keys(TABLE)
        .filter((name) => !recorded.has(name))
        .sort(),
    ).toEqual(INVENTED.filter((name) => name !== 'admin.getConfig').sort())
  })

  test.each([
    ['a missing member', 'platform.getHeight', {}],
    ['a number instead of a string', 'platform.getHeight', { height: 7 }],
    [
      'a wrong member of a named schema',
      'platform.getSubnet',
      { ...(parse(EXAMPLES['platform.getSubnet'].result) as object), threshold: 1 },
    ],
    [
      'too few weights',
      'platform.getFeeConfig',
      { ...(parse(EXAMPLES['platform.getFeeConfig'].result) as object), weights: [1, 2, 3] },
    ],
    ['an unknown word', 'avm.getTxStatus', { status: 'Committed' }],
    ['a wrong key of a map', 'platform.getValidatorsAt', { x: { publicKey: null, weight: '1' } }],
    ['a wrong time', 'platform.getTimestamp', { timestamp: 'yesterday' }],
  ])('rejects a result with %s', (_name, method, result) => {
    const index = DOCUMENT.methods.findIndex(({ name }) => name === method)
    expect(createValidator()(`/methods/${index}/result/schema`, result)).not.toBe('')
  })

  test('has an example of each method that was recorded, except the listed ones, and fits the schemas', () => {
    const check = createValidator()
    const recorded = new Set(
      exchanges().map(({ request, response }) => {
        const { method } = parse(request) as { readonly method: string }
        return `${method} ${RESULT.exec(response)?.[1]}`
      }),
    )
    const invented = Object.entries(EXAMPLES).filter(
      ([method, { result }]) => !recorded.has(`${method} ${result}`),
    )
    expect(invented.map(([method]) => method).sort()).toEqual([...INVENTED].sort())
    for (const [index, { name, params, result, examples }] of DOCUMENT.methods.entries()) {
      const [example] = examples
      expect(check(`/methods/${index}/result/schema`, example?.result.value), `${name} ${result.name}`).toBe(
        '',
      )
      const required = params.filter((param) => param.required).map((param) => param.name)
      expect(
        example?.params.map((param) => param.name),
        name,
      ).toEqual(expect.arrayContaining(required))
      for (const given of example?.params ?? []) {
        const at = params.findIndex((param) => param.name === given.name)
        expect(check(`/methods/${index}/params/${at}/schema`, given.value), `${name} ${given.name}`).toBe('')
      }
    }
  })

  test('leaves out methods that are not served', () => {
    const { methods } = createOpenRpc({ ...OPTIONS, isServed: (path) => path === '/ext/index/C/block' })
    expect(methods.map(({ name }) => name)).toEqual(
      DOCUMENT.methods.map(({ name }) => name).filter((name) => /^index/.test(name)),
    )
    expect(methods[0]?.servers).toEqual([
      { name: '/ext/index/C/block', url: 'http://127.0.0.1:9650/ext/index/C/block' },
    ])
  })
})
