import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { BoundPort } from '@firn/http'
import type { Peer } from '@firn/p2p'
import { type Logger, type Owner, withOwner } from '@firn/runtime'
import { Stakers, type Store } from '@firn/store'
import type { DestinationStream } from 'pino'
import { createLoggers, type NodeLoggers } from './admin/PinoLoggers.ts'
import type { Configuration } from './Configuration.ts'
import * as IndexKeeper from './containers/IndexKeeper.ts'
import * as IndexStateFile from './containers/IndexStateFile.ts'
import * as Database from './Database.ts'
import * as ConfiguredIdentity from './identity/ConfiguredIdentity.ts'
import type * as OwnIdentity from './identity/OwnIdentity.ts'
import { createNode, HTTP_FLAGS, type Node } from './Node.ts'
import { configuredUpstream } from './NodeContext.ts'
import type { NodeOptions } from './NodeOptions.ts'
import * as Parts from './Parts.ts'
import * as ConfiguredPeers from './peers/ConfiguredPeers.ts'
import * as FollowedPeers from './peers/FollowedPeers.ts'
import type { OwnPeers } from './peers/OwnPeers.ts'

/** Options of {@link openService}. */
export interface ServiceOptions
  extends Pick<
    NodeOptions,
    | 'local'
    | 'checks'
    | 'connectionLimits'
    | 'registries'
    | 'parts'
    | 'isBootstrapped'
    | 'issuer'
    | 'now'
    | 'random'
    | 'fetch'
  > {
  readonly configuration: Configuration
  /**
   * Returns the connections through which this process follows the network. The Info API reports them unless the
   * configuration enables own peers.
   */
  readonly connections?: (() => readonly Peer[]) | undefined
  /** A filled store. The caller must close it. By default, the configured database is opened. */
  readonly store?: Store
  /** Loggers of the process. The caller must close them. By default, the configured loggers are created. */
  readonly loggers?: NodeLoggers
  /** Stream to which displayed log lines are written. */
  readonly display: DestinationStream
  /** A bound port on which the server listens, instead of the configured address. */
  readonly port?: BoundPort.BoundPort
}

/** A node API that listens, with the resources that it must close. */
export interface Service {
  readonly node: Node
  readonly url: string
  close(): Promise<void>
}

/** Creates the configured loggers. */
export function openLoggers(
  configuration: Configuration,
  display: DestinationStream,
  now = Date.now,
): NodeLoggers {
  const { logDir: folder, logLevel, logDisplayLevel } = configuration
  const levels = { logLevel, displayLevel: logDisplayLevel ?? logLevel }
  return createLoggers({ folder, levels, display, now })
}

/**
 * Binds the port, opens the configured resources and starts to serve. If a step fails, the resources from
 * earlier steps are closed.
 * @throws HttpError `HTTP_PORT`; NodeError with any code; StoreError
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { httpHost: host, httpPort } = options.configuration
  return BoundPort.use(options.port ?? httpPort, { host, ...HTTP_FLAGS }, (port) =>
    withOwner((owner) => start(options, port, owner)),
  )
}

async function start(options: ServiceOptions, port: BoundPort.BoundPort, owner: Owner): Promise<Service> {
  const { configuration, now = Date.now } = options
  mkdirSync(configuration.dataDir, { recursive: true, mode: 0o750 })
  const loggers = options.loggers ?? owner.own(openLoggers(configuration, options.display, now))
  const log = loggers.get('main')
  const identity = await ConfiguredIdentity.load(configuration)
  const store = options.store ?? owner.own(await Database.openFilled(configuration, log))
  const keeper = owner.own(await openKeeper(configuration, store, log))
  const peers = owner.own(await peersOf(options, identity, store, loggers))
  const given = peers === undefined ? {} : { peers }
  const node = owner.own(await createNode({ ...options, store, identity, loggers, keeper, ...given }))
  const url = await node.listen(port)
  log.info({ url, network: node.context.constants.name }, 'listening')
  return { node, url, close: owner.close }
}

async function openKeeper(
  { dataDir, indexEnabled: enabled, indexAllowIncomplete: allowIncomplete }: Configuration,
  store: Store,
  log: Logger,
): Promise<IndexKeeper.IndexKeeper> {
  // A data folder can contain several networks, each with a separate index.
  const folder = join(dataDir, 'index', store.schema)
  await IndexStateFile.move(dataDir, folder)
  return IndexKeeper.open({ enabled, allowIncomplete, folder, store, log })
}

async function peersOf(
  { configuration, connections, fetch: given = fetch }: ServiceOptions,
  identity: OwnIdentity.OwnIdentity,
  store: Store,
  loggers: NodeLoggers,
): Promise<OwnPeers | undefined> {
  const network = await store.network()
  if (network === undefined) return undefined
  const validators = async () => {
    const { P } = await store.snapshot()
    return (await Stakers.primaryValidators(store, P.height)).map(({ nodeId }) => nodeId)
  }
  const log = loggers.get('main')
  if (connections !== undefined && !configuration.networkPeersEnabled) {
    const { nodeId } = identity
    const uptimesFile = join(configuration.dataDir, 'uptimes.json')
    return FollowedPeers.start({ connections, nodeId, validators, uptimesFile, log })
  }
  return ConfiguredPeers.start({
    configuration,
    networkId: network.constants.networkId,
    identity: identity.peer,
    validators,
    upstream: configuredUpstream(configuration, given),
    trackedSubnets: Parts.trackedSubnets(configuration),
    log,
  })
}
