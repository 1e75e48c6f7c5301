import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { NodeVersion, Peers } from '@firn/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, plain, type Sdk, said } from './testing/clients.ts'
import { IDENTITY, IP, PEERS, SUBNET_EVM, writePlugin } from './testing/recordedNode.ts'
import { type Replica, startReplica } from './testing/replica.ts'

const X_CHAIN = '2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed'

let replica: Replica
let client: Sdk
beforeAll(async () => {
  replica = await startReplica({
    configuration: { indexEnabled: true, apiAdminEnabled: true, apiAdminAllowRemote: true },
    identity: IDENTITY,
    ip: () => IP,
    peers: Peers.fixed({ peers: PEERS, uptime: () => 1 }),
  })
  client = connect(replica.url)
})
afterAll(() => replica.close())

describe('Index methods', () => {
  const chains = [
    ['P', 'pChain', '29r9UyuMHFkaZysf4AfP3S6YBs7FoFHuxUrKoXDfz3wXpC7nUr', 84],
    ['X', 'xChain', 's9nTZqmXmpvwAFWE8zXYsAt5ENSDEv9joyETVJQcVHimBN2uF', 34],
    ['C', 'cChain', 'Bbn9UwVKbmU74RC34eCBrJMdUNtd8tSkzCyiD8ZDZ5d9hCZQc', 82],
  ] as const

  test.each(chains)(
    'returns containers of the %s-chain by id, by index and by range',
    async (letter, name, id, last) => {
      const api = client.indexBlock[name]
      const path = `index/${letter}/block`
      const encoding = 'hex'
      const recorded = {
        ...(said(path, 'index.getContainerRange', { encoding, numToFetch: 2, startIndex: 0 }) as {
          readonly containers: readonly object[]
        }),
      }
      const tip = await api.getLastAccepted({ encoding })
      expect(tip).toMatchObject({ id, index: String(last), encoding })
      expect(await api.getContainerByID({ id, encoding })).toEqual(tip)
      expect(await api.getContainerByIndex({ index: last, encoding })).toEqual(tip)
      expect(await api.getIndex({ id, encoding })).toEqual({ index: String(last) })
      expect(await api.isAccepted({ id, encoding })).toEqual({ isAccepted: true })
      const other = '2Z36RnQuk1hvsnFeGWzfZUfXNr7w1SjzmDQ78YxfTVNAkDq3nZ'
      expect(await api.isAccepted({ id: other, encoding })).toEqual({ isAccepted: false })
      expect(await api.getContainerByIndex({ index: 0, encoding })).toEqual(recorded.containers[0])
      const asked = { startIndex: 0, endIndex: 1, numToFetch: 2, encoding } as const
      expect(await api.getContainerRange(asked)).toEqual(recorded)
    },
  )

  test('rejects a range, because the client sends an end index where the node expects a count', async () => {
    const api = client.indexBlock.pChain
    await expect(
      api.getContainerRange({ startIndex: 0, endIndex: 1, encoding: 'hex' }),
    ).rejects.toMatchObject({ details: 'numToFetch must be in [1,1024] but is 0' })
  })

  test('returns an error for the transaction index of the X-chain, because a linear X-chain has none', async () => {
    const api = client.indexTx.xChain
    await expect(api.getLastAccepted({ encoding: 'hex' })).rejects.toMatchObject({
      details: 'no containers have been accepted',
    })
  })
})

test('returns the proposed heights and epochs of the P- and C-chain, and 404 for the X-chain as a node', async () => {
  const { proposervm } = client
  await expect(proposervm.xChain.getProposedHeight()).rejects.toMatchObject({ status: 404 })
  for (const api of [proposervm.pChain, proposervm.cChain]) {
    expect(await api.getProposedHeight()).toEqual({ height: '85' })
    const { number, startTime, pChainHeight } = await api.getCurrentEpoch()
    expect(Number(number)).toBeGreaterThan(0)
    expect(Number(startTime)).toBeGreaterThan(1_795_217_000)
    expect(Number(pChainHeight)).toBeLessThanOrEqual(85)
  }
})

test('returns health, readiness and liveness', async () => {
  await replica.node.health.refresh()
  const health = await client.health.health({})
  expect(health.healthy).toBe(true)
  expect(Object.keys(health.checks)).toEqual(
    expect.arrayContaining(['P', 'X', 'C', 'bootstrapped', 'database', 'diskspace']),
  )
  const lastOf = ({ message }: (typeof health.checks)['P']) => message.engine.consensus.lastAcceptedHeight
  const { P, X, C } = health.checks
  expect([P, X, C].map(lastOf)).toEqual([85, 35, 83])
  expect(await client.health.liveness()).toEqual(said('health', 'health.liveness'))
  const { checks, healthy } = await client.health.readiness({})
  expect(healthy).toBe(true)
  expect(checks['bootstrapped']?.message).toEqual([])
})

