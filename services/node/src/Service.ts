import { createPrivateKey } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SecretKey } from '@firn/bls'
import { StakingCertificate } from '@firn/keys'
import type { Store } from '@firn/store'
import type { DestinationStream } from 'pino'
import { createLoggers, type NodeLoggers } from './admin/PinoLoggers.ts'
import * as Chains from './Chains.ts'
import { wrong } from './configuration/Layers.ts'
import type { Configuration } from './configuration/Options.ts'
import * as IndexKeeper from './containers/IndexKeeper.ts'
import * as Database from './Database.ts'
import * as OwnIdentity from './identity/OwnIdentity.ts'
import { createNode, type Node, type NodeOptions } from './Node.ts'
import * as Parts from './Parts.ts'
import * as OwnPeers from './peers/OwnPeers.ts'
import * as UpstreamPeers from './peers/UpstreamPeers.ts'
import { createUpstream } from './Upstream.ts'

/** What a whole service may be given. */
export interface ServiceOptions
  extends Pick<NodeOptions, 'checks' | 'registries' | 'isBootstrapped' | 'now' | 'random' | 'fetch'> {
  readonly configuration: Configuration
  /** Filled, and closed by its owner; the one of the configuration if not given. */
  readonly store?: Store
  /** The loggers to use, closed by their owner; those of the configuration if not given. */
  readonly loggers?: NodeLoggers
  /** Where log lines are displayed. */
  readonly display: DestinationStream
}

/** A node face that listens, with everything that it owns. */
export interface Service {
  readonly node: Node
  readonly url: string
  close(): Promise<void>
}

/** Returns the loggers of a configuration. */
export function openLoggers(
  configuration: Configuration,
  display: DestinationStream,
  now = Date.now,
): NodeLoggers {
  const { logDir: folder, logLevel, logDisplayLevel } = configuration
  const levels = { logLevel, displayLevel: logDisplayLevel === '' ? logLevel : logDisplayLevel }
  return createLoggers({ folder, levels, display, now })
}

/**
 * Opens what the configuration names, and listens. What was opened is closed when a later step fails.
 * @throws NodeError any code; StoreError
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const one of closers.splice(0).reverse()) await one()
  }
  try {
    const node = await assemble(options, (closer) => closers.push(closer))
    const url = await node.listen()
    node.context.log.info({ url, network: node.context.constants.name }, 'listening')
    return { node, url, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function assemble(options: ServiceOptions, own: (closer: () => unknown) => void): Promise<Node> {
  const { configuration, now = Date.now } = options
  mkdirSync(configuration.dataDir, { recursive: true, mode: 0o750 })
  const loggers = options.loggers ?? openLoggers(configuration, options.display, now)
  if (options.loggers === undefined) own(() => loggers.close())
  const log = loggers.get('main')
  const identity = await identityOf(configuration)
  const store = options.store ?? (await Database.openFilled(configuration, log))
  if (options.store === undefined) own(() => store.close())
  const keeper = await IndexKeeper.open({
    enabled: configuration.indexEnabled,
    allowIncomplete: configuration.indexAllowIncomplete,
    folder: configuration.dataDir,
    store,
    log,
  })
  own(() => keeper.close())
  const peers = await peersOf(options, identity, store, loggers)
  if (peers !== undefined) own(() => peers.close())
  const node = await createNode({
    ...options,
    store,
    identity,
    loggers,
    keeper,
    ...(peers === undefined ? {} : { peers }),
  })
  own(() => node.close())
  return node
}

/** @throws NodeError `NODE_CONFIGURATION` */
function identityOf(
  configuration: Configuration,
): Promise<OwnIdentity.OwnIdentity> | OwnIdentity.OwnIdentity {
  const { stakingTlsKeyFileContent, stakingTlsCertFileContent, stakingSignerKeyFileContent } = configuration
  if (configuration.stakingEphemeralCertEnabled) return OwnIdentity.create()
  const contents = [stakingTlsKeyFileContent, stakingTlsCertFileContent, stakingSignerKeyFileContent]
  if (contents.every((content) => content === '')) {
    return OwnIdentity.load({
      key: configuration.stakingTlsKeyFile,
      certificate: configuration.stakingTlsCertFile,
      signer: configuration.stakingSignerKeyFile,
    })
  }
  if (contents.includes(''))
    throw wrong('staking-*-file-content: expected all three of key, certificate and signer, or none')
  try {
    const [key, certificate, signer] = contents.map((content) => Buffer.from(content, 'base64')) as Buffer[]
    const privateKey = createPrivateKey(key as Buffer).export({ type: 'pkcs8', format: 'der' })
    return OwnIdentity.create({
      certificate: StakingCertificate.parsePem((certificate as Buffer).toString('utf8')).der,
      privateKey: new Uint8Array(privateKey),
      secretKey: SecretKey.decode(new Uint8Array(signer as Buffer)),
    })
  } catch (cause) {
    throw wrong(
      `staking-*-file-content: expected PEM, PEM and a BLS key in base64 (${(cause as Error).message})`,
      cause,
    )
  }
}

async function peersOf(
  { configuration, fetch: given = fetch }: ServiceOptions,
  identity: OwnIdentity.OwnIdentity,
  store: Store,
  loggers: NodeLoggers,
): Promise<OwnPeers.OwnPeers | undefined> {
  const { networkPeersEnabled, bootstrapIps, bootstrapIds, upstream: urls, upstreamTimeout } = configuration
  const bootstrap = UpstreamPeers.bootstrapNodes(bootstrapIps, bootstrapIds)
  if (bootstrap === undefined)
    throw wrong('bootstrap-ips and bootstrap-ids: expected as many addresses (address:port) as NodeIDs')
  const network = await store.network()
  if (!networkPeersEnabled || network === undefined) return undefined
  const upstream =
    urls.length === 0
      ? undefined
      : createUpstream({ urls, timeoutMs: upstreamTimeout, fetch: given, now: () => performance.now() })
  return OwnPeers.start({
    networkID: network.constants.networkID,
    identity: identity.peer,
    bootstrap,
    validators: async () => {
      const { P } = await store.snapshot()
      return (await Chains.primaryValidators(store, P.height)).map(({ nodeID }) => nodeID)
    },
    ...(upstream === undefined
      ? {}
      : { addresses: (nodeIDs, signal) => UpstreamPeers.addresses(upstream, nodeIDs, signal) }),
    trackedSubnets: Parts.trackedSubnets(configuration),
    uptimesFile: join(configuration.dataDir, 'uptimes.json'),
    log: loggers.get('main'),
  })
}
