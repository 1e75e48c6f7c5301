import { Hex, NodeId } from '@firn/codec'
import { expect, test } from 'vitest'
import { createObserver } from './Observer.ts'

const IDS = [
  'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
  'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ',
  'NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN',
] as const

/** Answers of a recorded node, shortened. */
const ANSWERS: Readonly<Record<string, object>> = {
  'platform.getCurrentValidators': {
    validators: [
      { nodeID: IDS[0], uptime: '99.8765', connected: true },
      { nodeID: IDS[1], uptime: '0.0000', connected: false },
      { nodeID: IDS[2], uptime: '100.0000', connected: false },
      { nodeID: 'NodeID-', uptime: '1' },
    ],
  },
  'info.peers': {
    numPeers: '1',
    peers: [{ nodeID: IDS[0], version: 'avalanchego/1.14.2', observedUptime: '100', benched: ['X'] }],
  },
  // The node itself is a validator, but it is missing from its own list of peers.
  'info.getNodeID': { nodeID: IDS[2] },
  'info.getNodeVersion': { version: 'avalanchego/1.14.3', databaseVersion: 'v1.4.5' },
}

const EXPECTED = new Map([
  [
    Hex.encodeBare(NodeId.parse(IDS[0])),
    { uptime: 99.8765, version: 'avalanchego/1.14.2', isConnected: true, benched: ['X'] },
  ],
  [Hex.encodeBare(NodeId.parse(IDS[1])), { uptime: 0, version: undefined, isConnected: false, benched: [] }],
  [
    Hex.encodeBare(NodeId.parse(IDS[2])),
    { uptime: 100, version: 'avalanchego/1.14.3', isConnected: true, benched: [] },
  ],
])

function setUp() {
  const world = { now: 0, down: new Set<string>(), hidden: new Set<string>(), asked: [] as string[] }
  const ask = (async (url: string, { body }: { readonly body: string }) => {
    const { origin, pathname } = new URL(url)
    const { method } = JSON.parse(body) as { method: string }
    world.asked.push(`${origin}${pathname} ${method}`)
    if (world.down.has(origin)) throw new TypeError('fetch failed')
    if (world.hidden.has(method)) return new Response('<html>', { status: 403 })
    return Response.json({ jsonrpc: '2.0', id: 1, result: ANSWERS[method] })
  }) as unknown as typeof fetch
  const observe = createObserver({ urls: ['http://a', 'http://b'], now: () => world.now, fetch: ask })
  return { world, observe }
}

test('queries the node at most once in 30 seconds, regardless of the number of callers', async () => {
  const { world, observe } = setUp()
  const [first, second] = await Promise.all([observe(), observe()])
  expect([first, second]).toEqual([EXPECTED, EXPECTED])
  expect(world.asked).toEqual([
    'http://a/ext/bc/P platform.getCurrentValidators',
    'http://a/ext/info info.peers',
    'http://a/ext/info info.getNodeID',
    'http://a/ext/info info.getNodeVersion',
  ])
  world.now = 29_999
  await observe()
  expect(world.asked).toHaveLength(4)
  world.now = 30_000
  expect(await observe()).toEqual(EXPECTED)
  expect(world.asked).toHaveLength(8)
})

test('queries the next node when one is down, and returns cached observations for 10 minutes when all are down', async () => {
  const { world, observe } = setUp()
  world.down.add('http://a')
  expect(await observe()).toEqual(EXPECTED)
  world.down.add('http://b')
  world.now = 600_000
  expect(await observe()).toEqual(EXPECTED)
  world.now = 600_001
  expect(await observe()).toEqual(new Map())
})

test('returns the observations of other nodes if the node does not report its own version', async () => {
  const { world, observe } = setUp()
  world.hidden.add('info.getNodeVersion')
  const seen = await observe()
  const versions = IDS.map((id) => seen.get(Hex.encodeBare(NodeId.parse(id)))?.version)
  expect(versions).toEqual(['avalanchego/1.14.2', undefined, undefined])
})

test('returns no observations if no node responds', async () => {
  const { world, observe } = setUp()
  world.down.add('http://a').add('http://b')
  expect(await observe()).toEqual(new Map())
})

test('returns an undefined connection state if the node does not report it', async () => {
  const ask = (async (_url: string, { body }: { readonly body: string }) => {
    const { method } = JSON.parse(body) as { method: string }
    const result = method === 'info.peers' ? { peers: [] } : { validators: [{ nodeID: IDS[0] }] }
    return Response.json({ jsonrpc: '2.0', id: 1, result })
  }) as unknown as typeof fetch
  const observe = createObserver({ urls: ['http://a'], now: () => 0, fetch: ask })
  const [observation] = (await observe()).values()
  expect(observation).toMatchObject({ uptime: undefined, isConnected: undefined })
})
