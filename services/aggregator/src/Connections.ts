import type { Clock, Transport, TransportRequest } from '@firn/aggregation'
import { Bytes, Hex, Id } from '@firn/codec'
import { type AppAnswer, type Counters, Endpoint, HandlerPrefix } from '@firn/p2p'
import { Quorum, type ValidatorSet } from '@firn/warp'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Logger } from './internal/Logger.ts'
import type { PChain } from './PChain.ts'
import type { SetAtHeight, ValidatorSets } from './ValidatorSets.ts'

const POLL_MS = 25
/** Subnets that requests brought in, beside the configured ones; the longest unused goes first. */
const MAX_ON_DEMAND = 64
/** Node ids asked for in one call of `info.peers`. */
const PEERS_BATCH = 1000

/** The part of a p2p network that is used here. */
export interface PeerNetwork {
  track(nodeIds: Iterable<Uint8Array>): void
  untrack(nodeIds: Iterable<Uint8Array>): void
  addEndpoint(nodeId: Uint8Array, endpoint: Endpoint.Endpoint): void
  connection(nodeId: Uint8Array): { readonly state: string; readonly reason?: string }
  request(
    nodeId: Uint8Array,
    request: { readonly chainId: Uint8Array; readonly bytes: Uint8Array; readonly deadlineMs: number },
    signal?: AbortSignal,
  ): Promise<AppAnswer>
  /** What was seen on all connections so far. */
  readonly counters: Readonly<Counters>
}

/** How much of a subnet's weight can be asked now. */
export interface ConnectedWeight {
  readonly subnetId: Uint8Array
  readonly connected: bigint
  readonly total: bigint
  readonly validators: number
  readonly connectedValidators: number
  /** The Primary Network, or a subnet that was configured rather than asked for. */
  readonly isConfigured: boolean
}

/** Connections to the validators of the Primary Network and of the signing subnets. */
export interface Connections {
  /** Connects to the Primary Network and the configured subnets and keeps that up until `close`. Resolves after the first look. */
  start(): Promise<void>
  /**
   * Connects to the validators of a set. From the first time on that its subnet is seen they get a bounded time to connect;
   * resolves when `percentage` of the weight is connected, or when that time or `patienceMs` is over.
   */
  ready(at: SetAtHeight, percentage: number, patienceMs: number, signal?: AbortSignal): Promise<void>
  /** The way to the validators for an aggregator. */
  readonly transport: Transport
  /** One entry per subnet seen so far. */
  weights(): readonly ConnectedWeight[]
  close(): void
}

/** What {@link createConnections} takes. */
export interface ConnectionsDependencies {
  readonly network: PeerNetwork
  readonly pChain: Pick<PChain, 'peers'>
  readonly validatorSets: ValidatorSets
  readonly clock: Clock.Clock
  readonly log: Logger
  readonly register: Registry
  /** Subnets (32 bytes each) to connect to at start, beside the Primary Network. */
  readonly trackedSubnets: readonly Uint8Array[]
  readonly manualPeers: readonly { readonly nodeId: Uint8Array; readonly endpoint: Endpoint.Endpoint }[]
  readonly allowPrivate: boolean
  readonly connectTimeoutMs: number
  readonly refreshMs: number
}

interface Tracked {
  at: SetAtHeight
  /** When the subnet was first seen, which starts the time to connect. */
  readonly since: number
  readonly isConfigured: boolean
}

