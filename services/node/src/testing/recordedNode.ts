import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hex, Id, NodeId } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { Connections } from '@firn/http'
import {
  Admin,
  type Aliases,
  createAliases,
  createListener,
  createRoutes,
  createService,
  createVms,
  HttpRules,
  Info,
  type Listener,
  Peers,
  type PrimaryValidator,
  Profiler,
  type Routes,
  RpcEndpoint,
} from '@firn/node-api'
import { freePort } from '@firn/node-api/testing'
import { AdminMethods, InfoMethods, type MethodTable, Schema } from '@firn/rpc'
import type { Snapshot } from '@firn/store'
import * as NodeConfig from '../admin/NodeConfig.ts'
import { createLoggers, type NodeLoggers } from '../admin/PinoLoggers.ts'
import { createConfiguration } from '../Configuration.ts'

const { LOCAL } = Networks
const L1_CHAIN = 'vJHF8BhQ6B2CLVLfoAUX4b2PnTRy4VXWUSaVgCNYZNfSZUnNY'
const L1_SUBNET = '249Gk2KCQwQUQgUcMFCfPmV3iz6f4bkYzXPt93eShnFi82WtZW'
export const SUBNET_EVM = 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy'
const NODE_ID = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
export const IP = '127.0.0.1:9651'
const FIRST_START = 1_791_000_000n

/**
 * The Admin and Info APIs of the recorded node, and the few methods of other APIs that recorded calls reach
 * through its aliases.
 */
export interface RecordedNode {
  readonly url: string
  /** Folder that contains `logs`, `plugins`, `profiles` and `stacktrace.txt`. */
  readonly folder: string
  readonly chains: Aliases
  readonly loggers: NodeLoggers
  close(): Promise<void>
}

