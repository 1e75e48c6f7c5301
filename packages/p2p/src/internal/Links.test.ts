import type { SecureContext } from 'node:tls'
import { describe, expect, test } from 'vitest'
import type * as Endpoint from '../Endpoint.ts'
import { P2pError } from '../P2pError.ts'
import { createManualTimers } from '../Timers.ts'
import type { DialOptions } from './dial.ts'
import { Links } from './Links.ts'
import type { LivePeer, PeerContext } from './LivePeer.ts'

const id = (n: number): Uint8Array => new Uint8Array(20).fill(n)
const at = (host: string, port = 9_651): Endpoint.Endpoint => ({ host, port })
const refused = new P2pError('P2P_SOCKET', 'refused')

interface Dialled {
  readonly options: DialOptions
  isGivenUp: boolean
}

function rig(options: { concurrency?: number; random?: number } = {}) {
  const timers = createManualTimers()
  const dialled: Dialled[] = []
  const links = new Links({
    ownNodeId: id(0),
    secureContext: {} as SecureContext,
    context: { timers } as Partial<PeerContext> as PeerContext,
    dial: (dialOptions) => {
      const entry = { options: dialOptions, isGivenUp: false }
      dialled.push(entry)
      return () => {
        entry.isGivenUp = true
        dialOptions.onFailed(new P2pError('P2P_CLOSED', 'given up'))
      }
    },
    concurrency: options.concurrency ?? 8,
    connectMs: 1_000,
    redialMs: 10_500,
    backoff: { initialMs: 1_000, maximumMs: 60_000, random: () => options.random ?? 0 },
  })
  const connect = (index: number): LivePeer => {
    const { nodeId, onPeer } = (dialled[index] as Dialled).options
    const peer = {
      nodeId,
      start: () => undefined,
      close: (reason: P2pError) => links.onClose(peer, reason),
    } as LivePeer
    onPeer(peer)
    return peer
  }
  const fail = (index: number): void => (dialled[index] as Dialled).options.onFailed(refused)
  const hosts = () => dialled.map(({ options: { endpoint } }) => endpoint.host)
  return { timers, links, dialled, connect, fail, hosts }
}

test('dials a node once it is tracked and has a known address, in either order', () => {
  const { links, hosts } = rig()
  links.track(id(1))
  expect(links.connection(id(1))).toEqual({ state: 'unknown', reason: 'no address is known' })
  links.addEndpoint(id(2), at('127.0.0.2'))
  expect(links.connection(id(2))).toEqual({ state: 'unknown', reason: 'not tracked' })
  expect(hosts()).toEqual([])
  links.addEndpoint(id(1), at('127.0.0.1'))
  links.track(id(2))
  expect(hosts()).toEqual(['127.0.0.1', '127.0.0.2'])
  expect(links.connection(id(1))).toEqual({ state: 'connecting', reason: 'connecting to 127.0.0.1:9651' })
})

test('keeps one connection per NodeID and reports its state', () => {
  const { links, dialled, connect } = rig()
  links.track(id(1))
  links.track(id(1))
  links.addEndpoint(id(1), at('127.0.0.1'))
  const peer = connect(0)
  expect(links.peer(id(1))).toBeUndefined()
  links.onReady(peer)
  expect(links.connection(id(1))).toEqual({ state: 'connected' })
  expect(links.peers()).toEqual([peer])
  links.setClaimed(id(1), at('127.0.0.1'))
  expect(dialled).toHaveLength(1)
  const error = new P2pError('P2P_IDLE', 'silence')
  links.onClose(peer, error)
  expect(links.connection(id(1))).toEqual({ state: 'disconnected', reason: 'P2P_IDLE: silence', error })
})

test("never dials this side's own NodeID", () => {
  const { links, dialled } = rig()
  links.addEndpoint(id(0), at('127.0.0.1'))
  links.track(id(0))
  expect(dialled).toEqual([])
})

test('limits the number of handshakes in progress', () => {
  const { links, dialled, connect, fail } = rig({ concurrency: 2 })
  for (let n = 1; n <= 4; n++) {
    links.addEndpoint(id(n), at('127.0.0.1', n))
    links.track(id(n))
  }
  expect(dialled).toHaveLength(2)
  expect(links.connection(id(3))).toMatchObject({
    state: 'connecting',
    reason: 'queued: too many connection attempts are in progress',
  })
  const first = connect(0)
  expect(dialled).toHaveLength(2)
  links.onReady(first)
  expect(dialled).toHaveLength(3)
  fail(1)
  expect(dialled).toHaveLength(4)
})

