import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { until } from '@firn/runtime/testing'
import type { UsageStore } from '@firn/service-store'
import { openUsage } from '@firn/service-store/testing'
import { database } from '@firn/sql/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { GatewayOptions } from './Gateway.ts'
import { type FakeNode, fakeNode, resultOf, well } from './testing/fakeNode.ts'
import { call, openGateway, type TestGateway } from './testing/gateways.ts'

let usage: UsageStore
let open: TestGateway[] = []
beforeAll(async () => {
  usage = await openUsage()
})
afterEach(async () => {
  for (const gateway of open) await gateway.close()
  open = []
  await database(usage).deleteFrom('usage').execute()
})
afterAll(() => usage.close())

async function start(nodes: readonly FakeNode[], more: Partial<GatewayOptions> = {}) {
  const gateway = await openGateway(nodes, usage, more)
  open.push(gateway)
  return gateway
}

/** Opens a WebSocket as a caller, and records the messages that the socket receives. */
async function dial({ url }: TestGateway, path = '/rpc/43114') {
  const socket = new WebSocket(url.replace('http', 'ws') + path)
  const heard: string[] = []
  const closed: number[] = []
  socket.on('message', (data) => heard.push(data.toString()))
  socket.on('close', (code) => closed.push(code))
  socket.on('error', () => undefined)
  await once(socket, 'open')
  return { socket, heard, closed, close: () => socket.terminate() }
}

const wellNode = () => fakeNode()
/** Starts a node that accepts WebSockets but does not send messages on its own. */
const silentNode = (onMessage: (socket: WebSocket, text: string) => void = () => undefined) =>
  fakeNode(well, (socket) => {
    socket.on('error', () => undefined)
    socket.on('message', (data) => onMessage(socket, data.toString()))
  })

describe('WebSocket messages', () => {
  test('forwards calls and batches, returns their answers, and counts each call', async () => {
    const gateway = await start([await wellNode()])
    const { socket, heard, close } = await dial(gateway)
    const bodies = [
      call('eth_call', 1, [{ to: '0x1' }]),
      `[${call('eth_blockNumber', 2)},${call('eth_getLogs', 'x')}]`,
    ]
    for (const body of bodies) socket.send(body)
    await until(() => expect(heard.length).toBe(2))
    expect(heard[0]).toBe(resultOf(JSON.parse(bodies[0] as string)))
    expect(JSON.parse(heard[1] as string).length).toBe(2)
    expect(await gateway.counted()).toEqual({
      'eth_blockNumber 200': 1,
      'eth_call 200': 1,
      'eth_getLogs 200': 1,
    })
    close()
  })

  test('forwards and counts the notifications of a subscription', async () => {
    const node = await silentNode((socket, text) => {
      socket.send(resultOf(JSON.parse(text)))
      for (let i = 0; i < 5; i++) {
        socket.send(
          `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1","result":"${'x'.repeat(i * 9_000)}"}}`,
        )
      }
    })
    const gateway = await start([node])
    const { socket, heard, close } = await dial(gateway)
    socket.send(call('eth_subscribe', 1, ['newHeads']))
    await until(() => expect(heard.length).toBe(6))
    expect(await gateway.counted()).toEqual({ 'eth_subscribe 200': 1, 'eth_subscription 200': 5 })
    close()
  })

  test('answers a rejected message with an error, without forwarding the message', async () => {
    const seen: string[] = []
    const gateway = await start([await silentNode((_, text) => void seen.push(text))])
    const { socket, heard, close } = await dial(gateway)
    const messages = ['{', call('admin_peers', 7), '[]', `[${call('eth_call', 1)},${call('eth_call', 1)}]`]
    for (const message of messages) socket.send(message)
    await until(() => expect(heard.length).toBe(4))
    expect(heard.map((text) => [JSON.parse(text).id, JSON.parse(text).error?.code ?? 'list'])).toEqual([
      [null, -32_700],
      [7, -32_601],
      [null, -32_600],
      [null, -32_600],
    ])
    expect(seen).toEqual([])
    close()
  })

  test('rejects a call with the same id as an unanswered call', async () => {
    const gateway = await start([await silentNode()])
    const { socket, heard, close } = await dial(gateway)
    for (let i = 0; i < 3; i++) socket.send(call('eth_call', 1))
    await until(() => expect(heard.length).toBe(2))
    close()
    await until(async () => expect(await gateway.counted()).toEqual({ 'eth_call 400': 2, 'eth_call 499': 1 }))
  })

  test('rejects calls above the rate limit, and disconnects a caller that ignores refusals', async () => {
    const gateway = await start([await wellNode()], {
      limits: { rate: { perSecond: 1, burst: 60 }, refusals: { perSecond: 1, burst: 100 } },
    })
    const { socket, heard, closed } = await dial(gateway)
    for (let id = 0; id < 3; id++) socket.send(call('eth_call', id))
    const answers = () => heard.map((text) => JSON.parse(text).error?.code ?? 'result')
    await until(() => expect(answers().toSorted()).toEqual([-32_005, 'result', 'result']))
    for (let id = 3; id < 300; id++) socket.send(call('eth_call', id))
    await until(() => expect(closed).toEqual([1008]))
    expect(answers().length).toBeLessThan(110)
    // A caller that reconnects immediately must be refused.
    const refusals = gateway.counted().then((sums) => sums['unknown 429'])
    await expect(dial(gateway)).rejects.toThrow()
    expect(await refusals).toBeGreaterThan(90)
  })

  test('refuses methods and subscriptions that are not listed', async () => {
    const gateway = await start([await wellNode()])
    const { socket, heard } = await dial(gateway)
    const subscribe = (id: number, kind: unknown) => call('eth_subscribe', id, [kind])
    const bodies = [
      call('eth_sendTransaction', 1),
      call('debug_subscribe', 2, ['traceChain']),
      subscribe(3, 'peerEvents'),
      `[${call('eth_call', 4)},${subscribe(5, 'NewHeads')}]`,
      '{"id":6,"method":"eth_subscribe","params":["newH\\u0065ads"]}',
      subscribe(7, 'newAcceptedTransactions'),
    ]
    for (const body of bodies) socket.send(body)
    await until(() => expect(heard.length).toBe(bodies.length))
    const codes = heard
      .flatMap((text) => JSON.parse(text) as { id: number; error?: { code: number } }[])
      .map(({ id, error }) => `${id} ${error?.code ?? 'result'}`)
    const refused = [1, 2, 3, 4, 5].map((id) => `${id} -32601`)
    expect(codes.toSorted()).toEqual([...refused, '6 result', '7 result'])
  })

  test('charges the size of a message before it is parsed', async () => {
    const gateway = await start([await wellNode()], { limits: { rate: { perSecond: 0.001, burst: 60 } } })
    const { socket, heard } = await dial(gateway)
    socket.send('['.repeat(100 * 1_024))
    socket.send('['.repeat(200 * 1_024))
    await until(() => expect(heard.length).toBe(2))
    expect(heard.map((text) => JSON.parse(text).error.code)).toEqual([-32_700, -32_005])
  })

  test.each([
    ['that are too large', (socket: WebSocket) => socket.send(call('eth_call', 1, 'x'.repeat(20_000))), 1009],
    ['that are binary', (socket: WebSocket) => socket.send(Buffer.from('{}'), { binary: true }), 1003],
    [
      'whose fragments are too large in total',
      (socket: WebSocket) => {
        for (let i = 0; i < 30; i++) socket.send('x'.repeat(1_000), { fin: false })
      },
      1009,
    ],
  ])('closes the WebSocket after it receives messages %s', async (_, send, code) => {
    const gateway = await start([await wellNode()], { limits: { bodyBytes: 10_000 } })
    const { socket, closed } = await dial(gateway)
    send(socket)
    await until(() => expect(closed).toEqual([code]))
  })
})

