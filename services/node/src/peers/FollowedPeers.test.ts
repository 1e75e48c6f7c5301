import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Peer, Timers } from '@firn/p2p'
import { expect, it, onTestFinished } from 'vitest'
import * as FollowedPeers from './FollowedPeers.ts'
import * as Uptimes from './Uptimes.ts'

const node = (seed: number) => new Uint8Array(20).fill(seed)

/** A connection with the members that the Info API reports. */
const connection = (seed: number) =>
  ({
    nodeId: node(seed),
    remote: { host: '127.0.0.1', port: 9651 },
    info: undefined,
    lastSent: 1_000,
    lastReceived: 2_000,
    observedUptime: 99,
  }) as Peer

it('reports the connections that are followed, and the uptimes measured over them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'firn-followed-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const uptimesFile = join(folder, 'uptimes.json')
  const timers = Timers.createManualTimers(1_000_000)
  let open: readonly Peer[] = []
  const silent = { debug() {}, info() {}, warn() {}, error() {} }
  const peers = await FollowedPeers.start({
    connections: () => open,
    nodeId: node(9),
    validators: async () => [node(1), node(2)],
    uptimesFile,
    log: silent,
    timers,
  })
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      timers.advance(1_000)
      await new Promise((settle) => setImmediate(settle))
    }
  }
  await pass(5_000)
  expect([peers.list(), peers.isConnected(node(1)), peers.uptime(node(1))]).toEqual([[], false, undefined])
  open = [connection(1), connection(2)]
  await pass(1_000)
  await expect.poll(() => peers.uptime(node(1))).toBe(1)
  await pass(9_000)
  open = [connection(1)]
  await pass(10_000)
  expect(peers.uptime(node(1))).toBe(1)
  expect(peers.uptime(node(2))).toBeCloseTo(0.5, 0)
  expect([peers.isConnected(node(2)), peers.isConnected(node(9)), peers.uptime(node(9))]).toEqual([
    false,
    true,
    1,
  ])
  expect(peers.list()).toMatchObject([{ nodeId: node(1), ip: '127.0.0.1:9651', observedUptime: 99 }])
  await peers.close()
  expect(Uptimes.parse(await readFile(uptimesFile, 'utf8'))).toHaveLength(2)
})