/** Starts the node in the state that it had at the beginning of the recording. */
export async function startRecordedNode(): Promise<RecordedNode> {
  const folder = await mkdtemp(join(tmpdir(), 'firn-node-'))
  await writePlugin(folder, SUBNET_EVM)
  const loggers = createLoggers({
    folder: join(folder, 'logs'),
    display: { write: () => undefined },
    now: Date.now,
  })
  for (const name of ['main', 'vm-factory', 'P', 'X', 'C', L1_CHAIN]) loggers.get(name)
  const vms = createVms({ folder: join(folder, 'plugins'), log: loggers.get('vm-factory') })
  await vms.load()
  const profiler = new Profiler({ folder: join(folder, 'profiles'), now: Date.now })
  const chains = recordedChains()
  const context = { ...chainContext(chains), routes: recordedRoutes(), loggers }
  const info = Info.handlers(context, { ...NETWORK, vms })
  const admin = Admin.handlers(context, { profiler, vms, config, workingFolder: folder })
  context.routes.add('info', '', RpcEndpoint.create(createService(InfoMethods, info)))
  context.routes.add('admin', '', RpcEndpoint.create(createService(AdminMethods, admin)))
  const listener = createRecordedListener(context.routes)
  const close = async () => {
    await listener.close(0)
    await profiler.close()
    loggers.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { url: await listener.listen(await freePort()), folder, chains, loggers, close }
}

/** Writes a plugin into a data folder: `plugins/<id>.mjs`. */
export async function writePlugin(folder: string, vmId: string): Promise<void> {
  await mkdir(join(folder, 'plugins'), { recursive: true })
  const lines = [
    `export const vmID = '${vmId}'`,
    'export const names = []',
    "export const version = 'v1.14.2'",
    'export const decodeBlock = (bytes) => ({ size: bytes.length })',
  ]
  await writeFile(join(folder, 'plugins', `${vmId}.mjs`), `${lines.join('\n')}\n`)
}

const CHAINS: readonly (readonly [string, readonly string[]])[] = [
  [Id.format(Networks.PRIMARY_NETWORK_ID), Networks.CHAINS.P.aliases],
  ['2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed', Networks.CHAINS.X.aliases],
  ['2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC', Networks.CHAINS.C.aliases],
  [L1_CHAIN, []],
]

function recordedChains(): Aliases {
  const chains = createAliases()
  for (const [id, names] of CHAINS) for (const name of [...names, id]) chains.add(Id.parse(id), name)
  return chains
}

const HeightMethods = {
  'avm.getHeight': { params: Schema.struct({}), result: Schema.struct({ height: Schema.u64 }) },
} satisfies MethodTable

function recordedRoutes(): Routes {
  const routes = createRoutes()
  const height = createService(HeightMethods, { 'avm.getHeight': () => ({ height: 35n }) })
  for (const [id, names] of CHAINS) {
    for (const name of names) for (const alias of [name, `bc/${name}`]) routes.alias(`bc/${id}`, alias)
    routes.add(`bc/${id}`, id === L1_CHAIN ? '/rpc' : '', RpcEndpoint.create(height))
  }
  return routes
}

function chainContext(chains: Aliases) {
  const position = { height: 0n, blockId: new Uint8Array(32), time: 0n }
  const snapshot: Snapshot = { key: '0.0.0', P: position, X: position, C: position }
  return {
    constants: { ...LOCAL, staking: { ...LOCAL.staking, minStakeDuration: 60n } },
    genesis: { genesisId: Id.parse('u1NtdJoguoeGEz5ZHqAECaCPvfnqijuwfBdjpomnGge4Je8Lq') } as never,
    chains,
    snapshot: async () => snapshot,
    isBootstrapped: () => true,
  }
}

function createRecordedListener(routes: Routes): Listener {
  return createListener({
    routes,
    rules: HttpRules.create({ nodeId: NODE_ID }),
    connections: Connections.create({ service: 'test', prefix: 'test' }),
    readTimeoutMs: 30_000,
    readHeaderTimeoutMs: 30_000,
    writeTimeoutMs: 30_000,
    idleTimeoutMs: 120_000,
  })
}

const VALIDATORS: readonly PrimaryValidator[] = [
  ['NodeID-41f3Vk3mugDhhAQ3AqeXRiXzKyu1AAnNA', 3_025_000_000_000n, 1_795_217_468n],
  ['NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5', 2_000_000_000_000_000n, FIRST_START],
  ['NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu', 2_000_000_000_000_000n, FIRST_START],
  ['NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN', 2_000_050_000_000_000n, FIRST_START],
  ['NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ', 2_000_000_000_000_000n, FIRST_START],
  [NODE_ID, 2_000_026_000_000_000n, FIRST_START],
].map(([nodeId, weight, startTime]) => ({
  nodeId: NodeId.parse(nodeId as string),
  weight: weight as bigint,
  startTime: startTime as bigint,
}))

/**
 * Peers in the order of connection. Each has its socket address, announced address, the uptime that it observed for
 * the node, and the seconds at which the last message was sent to it and received from it.
 */
export const PEERS: readonly Peers.ConnectedPeer[] = (
  [
    ['NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN', '127.0.0.1:52724', '127.0.0.1:9655', 100, 15, 15],
    ['MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ', '127.0.0.1:52740', '127.0.0.1:9653', 100, 15, 15],
    ['GWPcbFJZFfZreETSoWjPimr846mXEKCtu', '127.0.0.1:52748', '127.0.0.1:9657', 100, 15, 15],
    ['P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5', '127.0.0.1:52764', '127.0.0.1:9659', 100, 15, 15],
    ['BDVTF7KpTjN1gg5QsFPF3STyU4jxr3P28', '127.0.0.1:44568', '0.0.0.0:1', 0, 6, 11],
    ['6Q4DHSHzUuw4dR1eVtZ7mmkSwQYBFsGTh', '127.0.0.1:52524', '127.0.0.1:9661', 0, 15, 15],
  ] as const
).map(([nodeId, ip, publicIP, observedUptime, lastSent, lastReceived]) => ({
  nodeId: NodeId.parse(`NodeID-${nodeId}`),
  ip,
  publicIP,
  version: 'avalanchego/1.14.2',
  upgradeTime: 1_607_144_400,
  lastSent: Date.UTC(2026, 10, 21, 0, 13, lastSent, 999),
  lastReceived: Date.UTC(2026, 10, 21, 0, 13, lastReceived),
  observedUptime,
  trackedSubnets: [Id.parse(L1_SUBNET)],
  supportedACPs: [],
  objectedACPs: [],
}))

/** Identity of the recorded node. */
export const IDENTITY = {
  nodeId: NodeId.parse(NODE_ID),
  publicKey: Hex.decode(
    '0x900c9b119b5c82d781d4b49be78c3fc7ae65f2b435b7ed9e3a8b9a03e475edff86d8a64827fec8db23a6f236afbf127d',
  ),
  proofOfPossession: Hex.decode(
    '0x8bfd6d4d2086b2b8115d8f72f94095fefe5a6c07876b2accf51a811adf520f389e74a3d2152a6d90b521e2be58ffe468043dc5ea68b4c44410eb67f8dc24f13ed4f194000764c0e922cd254a3588a4962b1cb4db7de4bb9cda9d9d4d6b03f3d2',
  ),
}

const NETWORK = {
  identity: IDENTITY,
  ip: () => IP,
  peers: Peers.fixed({ peers: PEERS }),
  primaryNetwork: async () => VALIDATORS,
}

/** Configuration of the recorded node. */
const CONFIGURATION = createConfiguration({
  dataDir: '/avalanche/node1',
  pluginDir: '/avalanche/plugins',
  stakingTlsKeyFile: 'staking/local/staker1.key',
  stakingTlsCertFile: 'staking/local/staker1.crt',
  stakingSignerKeyFile: 'staking/local/signer1.key',
  stakingHost: '127.0.0.1',
  publicIp: '127.0.0.1',
  // The port is a node's default port, which differs from Firn's.
  httpPort: 9650,
  indexEnabled: true,
  apiAdminEnabled: true,
  apiAdminAllowRemote: true,
  trackSubnets: [L1_SUBNET],
  healthCheckFrequency: 5_000,
  logFormat: 'plain',
})

function config() {
  const { constants } = chainContext(createAliases())
  return NodeConfig.toJSON({
    configuration: CONFIGURATION,
    constants,
    avaxAssetId: (LOCAL.ids as Networks.Ids).avaxAssetId,
    nodeId: NodeId.parse(NODE_ID),
    ip: IP,
    database: { name: 'leveldb', path: '/avalanche/node1/db/local' },
    chainAliases: null,
    vmAliases: null,
    parallelism: 2,
    fdLimit: 16_384,
    maxReconnectDelay: 1_000_000_000n,
  })
}