describe('callers that send fragments without end', () => {
  const fragments = (socket: WebSocket, count: number) => {
    for (let i = 0; i < count; i++) socket.send('x'.repeat(1_000), { fin: false })
  }

  test('disconnects callers when no memory is left for their fragments, and frees it', async () => {
    const gateway = await start([await wellNode()], { limits: { waitingBytes: 10_000 } })
    const [{ socket, closed }, other] = [await dial(gateway), await dial(gateway)]
    fragments(socket, 30)
    await until(() => expect(closed).toEqual([1013]))
    other.socket.send(call('eth_call', 1, 'x'.repeat(4_000)))
    await until(() => expect(other.heard.length).toBe(1))
    expect(other.heard[0]).toContain('result')
    other.close()
  })

  test('disconnects callers whose message takes too long, even if they send pings meanwhile', async () => {
    const gateway = await start([await wellNode()], { limits: { requestMs: 100 } })
    const { socket, closed } = await dial(gateway)
    fragments(socket, 3)
    const pings = setInterval(() => socket.readyState === WebSocket.OPEN && socket.ping(), 10)
    await until(() => expect(closed).toEqual([1013]))
    clearInterval(pings)
  })

  test('keeps callers connected after the last fragment, and while they only answer pings', async () => {
    const gateway = await start([await wellNode()], { limits: { requestMs: 300, idleMs: 100 } })
    const { socket, heard, closed, close } = await dial(gateway)
    const body = call('eth_call', 7, 'x'.repeat(4_000))
    socket.send(body.slice(0, 2_000), { fin: false })
    socket.send(body.slice(2_000))
    await until(() => expect(heard.length).toBe(1))
    await setTimeout(600)
    expect(closed).toEqual([])
    close()
  })
})

