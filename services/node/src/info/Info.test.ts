import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../testing/http.ts'
import { type RecordedNode, startRecordedNode } from '../testing/recordedNode.ts'
import { headersOf, recorded } from '../testing/recordings.ts'

describe('every recorded exchange comes out byte for byte', () => {
  // The last call went to another node.
  const cases = recorded('info').filter(({ port }) => port === 9650)
  let node: RecordedNode
  beforeAll(async () => {
    node = await startRecordedNode()
  })
  afterAll(() => node.close())

  test('of which there are many', () => expect(cases.length).toBe(84))

  test.each(cases.map((exchange, index) => [index, exchange.note, exchange] as const))(
    '%i %s',
    async (_index, _note, exchange) => {
      const { path, httpMethod: method, headers, requestBody: body } = exchange
      const answer = await send(node.url, { path, method, headers, body })
      expect(answer.body).toBe(exchange.responseBody)
      expect(answer.status).toBe(exchange.status)
      const { date: _date, connection: _connection, ...received } = answer.headers
      expect(received).toEqual(headersOf(exchange))
    },
  )
})
