import { Json } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import {
  AdminMethods,
  AvaxMethods,
  AvmMethods,
  IndexMethods,
  InfoMethods,
  isRpcError,
  type MethodTable,
  PlatformMethods,
  PlatformUtxoMethods,
  ProposerVmMethods,
  WalletMethods,
} from './index.ts'
import { argumentOf } from './internal/composites.ts'
import { exchanges } from './testing/recordings.ts'
import { tokens } from './testing/tokens.ts'

const TABLE: MethodTable = {
  ...AdminMethods,
  ...AvaxMethods,
  ...AvmMethods,
  ...IndexMethods,
  ...InfoMethods,
  ...PlatformMethods,
  ...PlatformUtxoMethods,
  ...ProposerVmMethods,
  ...WalletMethods,
}
const all = exchanges().map((exchange) => {
  const request = tokens(exchange.request) as Record<string, unknown>
  return { ...exchange, method: request['method'] as string, params: request['params'] }
})
const ARGUMENT_ERROR = "couldn't unmarshal an argument"

describe('Method tables and recorded responses', () => {
  test('has a recorded response for every declared method except methods of proposervm', () => {
    const recorded = new Set(all.map(({ method }) => method))
    const missing = Object.keys(TABLE).filter((method) => !recorded.has(method))
    expect(missing).toEqual(['proposervm.getProposedHeight', 'proposervm.getCurrentEpoch'])
    expect(all.length).toBeGreaterThan(300)
  })

  test('parses recorded responses and formats the values to the same bytes', () => {
    let count = 0
    for (const { method, request, response, status } of all) {
      if (status !== 200) continue
      const { result, id } = Json.parse(response) as { readonly result?: Json.Json; readonly id: Json.Json }
      if (result === undefined) continue
      const schema = (TABLE[method] as MethodTable[string]).result
      const formatted = schema.format(schema.parse(result) as never)
      expect(`${Json.stringify({ jsonrpc: '2.0', result: formatted, id })}\n`, request).toBe(response)
      count += 1
    }
    expect(count).toBeGreaterThan(150)
  })

  test('rejects the same arguments as the recorded node and no others', () => {
    let refused = 0
    for (const { method, params, request, response } of all) {
      const isRejected = response.includes(ARGUMENT_ERROR)
      expect(isRefused((TABLE[method] as MethodTable[string]).params, params), request).toBe(isRejected)
      refused += Number(isRejected)
    }
    expect(refused).toBeGreaterThan(20)
  })
})

function isRefused(schema: MethodTable[string]['params'], params: unknown): boolean {
  const argument = argumentOf(params)
  if (argument === undefined) return true
  try {
    schema.accept(argument)
    return false
  } catch (error) {
    if (isRpcError(error)) return true
    throw error
  }
}

test('parses arguments on the server to the same values that the client formatted', () => {
  const { params } = PlatformMethods['platform.getValidatorsAt']
  const value = { height: 18446744073709551614n, subnetID: new Uint8Array(32).fill(7) }
  const text = Json.stringify(params.format(value))
  expect(text).toContain('"height":"18446744073709551614"')
  expect(params.accept(tokens(text))).toEqual(value)
})
