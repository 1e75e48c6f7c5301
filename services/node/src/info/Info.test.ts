import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Id } from '@firn/codec'
import { Peers } from '@firn/node-api'
import { call, headersOf, send } from '@firn/node-api/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { IDENTITY, IP, PEERS, SUBNET_EVM, writePlugin } from '../testing/recordedNode.ts'
import { asClaimed, recorded } from '../testing/recordings.ts'
import { type Replica, startReplica } from '../testing/replica.ts'

describe('Info API: byte-for-byte comparison with recorded exchanges', () => {
  // The last recorded call was sent to another node, so it is omitted.
  const cases = recorded('info').filter(({ port }) => port === 9650)
  let folder: string
  let replica: Replica
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'firn-info-'))
    await writePlugin(folder, SUBNET_EVM)
    replica = await startReplica({
      identity: IDENTITY,
      ip: () => IP,
      peers: Peers.fixed({ peers: PEERS }),
      configuration: { pluginDir: join(folder, 'plugins') },
    })
  })
  afterAll(async () => {
    await replica.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('reads the expected number of recorded exchanges', () => expect(cases.length).toBe(84))

  test.each(cases.map((exchange, index) => [index, exchange.note, exchange] as const))(
    'returns the recorded response of exchange %i: %s',
    async (_index, _note, exchange) => {
      const { path, httpMethod: method, headers, requestBody: body } = exchange
      const answer = await send(replica.url, { path, method, headers, body })
      expect(answer.body).toBe(asClaimed(exchange.responseBody))
      expect(answer.status).toBe(exchange.status)
      const { date: _date, connection: _connection, ...received } = answer.headers
      expect(received).toEqual(headersOf(exchange))
    },
  )
})

describe('standalone node API', () => {
  let replica: Replica
  beforeAll(async () => {
    const identity = { ...IDENTITY, nodeId: new Uint8Array(20).fill(7) }
    replica = await startReplica({ identity })
  })
  afterAll(() => replica.close())

  const info = (method: string, params = {}) => call(replica.url, '/ext/info', `info.${method}`, params)

  test('reports that this node is not a validator, and reports no peers unless it joins the network', async () => {
    await expect(info('uptime')).rejects.toThrow("couldn't get node uptime: node is not a validator")
    expect(await info('peers')).toEqual({ numPeers: '0', peers: [] })
    expect(await info('acps')).toEqual({ acps: {} })
  })

  test('starts with an empty default plugin folder, and logs why plugins of a configured folder are not loaded', async () => {
    expect(await readdir(join(replica.folder, 'plugins'))).toEqual([])
    const missing = join(replica.folder, 'missing')
    const separate = await startReplica({ configuration: { pluginDir: missing } })
    expect(separate.lines.filter((line) => line.includes('plugins not loaded'))).toEqual([
      expect.stringContaining(`open ${missing}: no such file or directory`),
    ])
    await separate.close()
  })

  test('sorts subnets by their bytes and ACPs by their decimal text, as the node does', async () => {
    const subnets = [9, 1].map((byte) => new Uint8Array(32).fill(byte))
    const peer = { ...(PEERS[0] as Peers.ConnectedPeer), trackedSubnets: subnets }
    const peers = Peers.fixed({ peers: [{ ...peer, supportedACPs: [9, 24, 103], objectedACPs: [2, 10] }] })
    const separate = await startReplica({ peers })
    const answer = (await call(separate.url, '/ext/info', 'info.peers')) as {
      readonly peers: readonly object[]
    }
    expect(answer.peers[0]).toMatchObject({
      trackedSubnets: [Id.EMPTY, ...subnets.toReversed()].map((id) => Id.format(id)),
      supportedACPs: [103, 24, 9],
      objectedACPs: [10, 2],
    })
    await separate.close()
  })

  test('reports no public address unless one is configured', async () => {
    expect(await info('getNodeIP')).toEqual({ ip: '' })
    const separate = await startReplica({ configuration: { publicIp: '2001:db8::1', stakingPort: 9651 } })
    const { ip } = (await call(separate.url, '/ext/info', 'info.getNodeIP')) as { readonly ip: string }
    expect(ip).toBe('[2001:db8::1]:9651')
    await separate.close()
  })
})
