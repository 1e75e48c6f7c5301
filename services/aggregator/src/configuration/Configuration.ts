import { Id, NodeId } from '@firn/codec'
import { TrustedProxies } from '@firn/http'
import { Layers, type Type, type Values } from '@firn/options'
import { Endpoint } from '@firn/p2p'
import { AggregatorError } from '../errors/AggregatorError.ts'
import { OPTIONS } from './Options.ts'
import { CHAIN_RPCS, type Peer, UPSTREAMS } from './UpstreamOptions.ts'

/** Values of all options. Durations are in milliseconds. */
export type Configuration = Values<typeof OPTIONS>

/**
 * Options as an embedding program passes them: all are optional, and upstreams may be URLs, objects, or lists of
 * these.
 */
type Given = Partial<Omit<Configuration, keyof typeof UPSTREAM_OPTIONS>> & {
  readonly [Name in keyof typeof UPSTREAM_OPTIONS]?: unknown
}

const UPSTREAM_OPTIONS: Readonly<
  Record<'pChainApi' | 'infoApi' | 'chainRpc', Pick<Type.Type<unknown>, 'fromJson' | 'expected'>>
> = { pChainApi: UPSTREAMS, infoApi: UPSTREAMS, chainRpc: CHAIN_RPCS }

/**
 * Returns a complete configuration. Options that are not given have their default values.
 * @throws AggregatorError `AGGREGATOR_CONFIGURATION`
 */
export function createConfiguration(given: Given = {}): Configuration {
  const upstreams = Object.fromEntries(
    (Object.keys(UPSTREAM_OPTIONS) as (keyof typeof UPSTREAM_OPTIONS)[])
      .filter((name) => given[name] !== undefined)
      .map((name) => {
        const type = UPSTREAM_OPTIONS[name]
        const read = type.fromJson(given[name])
        if (read === undefined) throw wrong(`${name}: expected ${type.expected}`)
        return [name, read]
      }),
  )
  const configuration = Layers.complete(OPTIONS, { ...given, ...upstreams } as Partial<Configuration>)
  try {
    check(configuration)
  } catch (cause) {
    throw wrong((cause as Error).message, cause)
  }
  return configuration
}

const MAX_TRACKED_SUBNETS = 1024

/** Throws if options contradict each other. */
export function check(configuration: Configuration): void {
  const { tlsCertPath, tlsKeyPath, trackedSubnetIds, pChainApi, agree, databaseUrl, chainRpc } = configuration
  const upstreams = Math.max(1, pChainApi.length)
  if (agree > upstreams) {
    throw wrong(`agree: expected at most the number of P-chain APIs (${upstreams}), got ${agree}`)
  }
  if ((tlsCertPath === '') !== (tlsKeyPath === '')) {
    throw wrong('tls-cert-path and tls-key-path: expected both or neither, got only one')
  }
  if (trackedSubnetIds.length > MAX_TRACKED_SUBNETS) {
    throw wrong(
      `tracked-subnet-ids: expected at most ${MAX_TRACKED_SUBNETS} subnets, got ${trackedSubnetIds.length}`,
    )
  }
  // The value is not repeated, because it may contain a password.
  if (databaseUrl !== undefined && !/^postgres(?:ql)?:\/\/./.test(databaseUrl)) {
    throw wrong('database-url: expected a URL such as postgres://user@host/name')
  }
  const chains = chainRpc.map(({ blockchainId }) => blockchainId)
  const repeated = chains.find((chain, index) => chains.indexOf(chain) !== index)
  if (repeated !== undefined)
    throw wrong(`chain-rpc: expected one URL for each chain, got several for ${repeated}`)
  TrustedProxies.create(configuration)
  identifiers(configuration)
}

/** The ids (32 bytes) and peers that a configuration contains as text. */
export interface Identifiers {
  readonly trackedSubnets: readonly Uint8Array[]
  readonly signingSubnets: readonly Uint8Array[]
  readonly sourceChains: readonly Uint8Array[]
  readonly manualPeers: readonly { readonly nodeId: Uint8Array; readonly endpoint: Endpoint.Endpoint }[]
}

/**
 * Decodes the ids and peers of a configuration.
 * @throws AggregatorError `AGGREGATOR_CONFIGURATION`
 */
export function identifiers(
  configuration: Pick<
    Configuration,
    'trackedSubnetIds' | 'allowedSubnetIds' | 'allowedSourceChainIds' | 'manuallyTrackedPeers'
  >,
): Identifiers {
  return {
    trackedSubnets: parseIds('tracked-subnet-ids', 'subnet', configuration.trackedSubnetIds),
    signingSubnets: parseIds('allowed-subnet-ids', 'subnet', configuration.allowedSubnetIds),
    sourceChains: parseIds('allowed-source-chain-ids', 'chain', configuration.allowedSourceChainIds),
    manualPeers: configuration.manuallyTrackedPeers.map(parsePeer),
  }
}

function parseIds(option: string, kind: 'subnet' | 'chain', texts: readonly string[]): readonly Uint8Array[] {
  return texts.map((text) => {
    try {
      return Id.parse(text)
    } catch (cause) {
      const reason = (cause as Error).message
      throw wrong(`${option}: expected ${kind} ids in cb58, got ${JSON.stringify(text)} (${reason})`, cause)
    }
  })
}

function parsePeer({ id, ip }: Peer): Identifiers['manualPeers'][number] {
  try {
    return { nodeId: NodeId.parse(id), endpoint: Endpoint.parse(ip) }
  } catch (cause) {
    const got = JSON.stringify({ id, ip })
    throw wrong(
      `manually-tracked-peers: expected id as NodeID-… and ip as address:port, got ${got} (${(cause as Error).message})`,
      cause,
    )
  }
}

/** Returns the error for an invalid configuration. */
export function wrong(message: string, cause?: unknown): AggregatorError {
  return new AggregatorError('AGGREGATOR_CONFIGURATION', message, { cause })
}
