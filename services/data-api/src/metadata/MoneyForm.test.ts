import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { createAccess } from '../http/admission/Access.ts'
import { define } from '../http/endpoint/Endpoint.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { restPlugin, serverOptions } from '../http/RestPlugin.ts'
import { Money, money } from './Money.ts'
import { bodyForm, type MoneyForm } from './MoneyForm.ts'

const SDK = 'speakeasy-sdk/typescript 0.3.13 2.792.2 1.0.0 @avalanche-sdk/chainkit'
const none = { unitsPerMinute: 0, unitsPerDay: 0 }

/** Serves a priced token and a plain thing, in the given form. Answers are cached. */
async function serve(moneyForm: MoneyForm | undefined, name = 'Token') {
  const common = {
    ...({ method: 'GET', tag: 'EVM', scope: 'data', units: 1 } as const),
    ...{ pathParameters: {}, queryParameters: {}, summary: 'A thing', version: async () => '1' },
  }
  const token = { name: Schema.text('Name', 'USD'), price: Schema.optional(Schema.as(Money, 'Price')) }
  const body = { name, price: money('usd', 0.000_000_25) }
  const priced = Schema.object('List', 'Tokens', {
    tokens: Schema.list(Schema.object('Token', 'A token', token), 'Tokens'),
  })
  const plain = Schema.object('Plain', 'A thing', { name: Schema.text('Name', 'USD') })
  const endpoints = [
    define({
      ...{ ...common, path: '/v1/tokens', operationId: 'tokens', response: priced },
      handle: async () => ({ body: { tokens: [body] } }),
    }),
    define({
      ...{ ...common, path: '/v1/plain', operationId: 'plain', response: plain },
      handle: async () => ({ body: { name } }),
    }),
  ]
  const access = createAccess({
    ...{ keys: async () => [], counters: undefined, anonymous: none, keyed: none },
  })
  const server = fastify(serverOptions)
  await server.register(
    restPlugin({
      ...{ title: 'Test', version: '0', endpoints, access, timeoutMs: 600_000 },
      bodyForm: (endpoint) => bodyForm(endpoint, moneyForm),
    }),
  )
  return async (path: string, userAgent = 'curl/8', more: Record<string, string> = {}) => {
    const url = `/v1/${path}`
    const { body, headers, statusCode } = await server.inject({
      url,
      headers: { 'user-agent': userAgent, ...more },
    })
    return { status: statusCode, body, etag: String(headers['etag']), vary: headers['vary'] }
  }
}

const AS_TEXT = '{"tokens":[{"name":"Token","price":{"currencyCode":"usd","value":"0.00000025"}}]}'
const AS_NUMBER = AS_TEXT.replace('"0.00000025"', '0.00000025')

describe('amounts of money', () => {
  it.each([
    { form: undefined, sdk: AS_NUMBER, other: AS_TEXT },
    { form: 'auto', sdk: AS_NUMBER, other: AS_TEXT },
    { form: 'text', sdk: AS_TEXT, other: AS_TEXT },
    { form: 'number', sdk: AS_NUMBER, other: AS_NUMBER },
  ] as const)('are sent as the form $form says, also from the cache', async ({ form, sdk, other }) => {
    const ask = await serve(form)
    for (let i = 0; i < 2; i++) {
      expect((await ask('tokens', SDK)).body).toBe(sdk)
      expect((await ask('tokens')).body).toBe(other)
    }
  })

  it('have an entity tag for each form', async () => {
    const ask = await serve('auto')
    const [first, second] = [await ask('tokens', SDK), await ask('tokens')]
    expect(first.etag).not.toBe(second.etag)
    expect((await ask('tokens', SDK, { 'if-none-match': first.etag })).status).toBe(304)
    expect((await ask('tokens', SDK, { 'if-none-match': second.etag })).status).toBe(200)
    expect([first.vary, (await ask('plain')).vary]).toEqual([
      'accept-encoding, user-agent',
      'accept-encoding',
    ])
  })

  it('leave other text alone', async () => {
    const name = 'é "currencyCode":"usd","value":"1" 🪙'
    const ask = await serve('number', name)
    const { tokens } = JSON.parse((await ask('tokens')).body)
    expect(tokens).toEqual([{ name, price: { currencyCode: 'usd', value: 2.5e-7 } }])
    expect(JSON.parse((await ask('plain')).body)).toEqual({ name })
  })

  it.each([
    [20.5, '20.5'],
    [0, '0'],
    [1e-7, '0.0000001'],
    [1.25e-9, '0.00000000125'],
    [1e21, '1000000000000000000000'],
    [1.5e22, '15000000000000000000000'],
    [123_456_789.125, '123456789.125'],
  ])('prints %d without an exponent', (value, text) => {
    expect(money('eur', value)).toEqual({ currencyCode: 'eur', value: text })
  })
})
