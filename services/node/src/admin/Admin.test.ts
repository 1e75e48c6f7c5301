import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { headersOf, send } from '@firn/node-api/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RecordedNode, startRecordedNode, writePlugin } from '../testing/recordedNode.ts'
import { recorded } from '../testing/recordings.ts'

/** Methods of other APIs that are asked in between, and what of the answers belongs to them. */
const FOREIGN = /platform\.getBlockchainStatus|avm\.getUTXOs|eth_chainId/

describe('every recorded exchange comes out byte for byte, in order', () => {
  const cases = recorded('admin')
  let node: RecordedNode
  let loads = 0
  beforeAll(async () => {
    node = await startRecordedNode()
  })
  afterAll(() => node.close())

  test('of which there are many', () => expect(cases.length).toBe(119))

  test.each(cases.map((exchange, index) => [index, exchange.note, exchange] as const))(
    '%i %s',
    async (_index, _note, exchange) => {
      const { path, httpMethod: method, headers, requestBody: body } = exchange
      if (body?.includes('admin.loadVMs') === true) await changePlugins(node.folder, loads++)
      const answer = await send(node.url, { path, method, headers, body })
      expect(answer.status).toBe(exchange.status)
      if (FOREIGN.test(body ?? '')) return
      expect(answer.body).toBe(exchange.responseBody)
      const { date: _date, connection: _connection, ...received } = answer.headers
      expect(received).toEqual(headersOf(exchange))
    },
  )
})

/** What was put into the plugin folder before each call: nothing, two plugins of which one does not start, nothing, a name that is none. */
async function changePlugins(folder: string, load: number): Promise<void> {
  const file = (name: string) => join(folder, 'plugins', name)
  if (load === 1) {
    await writePlugin(folder, '2Z36RnQuk1hvsnFeGWzfZUfXNr7w1SjzmDQ78YxfTVNAkDq3nZ')
    await writeFile(file('tGas3T58KzdjcJ2iKSyiYsWiqYctRXaPTqBCA11BqEkNg8kPc.mjs'), 'no module')
  }
  if (load === 3) await writeFile(file('not-a-cb58-id.mjs'), '')
}