describe('after a failed attempt', () => {
  test('waits longer after each failed attempt to connect', () => {
    const { links, timers, dialled, fail } = rig({ random: 0.5 })
    links.addEndpoint(id(1), at('127.0.0.1'))
    links.track(id(1))
    for (const [index, delay] of [1_500, 2_250, 3_375].entries()) {
      fail(index)
      timers.advance(delay - 1)
      expect(dialled).toHaveLength(index + 1)
      timers.advance(1)
      expect(dialled).toHaveLength(index + 2)
    }
  })
  test('waits between half and all of the longest delay after many failures', () => {
    for (const [random, longest] of [
      [0, 30_000],
      [0.5, 45_000],
    ] as const) {
      const { links, timers, dialled, fail } = rig({ random })
      links.addEndpoint(id(1), at('127.0.0.1'))
      links.track(id(1))
      for (let index = 0; index < 20; index++) {
        fail(index)
        timers.advance(60_000)
      }
      fail(20)
      timers.advance(longest - 1)
      expect(dialled).toHaveLength(21)
      timers.advance(1)
      expect(dialled).toHaveLength(22)
    }
  })
  test('waits more than 10 s before dialling the same remote endpoint again', () => {
    const { links, timers, dialled, fail } = rig()
    links.addEndpoint(id(1), at('192.0.2.1'))
    links.track(id(1))
    fail(0)
    timers.advance(10_499)
    expect(dialled).toHaveLength(1)
    timers.advance(1)
    expect(dialled).toHaveLength(2)
  })
  test("tries a node's addresses in turn, starting with the one that the node itself claims", () => {
    const { links, timers, fail, hosts } = rig()
    links.setClaimed(id(1), at('127.0.0.3'))
    links.addEndpoint(id(1), at('127.0.0.1'))
    links.addEndpoint(id(1), at('127.0.0.1'))
    links.track(id(1))
    for (let index = 0; index < 3; index++) {
      fail(index)
      timers.advance(60_000)
    }
    expect(hosts()).toEqual(['127.0.0.3', '127.0.0.1', '127.0.0.3', '127.0.0.1'])
  })
  test('tries a new address at once, before the addresses that are known already', () => {
    const { links, fail, hosts } = rig()
    for (const host of ['127.0.0.1', '127.0.0.2']) links.addEndpoint(id(1), at(host))
    links.track(id(1))
    fail(0)
    fail(1)
    links.addEndpoint(id(1), at('127.0.0.3'))
    fail(2)
    links.setClaimed(id(1), at('127.0.0.4'))
    expect(hosts()).toEqual(['127.0.0.2', '127.0.0.1', '127.0.0.3', '127.0.0.4'])
  })
  test('ends an attempt at an old address 1 s after a new address was learned', () => {
    const { links, timers, hosts, dialled, connect } = rig()
    links.addEndpoint(id(1), at('127.0.0.1'))
    links.track(id(1))
    links.setClaimed(id(1), at('127.0.0.2'))
    timers.advance(999)
    expect(hosts()).toEqual(['127.0.0.1'])
    timers.advance(1)
    expect(hosts()).toEqual(['127.0.0.1', '127.0.0.2'])
    expect(dialled[0]?.isGivenUp).toBe(true)
    connect(1)
    links.setClaimed(id(1), at('127.0.0.2'))
    timers.advance(5_000)
    links.setClaimed(id(1), at('127.0.0.3'))
    timers.advance(1_000)
    expect(hosts().at(-1)).toBe('127.0.0.3')
    expect(dialled).toHaveLength(3)
  })
  test('dials an address that was learned during a connection at once when the connection is lost', () => {
    const { links, hosts, connect } = rig()
    links.addEndpoint(id(1), at('127.0.0.1'))
    links.track(id(1))
    const peer = connect(0)
    links.onReady(peer)
    links.setClaimed(id(1), at('127.0.0.2'))
    links.onClose(peer, refused)
    expect(hosts()).toEqual(['127.0.0.1', '127.0.0.2'])
  })
  test('dials nodes with a new address before nodes without one', () => {
    const { links, timers, dialled, fail, hosts } = rig({ concurrency: 1 })
    for (let n = 1; n <= 3; n++) links.addEndpoint(id(n), at(`127.0.0.${n}`))
    for (let n = 1; n <= 3; n++) links.track(id(n))
    for (let n = 0; n < 3; n++) fail(n)
    timers.advance(60_000)
    links.addEndpoint(id(3), at('127.0.0.33'))
    fail(3)
    expect(hosts().slice(3)).toEqual([dialled[3]?.options.endpoint.host, '127.0.0.33'])
  })
  test('keeps the eight newest of the addresses that were added', () => {
    const { links, timers, fail, hosts } = rig()
    links.track(id(1))
    for (let n = 1; n <= 10; n++) {
      links.addEndpoint(id(1), at(`127.0.0.${n}`))
      fail(n - 1)
    }
    for (let n = 10; n < 19; n++) {
      timers.advance(60_000)
      fail(n)
    }
    expect(hosts().slice(10)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 10].map((n) => `127.0.0.${n}`))
  })
  test('restarts with the initial back-off delay after a connection was ready', () => {
    const { links, timers, dialled, connect, fail } = rig({ random: 0.5 })
    links.addEndpoint(id(1), at('127.0.0.1'))
    links.track(id(1))
    for (let index = 0; index < 5; index++) {
      fail(index)
      timers.advance(60_000)
    }
    const peer = connect(5)
    links.onReady(peer)
    links.onClose(peer, refused)
    timers.advance(1_500)
    expect(dialled).toHaveLength(7)
  })
})

test('disconnects untracked nodes and does not dial them again', () => {
  const { links, timers, dialled, connect } = rig({ concurrency: 2 })
  for (let n = 1; n <= 3; n++) {
    links.addEndpoint(id(n), at('127.0.0.1', n))
    links.track(id(n))
  }
  links.onReady(connect(0))
  for (let n = 1; n <= 3; n++) links.untrack(id(n))
  expect(dialled.map(({ isGivenUp }) => isGivenUp)).toEqual([false, true, true])
  expect(links.peers()).toEqual([])
  timers.advance(100_000)
  expect(dialled).toHaveLength(3)
  links.track(id(3))
  expect(dialled).toHaveLength(4)
})
