import { request } from 'node:http'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { InfoMethods, type MethodTable, methodError, nodeHttp, Schema, server } from './index.ts'
import { type HttpExchange, httpExchanges } from './testing/recordings.ts'

const NODE_ID = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const P_CHAIN = '11111111111111111111111111111111LpoYY'
const HeightMethods = {
  'platform.getHeight': { params: Schema.struct({}), result: Schema.struct({ height: Schema.u64 }) },
} satisfies MethodTable

async function createNode() {
  const app = fastify({ routerOptions: { ignoreTrailingSlash: false }, exposeHeadRoutes: false })
  nodeHttp(app, { nodeId: NODE_ID })
  await app.register(
    server(InfoMethods, { 'info.getNetworkID': () => ({ networkID: 12345 }) }, { paths: ['/ext/info'] }),
  )
  const paths = ['/ext/bc/P', `/ext/bc/${P_CHAIN}`, '/ext/P']
  await app.register(server(HeightMethods, { 'platform.getHeight': () => ({ height: 85n }) }, { paths }))
  return app
}

/** Paths of the recording that this small node does not have. */
const ABSENT = /^\/ext\/(bc\/(X\/wallet|2|v|C\/avax)|admin)/

describe('recorded HTTP exchanges', () => {
  const cases = httpExchanges().filter((exchange) => !ABSENT.test(exchange.path))

  test('are most of the recording', () => expect(cases.length).toBeGreaterThan(90))

  let port = 0
  const node = createNode()
  beforeAll(async () => {
    const app = await node
    port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  })
  afterAll(async () => (await node).close())

  test.each(cases.map((exchange, index) => [index, exchange.note, exchange] as const))(
    '%i %s',
    async (_index, _note, exchange) => {
      const response = await send(exchange, port)
      expect(response.body).toBe(exchange.responseBody)
      expect(response.status).toBe(exchange.status)
      expect(response.headers['content-type'] ?? null).toBe(exchange.contentType)
      for (const name of ['node-id', 'x-content-type-options', 'vary', 'location', 'content-length']) {
        expect(response.headers[name], name).toEqual(recorded(exchange, name))
      }
      for (const name of Object.keys(response.headers).filter((key) => key.startsWith('access-control'))) {
        expect(response.headers[name], name).toEqual(recorded(exchange, name))
      }
    },
  )
})

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Over a socket, so that neither path nor headers are touched on the way. */
function send(exchange: HttpExchange, port: number): Promise<Answer> {
  const body = Buffer.from(exchange.requestBody ?? '')
  const length = exchange.requestBody === null ? {} : { 'content-length': String(body.length) }
  const headers = { host: '127.0.0.1:9650', ...length, ...lowerCased(exchange.headers) }
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: exchange.path,
      method: exchange.httpMethod,
      headers,
      agent: false,
    }
    const sent = request(options, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      const received = Object.entries(response.headersDistinct).map(([name, values]) => [
        name,
        values?.join(', ') ?? '',
      ])
      resolve({
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(received),
        body: Buffer.concat(chunks).toString('utf8'),
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function recorded(exchange: HttpExchange, name: string): string | undefined {
  const values = exchange.responseHeaders
    .filter(([key]) => key.toLowerCase() === name)
    .map(([, value]) => value)
  return values.length === 0 ? undefined : values.join(', ')
}

describe('handlers', () => {
  const Methods = {
    'a.b': { params: Schema.struct({ n: Schema.u64 }), result: Schema.struct({ n: Schema.u64 }) },
  }
  const call = async (handler: (params: { readonly n: bigint }) => { readonly n: bigint }, body: string) => {
    const app = fastify()
    await app.register(server(Methods, { 'a.b': handler }, { paths: ['/x'] }))
    const response = await app.inject({
      method: 'POST',
      url: '/x',
      headers: { 'content-type': 'application/json' },
      payload: body,
    })
    return response.body.trimEnd()
  }

  test('get 64 bits and give 64 bits', async () => {
    const body =
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"a.b","params":[{"N":18446744073709551615}]}'
    expect(await call(({ n }) => ({ n }), body)).toBe(
      '{"jsonrpc":"2.0","result":{"n":"18446744073709551615"},"id":9007199254740993}',
    )
  })

  test.each([
    [
      'bare text',
      () => {
        throw new TypeError('it <broke>')
      },
      -32000,
      'it \\u003cbroke\\u003e',
    ],
    [
      'a code',
      () => {
        throw methodError('not here', -7)
      },
      -7,
      'not here',
    ],
  ])('throwing %s answer an error', async (_name, handler, code, message) => {
    expect(await call(handler, '{"jsonrpc":"2.0","id":1,"method":"a.b"}')).toBe(
      `{"jsonrpc":"2.0","error":{"code":${code},"message":"${message}","data":null},"id":1}`,
    )
  })
})