describe('callers', () => {
  test('shortens the close reason if too many calls of a method with a long name were refused', async () => {
    const gateway = await start([await wellNode()])
    const { socket, closed } = await dial(gateway)
    const reasons: string[] = []
    socket.on('close', (_code, reason) => reasons.push(reason.toString()))
    for (let id = 0; id < 300; id++) socket.send(call(`admin_${'x'.repeat(114)}`, id))
    await until(() => expect(closed).toEqual([1008]))
    expect(reasons).toEqual([`the method admin_${'x'.repeat(106)}`])
  })

  test('disconnects a caller that floods the gateway with pings', async () => {
    const gateway = await start([await wellNode()], { limits: { rate: { perSecond: 1, burst: 50 } } })
    const { socket, closed } = await dial(gateway)
    let pongs = 0
    socket.on('pong', () => pongs++)
    for (let i = 0; i < 500; i++) socket.ping(Buffer.alloc(125))
    await until(() => expect(closed).toEqual([1008]))
    expect(pongs).toBeLessThan(51)
  })

  test('refuses connections above the limit of an address until another connection is closed', async () => {
    const gateway = await start([await wellNode()], { limits: { connectionsPerAddress: 3 } })
    const dialed = [await dial(gateway), await dial(gateway), await dial(gateway)]
    await expect(dial(gateway)).rejects.toThrow()
    for (const { close } of dialed) close()
    await until(async () => (await dial(gateway)).close())
  })

  test('stops reading from the node while the caller does not read, with bounded memory', async () => {
    let sent = 0
    const node = await silentNode((socket) => {
      const send = () =>
        socket.send('x'.repeat(100_000), () => {
          sent += 100_000
          if (sent < 200_000_000) send()
        })
      send()
    })
    const gateway = await start([node])
    const { socket, close } = await dial(gateway)
    socket.send(call('eth_call'))
    socket.pause()
    await until(async () => {
      const before = sent
      await setTimeout(500)
      expect([before, before > 0]).toEqual([sent, true])
    })
    expect(sent).toBeLessThan(30_000_000)
    close()
  })

  test.each([
    ['for an unknown chain', '/rpc/1', 404],
    ['with an invalid token', '/rpc/43114/firnrl_x', 401],
  ])('refuses a WebSocket %s', async (_, path, status) => {
    const gateway = await start([await wellNode()])
    const socket = new WebSocket(gateway.url.replace('http', 'ws') + path)
    const [, answer] = await once(socket, 'unexpected-response')
    expect(answer.statusCode).toBe(status)
    answer.destroy()
  })
})

test.each([
  ['no key', 'upgrade: websocket\r\nsec-websocket-version: 13', 0],
  ['a different protocol', `upgrade: h2c\r\nsec-websocket-key: ${'x'.repeat(22)}==`, 0],
  [
    'an unsupported version',
    `upgrade: websocket\r\nsec-websocket-version: 99\r\nsec-websocket-key: ${'x'.repeat(22)}==`,
    1,
  ],
])('refuses a handshake with %s, and leaves no WebSocket to the node open', async (_, headers, most) => {
  let [opened, closed] = [0, 0]
  const node = await fakeNode(well, (socket) => {
    opened++
    socket.on('close', () => closed++)
  })
  const { url } = await start([node])
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(`GET /rpc/C HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\n${headers}\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  expect(String(answer).split(' ')[1]).toBe('400')
  await until(() => expect([opened, closed]).toEqual([most, most]))
  socket.destroy()
})

describe('nodes', () => {
  test('skips a node that accepts no WebSockets', async () => {
    const bare = await fakeNode()
    await bare.close()
    const gateway = await start([bare, await wellNode()])
    for (let i = 0; i < 3; i++) {
      const { socket, heard, close } = await dial(gateway)
      socket.send(call('eth_call', i))
      await until(() => expect(heard.length).toBe(1))
      close()
    }
  })

  test("closes the caller's WebSocket when the node disconnects, and counts the unanswered calls", async () => {
    const gateway = await start([await silentNode((socket) => socket.terminate())])
    const { socket, closed } = await dial(gateway)
    socket.send(call('eth_call'))
    await until(() => expect(closed).toEqual([1014]))
    expect(await gateway.counted()).toEqual({ 'eth_call 502': 1 })
  })

  test('disconnects a node that sends a message above the size limit', async () => {
    const node = await silentNode((socket) => socket.send('x'.repeat(2_000_000)))
    const gateway = await start([node], { limits: { messageBytes: 1_000_000 } })
    const { socket, closed } = await dial(gateway)
    socket.send(call('eth_call'))
    await until(() => expect(closed).toEqual([1014]))
  })

  test('returns an error for an unanswered call, and disconnects a node that sends nothing', async () => {
    const node = await fakeNode(well, (socket) => socket.pause())
    const gateway = await start([node], { limits: { idleMs: 300, totalMs: 200 } })
    const { socket, heard, closed } = await dial(gateway)
    socket.send(call('eth_call', 5))
    await until(() => expect(closed.length).toBe(1))
    expect(heard.map((text) => [JSON.parse(text).id, JSON.parse(text).error.code])).toEqual([[5, -32_603]])
    expect(await gateway.counted()).toEqual({ 'eth_call 504': 1 })
  })
})
