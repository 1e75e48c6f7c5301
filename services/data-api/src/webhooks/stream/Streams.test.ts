import { connect } from 'node:net'
import { BlockReader } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { type EvmStore, EvmWriter } from '@firn/evm-store'
import { openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { until } from '@firn/runtime/testing'
import { ApiKeys, RequestLog, WebhookDeliveries } from '@firn/service-store'
import { openUsage } from '@firn/service-store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { createDataApi, type DataApiService } from '../../service/Service.ts'
import { newKey } from '../../testing/serveWebhooks.ts'

const chain = inventedChain({ seed: 7, transactions: [1, 3] })
let store: EvmStore
let writer: EvmWriter
let service: DataApiService
let key: string
const STREAMS = 4
/** The chain whose blocks are stored. */
let tip = chain

type Parts = ReturnType<typeof chain.grow>
const commit = (parts: Parts) =>
  writer.commit(parts.map((one) => ({ block: BlockReader.read(one), contracts: [] })))
/** Returns new blocks on top of the stored ones. */
const grow = async (name: string, count: number) => {
  tip = tip.branch((await store.snapshot()).height, name)
  return tip.grow(count)
}
const transactionsOf = (parts: Parts) =>
  parts.flatMap(({ block }) => block['transactions'] as { hash: string; from: string }[])
const hashesOf = (parts: Parts) => transactionsOf(parts).map(({ hash }) => hash)

const serve = (more: object = {}) =>
  createDataApi({
    ...{ chains: [{ store, nodes: [] }], host: '127.0.0.1', port: 0, limits: undefined },
    ...{ aggregateStatus: 200, timeoutMs: 600_000, version: '0' },
    webhooks: { isDelivering: true, networks: ['127.0.0.1'], streamsPerKey: STREAMS },
    ...more,
  })

beforeAll(async () => {
  store = await openEvm()
  writer = await EvmWriter.open(store, TEST_CHAIN)
  await commit(chain.grow(3))
  key = await newKey(store)
  service = await serve()
})
afterAll(async () => {
  await service?.close()
  await store?.close()
})

const call = async (path: string, init: RequestInit = {}, of = key) => {
  const response = await fetch(`${service.url}${path}`, { ...init, headers: { 'x-data-api-key': of } })
  // biome-ignore lint/suspicious/noExplicitAny: tests access members of any response body
  return { status: response.status, json: (await response.json()) as any }
}
const create = async (addresses: readonly string[], more: object = {}) => {
  const filter = { eventType: 'address_activity', chainId: '1337', stream: true, metadata: { addresses } }
  const { status, json } = await call('/v1/webhooks', {
    method: 'POST',
    body: JSON.stringify({ ...filter, ...more }),
  })
  expect(status).toBe(201)
  return json.id as string
}

interface Event {
  readonly id: string
  readonly kind: string | undefined
  readonly data: string | undefined
}

/** Opens server-sent events, and collects them until it is closed. */
async function listen(id: string, query = '', headers: Record<string, string> = {}, url = service.url) {
  const stop = new AbortController()
  const response = await fetch(`${url}/v1/webhooks/${id}/messages${query}`, {
    headers: { 'x-data-api-key': key, ...headers },
    signal: stop.signal,
  })
  const events: Event[] = []
  let isEnded = false
  const reading = (async () => {
    let text = ''
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(chunk)
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1]
        events.push({ id: field('id') ?? '', kind: field('event'), data: field('data') })
      }
    }
    isEnded = true
  })().catch(() => undefined)
  const messages = () => events.filter(({ kind }) => kind === 'message')
  return {
    status: response.status,
    events,
    messages,
    isEnded: () => isEnded,
    told: () => messages().map(({ data = '' }) => shown(JSON.parse(data))),
    close: async () => {
      stop.abort()
      await reading
    },
    ended: () => reading,
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a message of any kind
const shown = ({ removed, event }: any) => `${removed === true ? '-' : ''}${event.transaction.txHash}`

/** Opens a WebSocket, and collects its frames. */
async function open(
  id: string,
  options: { protocols?: string[]; headers?: Record<string, string>; query?: string; url?: string },
) {
  const { protocols = [], headers = { 'x-data-api-key': key }, query = '', url: base = service.url } = options
  const url = `${base.replace('http', 'ws')}/v1/webhooks/${id}/messages${query}`
  const socket = new WebSocket(url, protocols, { headers })
  // biome-ignore lint/suspicious/noExplicitAny: tests access members of any frame
  const frames: any[] = []
  const closed = new Promise<readonly [number, string]>((resolve) =>
    socket.on('close', (code, reason) => resolve([code, reason.toString()])),
  )
  socket.on('message', (data) => frames.push(JSON.parse(String(data))))
  const status = await new Promise<number>((resolve) => {
    socket.on('open', () => resolve(101))
    socket.on('unexpected-response', (request, response) => {
      resolve(response.statusCode ?? 0)
      request.destroy()
    })
    socket.on('error', () => undefined)
  })
  return { socket, frames, closed, status }
}

describe('messages as server-sent events', () => {
  test('sends the messages of a webhook with a URL, with the removals of a reorg, and resumes without a gap', async () => {
    const from = (await store.snapshot()).height
    const added = await grow('one', 3)
    const hashes = hashesOf(added)
    const id = await create([...new Set(transactionsOf(added).map((one) => one.from))], { includeLogs: true })
    const first = await listen(id)
    await until(() => expect(first.events).toHaveLength(1))
    await commit(added.slice(0, 1))
    await until(() => expect(first.told()).toEqual(hashesOf(added.slice(0, 1))))
    await first.close()
    // The reader is disconnected while blocks are stored and removed.
    await commit(added.slice(1))
    await writer.undo(from + 1n)
    const last = first.messages().at(-1)?.id ?? ''
    const second = await listen(id, '', { 'last-event-id': last })
    const removed = hashesOf(added.slice(1)).map((hash) => `-${hash}`)
    const rest = [...hashesOf(added.slice(1)), ...removed.reverse()]
    // No messages are sent for a block that was removed before it was compared.
    await writer.undo(from)
    const gone = hashesOf(added.slice(0, 1)).map((hash) => `-${hash}`)
    await until(() => expect(second.told().slice(-gone.length)).toEqual(gone.reverse()))
    const isTold = second.told().length > gone.length
    expect(second.told()).toEqual([...(isTold ? rest : []), ...gone])
    await second.close()
    const all = await listen(id, '?cursor=0')
    await until(() =>
      expect(all.told()).toEqual([...hashes.slice(0, first.messages().length), ...second.told()]),
    )
    expect(all.messages().map((one) => one.data)).toEqual(
      [...first.messages(), ...second.messages()].map((one) => one.data),
    )
    await all.close()
  })

  test('resume after a restart of the service, also from the cursor before the first message', async () => {
    const added = await grow('two', 2)
    const id = await create(transactionsOf(added).map((one) => one.from))
    const before = await listen(id)
    await until(() => expect(before.events).toHaveLength(1))
    const [{ id: cursor } = { id: '' }] = before.events
    await before.close()
    await commit(added.slice(0, 1))
    await service.close()
    await commit(added.slice(1))
    service = await serve()
    const after = await listen(id, `?cursor=${cursor}`)
    await until(() => expect(after.told()).toEqual(hashesOf(added)))
    // Both replicas have the same messages, with the same cursors.
    const other = await serve({ webhooks: { isDelivering: false, streamsPerKey: STREAMS } })
    const copy = await listen(id, '?cursor=0', {}, other.url)
    await until(() => expect(copy.messages()).toEqual(after.messages()))
    await copy.close()
    await other.close()
    await after.close()
  })

  test('tell why they end when the service stops', async () => {
    const replica = await serve({ webhooks: { isDelivering: false } })
    const id = await create([`0x${'11'.repeat(20)}`])
    const stream = await listen(id, '', {}, replica.url)
    await until(() => expect(stream.events).toHaveLength(1))
    await replica.close()
    await stream.ended()
    const { kind, data } = stream.events.at(-1) ?? {}
    expect([kind, JSON.parse(data ?? '{}').code]).toEqual(['end', 'DATA_UNAVAILABLE'])
  })

  test.each([
    ['cursor=x', 400, 'cursor'],
    ['cursor=1.2', 400, 'cursor'],
    [`cursor=${'9'.repeat(18)}.0.1795219200000`, 503, 'cursor'],
    ['cursor=0.0.1000', 410, 'cursor'],
  ])('reject %s', async (query, status, name) => {
    const id = await create([`0x${'11'.repeat(20)}`])
    const { status: got, json } = await call(`/v1/webhooks/${id}/messages?${query}`)
    expect([got, json.message.split(':')[0]]).toEqual([status, name])
  })

  test('belong to the key that created the webhook, which has a limited number of streams', async () => {
    const id = await create([`0x${'11'.repeat(20)}`])
    const other = await newKey(store)
    // The keys are cached for some seconds.
    await until(async () => expect((await call(`/v1/webhooks/${id}`, {}, other)).status).toBe(404))
    expect((await call(`/v1/webhooks/${id}/messages`, {}, other)).status).toBe(404)
    const streams = await Promise.all(Array.from({ length: STREAMS }, () => listen(id)))
    const refused = await call(`/v1/webhooks/${id}/messages`)
    expect([refused.status, refused.json.message]).toEqual([429, expect.stringContaining('close one first')])
    for (const stream of streams) await stream.close()
    await until(async () => {
      const again = await listen(id)
      await again.close()
      expect(again.status).toBe(200)
    })
  })
})

describe('a webhook without a URL', () => {
  test('is never due, cannot be tested, replayed or given a URL, and loses old messages', async () => {
    const added = await grow('three', 1)
    const id = await create([transactionsOf(added)[0]?.from ?? ''])
    await commit(added)
    const kept = async () =>
      (await call(`/v1/webhooks/${id}/deliveries`)).json.deliveries as { state: string }[]
    await until(async () => expect((await kept()).length).toBeGreaterThan(0))
    expect((await kept()).every(({ state }) => state === 'queued')).toBe(true)
    for (const path of [`${id}:sendTest`, `${id}:replay`]) {
      const { status, json } = await call(`/v1/webhooks/${path}`, { method: 'POST', body: '{}' })
      expect([status, json.message]).toEqual([400, expect.stringContaining('has no URL')])
    }
    const body = JSON.stringify({ url: 'http://127.0.0.1/' })
    expect((await call(`/v1/webhooks/${id}`, { method: 'PATCH', body })).status).toBe(400)
    expect((await call(`/v1/webhooks/${id}`, { method: 'PATCH', body: '{"name":"New"}' })).json.name).toBe(
      'New',
    )
    await WebhookDeliveries.prune(store, Date.now() + 1_000, 10_000)
    expect(await kept()).toEqual([])
  })
})

describe('messages over a WebSocket', () => {
  test('are the same as server-sent events, and resume from their cursors', async () => {
    const added = await grow('four', 2)
    const id = await create(transactionsOf(added).map((one) => one.from))
    const events = await listen(id)
    // Browsers can send no headers, but subprotocols.
    const { socket, frames, status } = await open(id, { headers: {}, protocols: ['firn', key] })
    expect([status, socket.protocol]).toEqual([101, 'firn'])
    await until(() => expect(frames).toHaveLength(1))
    await commit(added)
    const hashes = hashesOf(added)
    await until(() => expect(frames.slice(1).map(({ message }) => shown(message))).toEqual(hashes))
    await until(() => expect(events.told()).toEqual(hashes))
    expect(frames.slice(1).map(({ cursor, message }) => [cursor, message])).toEqual(
      events.messages().map(({ id: cursor, data = '' }) => [cursor, JSON.parse(data)]),
    )
    await events.close()
    socket.close()
    const rest = await open(id, { query: `?cursor=${frames[1].cursor}` })
    await until(() => expect(rest.frames.slice(1)).toEqual(frames.slice(2)))
    rest.socket.close()
    expect(await rest.closed).toEqual([1005, ''])
  })

  test('need a key, and close when too much is sent', async () => {
    const id = await create([`0x${'11'.repeat(20)}`])
    expect((await open(id, { headers: {} })).status).toBe(401)
    expect((await open('none', {})).status).toBe(400)
    const { socket, closed } = await open(id, {})
    socket.send('x'.repeat(5_000))
    expect((await closed)[0]).toBe(1009)
  })

  test('close with the reason when the service stops', async () => {
    const id = await create([`0x${'11'.repeat(20)}`])
    const { closed } = await open(id, {})
    await service.close()
    expect(await closed).toEqual([1001, 'the service is shutting down; connect again'])
    service = await serve()
  })

  test('leave other requests alone that offer another protocol', async () => {
    const { hostname, port } = new URL(service.url)
    const ask = (upgrade: string, path: string) =>
      new Promise<string>((resolve) => {
        const socket = connect({ host: hostname, port: Number(port) })
        let text = ''
        socket.on('data', (chunk) => {
          text += chunk
          if (text.includes('\r\n\r\n')) socket.end()
        })
        socket.on('close', () => resolve(text.split('\r\n')[0] ?? ''))
        const lines = [
          `GET ${path} HTTP/1.1`,
          'Host: x',
          `Upgrade: ${upgrade}`,
          'Connection: Upgrade',
          '',
          '',
        ]
        socket.write(lines.join('\r\n'))
      })
    for (const upgrade of ['h2c', 'websocket']) {
      expect(await ask(upgrade, '/v1/chains/1337/blocks?pageSize=1')).toBe('HTTP/1.1 200 OK')
    }
  })
})

test('counts each stream as a request once it has ended', async () => {
  const usage = await openUsage()
  const counting = await serve({ usage, webhooks: { isDelivering: false } })
  const id = await create([`0x${'11'.repeat(20)}`])
  const stream = await listen(id, '', {}, counting.url)
  await until(() => expect(stream.events).toHaveLength(1))
  const { socket, closed, frames } = await open(id, { url: counting.url })
  await until(() => expect(frames).toHaveLength(1))
  socket.close()
  await closed
  await counting.close()
  const rows = await RequestLog.page(usage, { from: 0n, to: 9_000_000_000_000_000n, limit: 10 })
  const endpoint = '/v1/webhooks/{id}/messages'
  const told = rows.filter((row) => row.endpoint === endpoint).map(({ status, credits }) => [status, credits])
  expect(told.toSorted()).toEqual([
    [101, 50n],
    [200, 50n],
  ])
  await usage.close()
})

test('ends streams of a key that was revoked, with the reason', async () => {
  const mine = key
  try {
    key = await newKey(store)
    const replica = service
    await until(async () => expect((await call('/v1/webhooks')).status).toBe(200))
    const id = await create([`0x${'11'.repeat(20)}`])
    const stream = await listen(id, '', {}, replica.url)
    const [row] = (await ApiKeys.list(store)).slice(-1)
    await ApiKeys.revoke(store, row?.hash ?? new Uint8Array(), 1n)
    await stream.ended()
    expect(JSON.parse(stream.events.at(-1)?.data ?? '{}')).toMatchObject({ code: 'DATA_KEY' })
  } finally {
    key = mine
  }
})
