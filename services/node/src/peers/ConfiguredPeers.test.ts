import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeId } from '@firn/codec'
import { createPeerServer, Endpoint, type PeerServer } from '@firn/p2p'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Configuration } from '../Configuration.ts'
import { createConfiguration } from '../Configuration.ts'
import * as OwnIdentity from '../identity/OwnIdentity.ts'
import { recorded } from '../testing/recordings.ts'
import * as ConfiguredPeers from './ConfiguredPeers.ts'
import * as Uptimes from './Uptimes.ts'

let folder: string
let server: PeerServer
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'firn-peers-'))
  server = await createPeerServer({ networkId: 12345, identity: OwnIdentity.create().peer })
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const quiet = () => undefined

function start(
  configuration: Partial<Configuration>,
  upstream?: ConfiguredPeers.ConfiguredPeersOptions['upstream'],
) {
  return ConfiguredPeers.start({
    configuration: createConfiguration({ dataDir: folder, ...configuration }),
    networkId: 12345,
    identity: OwnIdentity.create().peer,
    validators: async () => [server.nodeId],
    upstream,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  })
}

test('connects to no peers by default', async () => {
  expect(await start({ bootstrapIps: ['127.0.0.1:1'] })).toBeUndefined()
})

test('rejects bootstrap addresses without NodeIDs', async () => {
  await expect(start({ networkPeersEnabled: true, bootstrapIps: ['127.0.0.1:9651'] })).rejects.toMatchObject({
    code: 'NODE_CONFIGURATION',
    message: expect.stringMatching(/^bootstrap-ips and bootstrap-ids: .*"127\.0\.0\.1:9651" and ""$/),
  })
})

test('connects to the configured nodes and stores their uptimes in the data folder', async () => {
  const peers = await start({
    networkPeersEnabled: true,
    bootstrapIps: [Endpoint.format(server.address)],
    bootstrapIds: [NodeId.format(server.nodeId)],
  })
  await expect.poll(() => peers?.isConnected(server.nodeId)).toBe(true)
  await peers?.close()
  const kept = Uptimes.parse(await readFile(join(folder, 'uptimes.json'), 'utf8'))
  expect(kept?.map(({ nodeId }) => nodeId)).toEqual([server.nodeId])
})

test('connects to validators at the addresses that an upstream reports', async () => {
  const exchange = recorded('info').find(({ requestBody }) => requestBody?.includes('info.peers'))
  const { result } = JSON.parse(exchange?.responseBody ?? '') as {
    readonly result: { readonly peers: readonly object[] }
  }
  const address = { nodeID: NodeId.format(server.nodeId), publicIP: Endpoint.format(server.address) }
  const answer = { numPeers: '1', peers: [{ ...result.peers[0], ...address }] }
  const peers = await start({ networkPeersEnabled: true }, { method: async () => answer })
  await expect.poll(() => peers?.list().length).toBe(1)
  await peers?.close()
})