test('returns peers that match the recorded ones, except for the times of their last messages', async () => {
  const timeless = (answer: unknown) =>
    (answer as { peers: object[] }).peers.map((peer) => ({ ...peer, lastSent: '', lastReceived: '' }))
  const nodeIds = ['NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ']
  expect(timeless(await client.info.peers({ nodeIDs: nodeIds }))).toEqual(
    timeless(said('info', 'info.peers', { nodeIDs: nodeIds })),
  )
  const all = await client.info.peers({})
  expect(Number(all.numPeers)).toBe(6)
  const names = (answer: unknown) =>
    (answer as { peers: { nodeID: string }[] }).peers.map(({ nodeID: nodeId }) => nodeId)
  expect(names(all)).toEqual(names(said('info', 'info.peers')))
})

describe('Admin methods', () => {
  test('adds aliases of chains and paths', async () => {
    const { admin } = client
    await admin.aliasChain({ chain: 'X', alias: 'sdk' })
    const { aliases } = await admin.getChainAliases({ chain: X_CHAIN })
    expect(aliases).toEqual(['X', 'avm', X_CHAIN, 'sdk'])
    expect(await client.info.getBlockchainID({ alias: 'sdk' })).toEqual(
      said('info', 'info.getBlockchainID', { alias: 'X' }),
    )
    await admin.alias({ endpoint: 'bc/X', alias: 'mine' })
    const moved = await fetch(`${replica.url}/ext/mine`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"avm.getHeight"}',
    })
    expect(await moved.json()).toMatchObject({ result: { height: '35' } })
  })

  test('changes log levels', async () => {
    const { admin } = client
    await admin.setLoggerLevel({ loggerName: 'P', logLevel: 'debug', displayLevel: 'error' })
    expect(await admin.getLoggerLevel({ loggerName: 'P' })).toEqual({
      loggerLevels: { P: { logLevel: 'DEBUG', displayLevel: 'ERROR' } },
    })
    const { loggerLevels } = await admin.getLoggerLevel({})
    expect(Object.keys(loggerLevels)).toEqual(expect.arrayContaining(['main', 'P', 'X', 'C']))
  })

  test('writes profiles', async () => {
    const { admin } = client
    await admin.startCPUProfiler()
    await expect(admin.startCPUProfiler()).rejects.toMatchObject({ details: 'cpu profiler already running' })
    await admin.stopCPUProfiler()
    await admin.memoryProfile()
    await admin.lockProfile()
    for (const name of ['cpu.profile', 'mem.profile', 'lock.profile'])
      expect(existsSync(join(replica.folder, 'profiles', name)), name).toBe(true)
  })

  test('loads a plugin and lists it in the Info API', async () => {
    await writePlugin(replica.folder, SUBNET_EVM)
    expect(await client.admin.loadVMs()).toMatchObject({ newVMs: { [SUBNET_EVM]: [] } })
    expect(await client.info.getVMs()).toEqual(said('info', 'info.getVMs'))
    const recorded = said('info', 'info.getNodeVersion') as { readonly vmVersions: object }
    // The recorded node is older than the release that Firn claims to be.
    const [version, rpcProtocolVersion] = [NodeVersion.NODE, `${NodeVersion.RPC_PROTOCOL}`]
    const vmVersions = { ...recorded.vmVersions, ...NodeVersion.VMS }
    expect(plain(await client.info.getNodeVersion())).toEqual(
      plain({ ...recorded, version, rpcProtocolVersion, vmVersions }),
    )
  })
})

describe('methods that the node has removed', () => {
  const missing = [
    ['pChain', 'platform.getPendingValidators', 'platform.GetPendingValidators'],
    ['pChain', 'platform.getMaxStakeAmount', 'platform.GetMaxStakeAmount'],
    ['pChain', 'platform.getAssetDescription', 'platform.GetAssetDescription'],
    ['pChain', 'platform.getRewardedValidators', 'platform.GetRewardedValidators'],
    ['xChain', 'avm.buildGenesis', 'avm.BuildGenesis'],
    ['xChain', 'avm.getAddressTxs', 'avm.GetAddressTxs'],
    ['cChain', 'avax.exportKey', 'avax.ExportKey'],
  ] as const

  test.each(missing)('rejects the removed method %s %s', async (chain, method, name) => {
    const asked = client[chain].request as unknown as (call: object) => Promise<unknown>
    await expect(asked({ method, params: {} })).rejects.toMatchObject({
      code: -32000,
      details: `rpc: can't find method "${name}"`,
    })
  })
})
