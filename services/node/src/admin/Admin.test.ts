import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { headersOf, send } from '@firn/node-api/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RecordedNode, startRecordedNode, writePlugin } from '../testing/recordedNode.ts'
import { asClaimed, recorded } from '../testing/recordings.ts'

/** Matches recorded calls of APIs other than the Admin API. For these, only the status codes are compared. */
const FOREIGN = /platform\.getBlockchainStatus|avm\.getUTXOs|eth_chainId/

describe('Admin API: byte-for-byte comparison with recorded exchanges, in order', () => {
  const cases = recorded('admin')
  let node: RecordedNode
  let loads = 0
  beforeAll(async () => {
    node = await startRecordedNode()
  })
  afterAll(() => node.close())

  test('reads the expected number of recorded exchanges', () => expect(cases.length).toBe(119))

  test.each(cases.map((exchange, index) => [index, exchange.note, exchange] as const))(
    'returns the recorded response of exchange %i: %s',
    async (_index, _note, exchange) => {
      const { path, httpMethod: method, headers, requestBody: body } = exchange
      if (body?.includes('admin.loadVMs') === true) await changePlugins(node.folder, loads++)
      const answer = await send(node.url, { path, method, headers, body })
      expect(answer.status).toBe(exchange.status)
      if (FOREIGN.test(body ?? '')) return
      expect(answer.body).toBe(asClaimed(exchange.responseBody))
      const { date: _date, connection: _connection, ...received } = answer.headers
      expect(received).toEqual(headersOf(exchange))
    },
  )
})

/**
 * Adds the files that were added to the plugin folder before the recorded call of `loadVMs` with the index
 * `load`: for 1, two plugins, one of which does not start, and for 3, a file with an invalid name.
 */
async function changePlugins(folder: string, load: number): Promise<void> {
  const file = (name: string) => join(folder, 'plugins', name)
  if (load === 1) {
    await writePlugin(folder, '2Z36RnQuk1hvsnFeGWzfZUfXNr7w1SjzmDQ78YxfTVNAkDq3nZ')
    await writeFile(file('tGas3T58KzdjcJ2iKSyiYsWiqYctRXaPTqBCA11BqEkNg8kPc.mjs'), 'no module')
  }
  if (load === 3) await writeFile(file('not-a-cb58-id.mjs'), '')
}