/** Returns connections that are not made yet. */
export function createConnections(dependencies: ConnectionsDependencies): Connections {
  const { network, validatorSets, clock, log, manualPeers, trackedSubnets } = dependencies
  const configured = [Id.EMPTY, ...trackedSubnets.filter((subnet) => !Bytes.isZero(subnet))]
  const subnets = new Map<string, Tracked>()
  const closing = new AbortController()
  const track = createTracking(dependencies, subnets, configured)
  const findAddresses = createAddressBook(dependencies)
  measure(dependencies, subnets)
  countEvents(dependencies)

  const refreshOne = async (subnetId: Uint8Array) => {
    try {
      const at = await validatorSets.at(subnetId, 'proposed', closing.signal)
      track(at)
      await findAddresses(at.set, closing.signal)
    } catch (error) {
      if (!closing.signal.aborted)
        log.warn({ err: error, subnetId: Id.format(subnetId) }, 'validators not refreshed')
    }
  }
  const refresh = () => Promise.all(subnetIds(configured, subnets).map(refreshOne))
  const loop = async () => {
    while (!closing.signal.aborted) {
      await clock.sleep(dependencies.refreshMs, closing.signal)
      await refresh()
    }
  }
  return {
    start: async () => {
      for (const { nodeId, endpoint } of manualPeers) network.addEndpoint(nodeId, endpoint)
      network.track(manualPeers.map(({ nodeId }) => nodeId))
      await refresh()
      loop().catch((error) => {
        if (!closing.signal.aborted) log.error({ err: error }, 'the refresh of validators ended')
      })
    },
    ready: async (at, percentage, patienceMs, signal) => {
      const { since, isNew } = track(at)
      const weightNow = () => connectedWeight(network, at).connected
      const needed = Quorum.needed(at.set.totalWeight, percentage)
      if (weightNow() >= needed) return
      if (isNew)
        void findAddresses(at.set, closing.signal).catch((err) =>
          log.warn({ err }, 'addresses of validators not found'),
        )
      const end = Math.min(since + dependencies.connectTimeoutMs, clock.now() + patienceMs)
      while (clock.now() < end && weightNow() < needed) await clock.sleep(POLL_MS, signal)
    },
    transport: createTransport(dependencies),
    weights: () =>
      [...subnets.values()].map((tracked) => ({
        ...connectedWeight(network, tracked.at),
        isConfigured: tracked.isConfigured,
      })),
    close: () => closing.abort(),
  }
}

function subnetIds(
  configured: readonly Uint8Array[],
  subnets: ReadonlyMap<string, Tracked>,
): readonly Uint8Array[] {
  const names = new Set([...configured.map(Hex.encodeBare), ...subnets.keys()])
  return [...names].map(Hex.decodeBare)
}

/** Remembers the newest set of a subnet and keeps the network's wishes equal to the union of all sets. */
function createTracking(
  { network, clock, manualPeers }: ConnectionsDependencies,
  subnets: Map<string, Tracked>,
  configured: readonly Uint8Array[],
) {
  const permanent = new Set(configured.map(Hex.encodeBare))
  const manual = new Set(manualPeers.map(({ nodeId }) => Hex.encodeBare(nodeId)))
  const uses = new Map<string, number>()
  const want = (set: ValidatorSet.ValidatorSet) => {
    for (const name of namesOf(set)) uses.set(name, (uses.get(name) ?? 0) + 1)
    network.track(nodesOf(set))
  }
  const unwant = (set: ValidatorSet.ValidatorSet) => {
    const unused: Uint8Array[] = []
    for (const nodeId of nodesOf(set)) {
      const name = Hex.encodeBare(nodeId)
      const left = (uses.get(name) ?? 1) - 1
      if (left > 0) uses.set(name, left)
      else uses.delete(name)
      if (left <= 0 && !manual.has(name)) unused.push(nodeId)
    }
    network.untrack(unused)
  }
  const evict = () => {
    const onDemand = [...subnets].filter(([, tracked]) => !tracked.isConfigured)
    const [oldest] = onDemand
    if (onDemand.length <= MAX_ON_DEMAND || oldest === undefined) return
    subnets.delete(oldest[0])
    unwant(oldest[1].at.set)
  }
  return (at: SetAtHeight): { readonly since: number; readonly isNew: boolean } => {
    const name = Hex.encodeBare(at.subnetId)
    const before = subnets.get(name)
    const since = before?.since ?? clock.now()
    const isNewer = before === undefined || at.height > before.at.height
    /** Deleting first moves the subnet to the end of the map, which makes the map's order one of use. */
    subnets.delete(name)
    subnets.set(name, { at: isNewer ? at : before.at, since, isConfigured: permanent.has(name) })
    if (isNewer) want(at.set)
    if (isNewer && before !== undefined) unwant(before.at.set)
    evict()
    return { since, isNew: before === undefined }
  }
}

