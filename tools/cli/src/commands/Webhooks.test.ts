import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createDataApi, createKey, type DataApiService } from '@firn/data-api'
import { BlockReader } from '@firn/evm'
import { type InventedParts, inventedChain } from '@firn/evm/testing'
import { type EvmStore, EvmWriter } from '@firn/evm-store'
import { openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { until } from '@firn/runtime/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFirn } from '../testing/startFirn.ts'

const chain = inventedChain({ seed: 4, transactions: [1, 2], accounts: 3 })
let status = 200
const target = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(status).end())
})
let store: EvmStore
let writer: EvmWriter
let service: DataApiService
let key: string
let id: string

const commit = (parts: readonly InventedParts[]) =>
  writer.commit(parts.map((one) => ({ block: BlockReader.read(one), contracts: [] })))
const start = (...argv: readonly string[]) => {
  const [command = '', ...more] = argv
  return startFirn(['webhooks', command, ...more, '--url', service.url, '--api-key', key])
}
const firn = async (...argv: readonly string[]) => {
  const { lines, notes, code } = start(...argv)
  return { code: await code, lines, notes: notes.join('\n') }
}
const transactionsIn = (parts: readonly InventedParts[]) =>
  parts.flatMap(({ block }) => block['transactions'] as { from: string }[])

beforeAll(async () => {
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  store = await openEvm()
  writer = await EvmWriter.open(store, TEST_CHAIN)
  await commit(chain.grow(2))
  service = await createDataApi({
    ...{ chains: [{ store, nodes: [] }], host: '127.0.0.1', port: 0, limits: undefined },
    ...{ aggregateStatus: 200, timeoutMs: 600_000, version: '0' },
    webhooks: {
      isDelivering: true,
      networks: ['127.0.0.1'],
      retries: { firstMs: 1, longestMs: 1, giveUpMs: 0, leastAttempts: 3 },
    },
  })
  const limits = { unitsPerMinute: undefined, unitsPerDay: undefined }
  key = await createKey(store, { name: 'test', scopes: ['webhooks'], ...limits }, (n) => new Uint8Array(n), 0)
  const addresses = [
    ...new Set(
      transactionsIn(inventedChain({ seed: 4, transactions: [1, 2], accounts: 3 }).grow(9)).map(
        ({ from }) => from,
      ),
    ),
  ]
  const response = await fetch(`${service.url}/v1/webhooks`, {
    method: 'POST',
    headers: { 'x-data-api-key': key },
    body: JSON.stringify({
      eventType: 'address_activity',
      url: `http://127.0.0.1:${(target.address() as AddressInfo).port}/`,
      chainId: '1337',
      name: 'Deposits',
      metadata: { addresses },
    }),
  })
  id = ((await response.json()) as { id: string }).id
})
afterAll(async () => {
  target.close().closeAllConnections()
  await service?.close()
  await store?.close()
})

test('list and show print webhooks, also as JSON', async () => {
  expect((await firn('list')).lines).toEqual([
    expect.stringMatching(
      new RegExp(`^${id}  active  address_activity  1337  http://127\\.0\\.0\\.1:\\d+/  Deposits$`),
    ),
  ])
  expect((await firn('list', '--status', 'inactive')).lines).toEqual([])
  expect((await firn('show', id)).lines).toContainEqual(expect.stringContaining('name: Deposits'))
  const { lines } = await firn('show', id, '--json')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ id, status: 'active' })
})

test('update changes what signs the messages', async () => {
  const shown = async () => (await firn('show', id)).lines
  expect(await shown()).toContainEqual(expect.stringContaining('secretEncoding: text'))
  const { lines } = await firn('update', id, '--secret-encoding', 'hex')
  expect(lines).toEqual(['signed with the secret as hex'])
  expect(await shown()).toContainEqual(expect.stringContaining('secretEncoding: hex'))
  expect((await firn('update', id)).code).toBe(2)
})

test('test says what the target answered, and fails if it did not accept the message', async () => {
  expect(await firn('test', id)).toMatchObject({
    code: 0,
    lines: [expect.stringMatching(/^accepted: status 200, \d+ ms$/)],
  })
  status = 500
  expect(await firn('test', id)).toMatchObject({
    code: 1,
    notes: expect.stringContaining('http-status, status 500'),
  })
  status = 200
})

test('tail prints attempts as they are made, dead lists what was given up, and replay sends it again', async () => {
  const tailing = start('tail', id, '--interval', '100ms')
  await until(() => expect(tailing.notes).toContain('waiting for messages'))
  status = 503
  const added = chain.grow(2)
  await commit(added)
  const count = transactionsIn(added).length
  await until(async () => expect((await firn('dead', id)).lines).toHaveLength(count))
  const dead = await firn('dead', id)
  expect(dead.lines[0]).toMatch(/^\S+Z {2}dead {7}block 3 {2}3 attempts {2}http-status 503 {2}[0-9a-f-]{36}$/)
  expect(dead.notes).toContain(`${count} dead messages; firn webhooks replay ${id} --dead`)
  expect((await firn('dead', id, '--limit', '1')).lines).toHaveLength(1)

  status = 200
  expect(await firn('replay', id)).toMatchObject({ code: 2, notes: expect.stringContaining('--from-block') })
  expect((await firn('replay', id, '--dead')).lines).toEqual([`${count} messages are sent again`])
  const delivered = () =>
    tailing.lines.filter((line) => / {2}delivered {2}block \d {2}1 attempt {2}200 {2}/.test(line))
  await until(() => expect(delivered()).toHaveLength(count))
  expect(tailing.lines.some((line) => line.includes('  dead '))).toBe(true)
  expect((await firn('dead', id)).notes).toContain('no dead messages')
  expect((await firn('replay', id, '--from-block', '3')).lines).toEqual([
    expect.stringMatching(/^\d messages? (is|are) sent again$/),
  ])
  tailing.stop()
  expect(await tailing.code).toBe(0)
})

test('names the problem with an unknown webhook, a missing key, and a service that does not answer', async () => {
  expect(await firn('show', '00000000-0000-0000-0000-000000000000')).toMatchObject({
    ...{ code: 1, notes: expect.stringContaining('your API key has no such webhook') },
  })
  const none = startFirn(['webhooks', 'list', '--url', service.url])
  expect([await none.code, none.notes.join()]).toEqual([2, expect.stringContaining('--api-key')])
})
