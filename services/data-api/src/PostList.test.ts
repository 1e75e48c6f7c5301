import { recordedStore } from '@firn/store/testing'
import { beforeAll, expect, test } from 'vitest'
import { create } from './testing/serve.ts'

const URL = '/v1/networks/fuji/blockchains/p-chain/utxos'
const [KEY, EWOQ] = [
  'local1kucwyn3yc3m3e8saa87922jewhdx3thhp2dde0',
  'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u',
]

let server: Awaited<ReturnType<typeof create>>

beforeAll(async () => {
  server = await create(await recordedStore('local'))
})

async function post(payload: string | undefined, query = '', type = 'application/json') {
  const answer = await server.inject({
    method: 'POST',
    url: `${URL}?pageSize=2${query}`,
    headers: { 'content-type': type },
    ...(payload === undefined ? {} : { payload }),
  })
  return { status: answer.statusCode, json: answer.json() }
}

test.each([
  [undefined],
  ['null'],
  ['[]'],
  ['"local1"'],
  ['{'],
  ['{}'],
  ['{"addresses":null}'],
  ['{"addresses":5}'],
  ['{"addresses":[["a"]]}'],
  ['{"addresses":""}'],
  ['{"addresses":"0x00"}'],
  ['{"__proto__":{"addresses":"a"}}'],
])('rejects the body %s with 400 and the common error format', async (payload) => {
  const { status, json } = await post(payload)
  expect([status, json.statusCode, json.error]).toEqual([400, 400, 'Bad Request'])
  expect(json.message).toEqual(expect.any(String))
})

test('rejects content types other than JSON, and ignores addresses in the query', async () => {
  const body = JSON.stringify({ addresses: KEY })
  for (const type of ['text/plain', 'application/xml']) {
    const { status, json } = await post(body, '', type)
    expect([type, status >= 400 && status < 500, json.statusCode]).toEqual([type, true, status])
  }
  expect((await post('{}', `&addresses=${KEY}`)).status).toBe(400)
})

test("accepts a page token only with the first page's addresses, as a string or as an array", async () => {
  const first = await post(JSON.stringify({ addresses: `${KEY},${EWOQ}` }))
  const token = `&pageToken=${first.json.nextPageToken}`
  const second = await post(JSON.stringify({ addresses: [KEY, EWOQ] }), token)
  expect([second.status, second.json.utxos.length]).toEqual([200, 2])
  expect(second.json.utxos).not.toEqual(first.json.utxos)
  for (const other of [{ addresses: KEY }, { addresses: `${EWOQ},${KEY}` }, {}]) {
    const { status, json } = await post(JSON.stringify(other), token)
    expect([status, json.error]).toEqual([400, 'Bad Request'])
    expect(json.message).toContain('addresses')
  }
})