/** Asks the node API for addresses of those validators that are not connected, and gives them to the network. */
function createAddressBook({ network, pChain, log, allowPrivate }: ConnectionsDependencies) {
  return async (set: ValidatorSet.ValidatorSet, signal: AbortSignal): Promise<void> => {
    const missing = nodesOf(set).filter((nodeId) => network.connection(nodeId).state !== 'connected')
    let found = 0
    for (let start = 0; start < missing.length; start += PEERS_BATCH) {
      for (const { nodeId, address } of await pChain.peers(
        missing.slice(start, start + PEERS_BATCH),
        signal,
      )) {
        const endpoint = endpointOf(address)
        if (endpoint === undefined || (!allowPrivate && Endpoint.isPrivate(endpoint.host))) continue
        network.addEndpoint(nodeId, endpoint)
        found++
      }
    }
    log.debug({ missing: missing.length, found }, 'looked for addresses of validators')
  }
}

/** Nodes that announce no address show port 0 or an empty text. */
function endpointOf(address: string): Endpoint.Endpoint | undefined {
  try {
    const endpoint = Endpoint.parse(address)
    return endpoint.port === 0 ? undefined : endpoint
  } catch {
    return undefined
  }
}

function createTransport({ network, register }: ConnectionsDependencies): Transport {
  const registers = [register]
  const requests = new Counter({
    name: 'signature_aggregator_app_request_count',
    help: 'Signature requests sent to validators',
    registers,
  })
  const answers = new Counter({
    name: 'signature_aggregator_app_answers_total',
    help: 'What came of the signature requests: response, error, timeout, disconnected',
    labelNames: ['kind'],
    registers,
  })
  /** The same body goes to many nodes; one prefixed copy lets the network encode it once too. */
  const prefixed = new WeakMap<Uint8Array, Uint8Array>()
  const withPrefix = (body: Uint8Array): Uint8Array => {
    const known = prefixed.get(body) ?? HandlerPrefix.prepend(HandlerPrefix.SIGNATURE_REQUEST, body)
    prefixed.set(body, known)
    return known
  }
  return {
    request: async (
      nodeId: Uint8Array,
      { chainId, bytes, deadlineMs }: TransportRequest,
      signal: AbortSignal,
    ) => {
      requests.inc()
      const answer = await network.request(nodeId, { chainId, bytes: withPrefix(bytes), deadlineMs }, signal)
      answers.inc({ kind: answer.kind })
      return answer
    },
    connection: (nodeId) => {
      const { state, reason = 'no address known' } = network.connection(nodeId)
      return state === 'connected'
        ? { connected: true }
        : { connected: false, reason, pending: state === 'connecting' }
    },
  }
}

function measure(
  { network, register }: ConnectionsDependencies,
  subnets: ReadonlyMap<string, Tracked>,
): void {
  new Gauge({
    name: 'signature_aggregator_connected_stake_weight_percentage',
    help: 'Percentage of a subnet’s weight that is connected',
    labelNames: ['subnetID'],
    registers: [register],
    collect() {
      this.reset()
      for (const { at } of subnets.values()) {
        const { connected, total } = connectedWeight(network, at)
        this.set({ subnetID: Id.format(at.subnetId) }, percentage(connected, total))
      }
    },
  })
}

function countEvents({ network, register }: ConnectionsDependencies): void {
  new Counter({
    name: 'signature_aggregator_p2p_events_total',
    help: 'What was seen on the connections to validators',
    labelNames: ['event'],
    registers: [register],
    collect() {
      this.reset()
      for (const [event, count] of Object.entries(network.counters)) this.inc({ event }, count)
    },
  })
}

/** `part` of `total` in percent with two decimals, rounded down. */
export function percentage(part: bigint, total: bigint): number {
  return total === 0n ? 0 : Number((part * 10_000n) / total) / 100
}

function connectedWeight(
  network: PeerNetwork,
  { subnetId, set }: SetAtHeight,
): Omit<ConnectedWeight, 'isConfigured'> {
  let connected = 0n
  let connectedValidators = 0
  for (const { nodeIds, weight } of set.validators) {
    if (!nodeIds.some((nodeId) => network.connection(nodeId).state === 'connected')) continue
    connected += weight
    connectedValidators++
  }
  const validators = set.validators.length
  return { subnetId, connected, total: set.totalWeight, validators, connectedValidators }
}

function nodesOf(set: ValidatorSet.ValidatorSet): readonly Uint8Array[] {
  return set.validators.flatMap(({ nodeIds }) => nodeIds)
}

function namesOf(set: ValidatorSet.ValidatorSet): readonly string[] {
  return nodesOf(set).map(Hex.encodeBare)
}
