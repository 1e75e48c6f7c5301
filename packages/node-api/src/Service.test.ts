import { type MethodTable, Schema } from '@firn/rpc'
import { describe, expect, test } from 'vitest'
import { createService, methodError, type ResultMemory } from './Service.ts'

const Methods = {
  'a.count': { params: Schema.struct({ n: Schema.u64 }), result: Schema.struct({ n: Schema.u64 }) },
  'a.fail': { params: Schema.struct({}), result: Schema.struct({}) },
} satisfies MethodTable

const bytes = (text: string) => new TextEncoder().encode(text)

function counting(memory?: ResultMemory) {
  let calls = 0
  const handlers = {
    'a.count': () => {
      calls += 1
      return { n: BigInt(calls) }
    },
    'a.fail': () => {
      calls += 1
      throw methodError('no')
    },
  }
  const service = createService(Methods, handlers, memory === undefined ? {} : { memory })
  return async (text: string) => (await service.handle(bytes(text))).body
}

function remembering(isStored = true) {
  const kept = new Map<string, string>()
  const memory: ResultMemory = {
    find: (key) => kept.get(key),
    begin: (key) => (isStored ? (text) => void kept.set(key, text) : undefined),
  }
  return { kept, memory }
}

const ask = (id: string, method = 'a.count') => `{"jsonrpc":"2.0","id":${id},"method":"${method}"}`

describe('service with a result cache', () => {
  test('responds to a repeated request from the cache, with the id of the new request', async () => {
    const call = counting(remembering().memory)
    expect(await call(ask('1'))).toBe('{"jsonrpc":"2.0","result":{"n":"1"},"id":1}\n')
    expect(await call(ask('"two"'))).toBe('{"jsonrpc":"2.0","result":{"n":"1"},"id":"two"}\n')
    expect(await call(ask('3').replace('}', ',"params":{}}'))).toContain('"n":"2"')
  })

  test('returns a cached response synchronously, not as a promise', async () => {
    const { memory } = remembering()
    const service = createService(Methods, { 'a.count': () => ({ n: 1n }) }, { memory })
    await service.handle(bytes(ask('1')))
    expect(service.handle(bytes(ask('2')))).toEqual({
      body: '{"jsonrpc":"2.0","result":{"n":"1"},"id":2}\n',
      invoked: true,
    })
  })

  test('returns a result unchanged if the cache stores it as bytes', async () => {
    const memory: ResultMemory = { find: () => bytes('{"result":1,"id":'), begin: () => undefined }
    const service = createService(Methods, {}, { memory })
    expect(service.handle(bytes(ask('"q"')))).toEqual({
      head: bytes('{"result":1,"id":'),
      body: '"q"}\n',
      invoked: true,
    })
  })

  test('does not cache errors', async () => {
    const { kept, memory } = remembering()
    const call = counting(memory)
    await call(ask('1', 'a.fail'))
    await call(ask('1', 'a.unknown'))
    await call('{"jsonrpc":"1.0","id":1}')
    await call('{"id":1,')
    expect(kept.size).toBe(0)
  })

  test('does not store a result if the cache declines it', async () => {
    const call = counting(remembering(false).memory)
    await call(ask('1'))
    expect(await call(ask('1'))).toContain('"n":"2"')
  })

  test('runs the method for every notification, even if the result is cached', async () => {
    const call = counting(remembering().memory)
    expect(await call('{"jsonrpc":"2.0","method":"a.count"}')).toBeUndefined()
    expect(await call('{"jsonrpc":"2.0","method":"a.count","id":null}')).toBeUndefined()
    expect(await call(ask('1'))).toContain('"n":"3"')
  })
})

test("returns the request id in Go's JSON encoding", async () => {
  const call = counting()
  expect(await call(ask('{"a" : "<&>"}'))).toBe(
    '{"jsonrpc":"2.0","result":{"n":"1"},"id":{"a":"\\u003c\\u0026\\u003e"}}\n',
  )
})

describe('handlers', () => {
  const Methods = {
    'a.b': { params: Schema.struct({ n: Schema.u64 }), result: Schema.struct({ n: Schema.u64 }) },
  }
  const call = async (handler: (params: { readonly n: bigint }) => { readonly n: bigint }, body: string) =>
    (await createService(Methods, { 'a.b': handler }).handle(bytes(body))).body?.trimEnd()

  test('keeps 64-bit numbers exact in parameters and results', async () => {
    const body =
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"a.b","params":[{"N":18446744073709551615}]}'
    expect(await call(({ n }) => ({ n }), body)).toBe(
      '{"jsonrpc":"2.0","result":{"n":"18446744073709551615"},"id":9007199254740993}',
    )
  })

  test.each([
    ['an ordinary error', new TypeError('it <broke>'), -32000, 'it \\u003cbroke\\u003e'],
    ['an error with a code', methodError('not here', -7), -7, 'not here'],
  ])('returns an error response when a handler throws %s', async (_name, error, code, message) => {
    const handler = () => {
      throw error
    }
    expect(await call(handler, '{"jsonrpc":"2.0","id":1,"method":"a.b"}')).toBe(
      `{"jsonrpc":"2.0","error":{"code":${code},"message":"${message}","data":null},"id":1}`,
    )
  })
})

test('answers an error, and tells it, if the parameters cannot be checked', async () => {
  const failure = new TypeError('a bug')
  const accept = () => {
    throw failure
  }
  const table = { 'a.count': { ...Methods['a.count'], params: { ...Methods['a.count'].params, accept } } }
  const told: unknown[] = []
  const handlers = { 'a.count': () => ({ n: 1n }) }
  const service = createService(table, handlers, { onError: (...error) => void told.push(...error) })
  const { body } = await service.handle(bytes(ask('1').replace('}', ',"params":{}}')))
  expect(body).toContain('"message":"a bug"')
  expect(told).toEqual([failure, 'a.count'])
})
