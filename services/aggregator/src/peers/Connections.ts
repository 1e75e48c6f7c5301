import type { Transport } from '@firn/aggregation'
import { Bytes, Hex, Id } from '@firn/codec'
import type { Endpoint } from '@firn/p2p'
import { type Clock, type Logger, supervise } from '@firn/runtime'
import { Quorum } from '@firn/warp'
import { Gauge, type Registry } from 'prom-client'
import type { PChain } from '../p-chain/PChain.ts'
import type { SetAtHeight, ValidatorSets } from '../p-chain/ValidatorSets.ts'
import { createAddressBook } from './AddressBook.ts'
import * as ConnectedWeight from './ConnectedWeight.ts'
import type { PeerNetwork } from './PeerNetwork.ts'
import type { RecentlyLost } from './RecentlyLost.ts'
import { createTracking, nodesOf, type Tracked, type Tracking } from './Tracking.ts'
import { createTransport } from './ValidatorTransport.ts'

const POLL_MS = 25
/** Time between two searches for validators that are not connected, in milliseconds. */
const SEARCH_MS = 500

/** Connected weight of a subnet, and whether the subnet is configured or a request added it. */
export interface SubnetWeight extends ConnectedWeight.ConnectedWeight {
  readonly isConfigured: boolean
}

/** Connections to the validators of the Primary Network and of the signing subnets. */
export interface Connections {
  /**
   * Connects to the Primary Network and the configured subnets, and keeps these connections open until
   * `close` is called. Resolves after the first refresh.
   */
  start(): Promise<void>
  /**
   * Connects to the validators of a set. Resolves when `percentage` of the weight is connected, when
   * `connectTimeoutMs` have passed since the subnet was first seen, or when `patienceMs` have passed since the call.
   * Resolves at once if the validators with a BLS key have less than `percentage` of the weight.
   */
  ready(at: SetAtHeight, percentage: number, patienceMs: number, signal?: AbortSignal): Promise<void>
  /** The transport that sends signature requests to the validators. */
  readonly transport: Transport
  /** Returns every tracked subnet with its newest known validator set. */
  tracked(): readonly Tracked[]
  /** Returns the connected weight of every tracked subnet. */
  weights(): readonly SubnetWeight[]
  close(): void
}

/** Options of {@link createConnections}. */
export interface ConnectionsDependencies {
  readonly network: PeerNetwork
  readonly recentlyLost: Pick<RecentlyLost, 'has'>
  readonly pChain: Pick<PChain, 'peers'>
  readonly validatorSets: ValidatorSets
  readonly clock: Clock
  readonly log: Logger
  readonly register: Registry
  /** Ids of the subnets (32 bytes each) to connect to at the start, in addition to the Primary Network. */
  readonly trackedSubnets: readonly Uint8Array[]
  readonly manualPeers: readonly { readonly nodeId: Uint8Array; readonly endpoint: Endpoint.Endpoint }[]
  readonly allowPrivate: boolean
  readonly connectTimeoutMs: number
  readonly refreshMs: number
  /** Time between two updates of the validator sets, in milliseconds; `refreshMs` by default. */
  readonly updateMs?: number
  /** Returns whether validator sets can be updated now; by default they always can. */
  readonly canUpdate?: () => boolean
}

/** Creates the connections. None of them is opened before `start` is called. */
export function createConnections(dependencies: ConnectionsDependencies): Connections {
  const { network, clock, log, manualPeers, trackedSubnets } = dependencies
  const { refreshMs, updateMs = refreshMs, canUpdate = () => true } = dependencies
  const configured = [Id.EMPTY, ...trackedSubnets.filter((subnet) => !Bytes.isZero(subnet))]
  const closing = new AbortController()
  const tracking = createTracking({
    ...dependencies,
    configured,
    permanentNodes: manualPeers.map(({ nodeId }) => nodeId),
  })
  const findAddresses = createAddressBook(dependencies)
  exposeWeights(dependencies, tracking)

  const search = async (at: SetAtHeight) => {
    try {
      await findAddresses(nodesOf(at.set), closing.signal)
    } catch (err) {
      if (!closing.signal.aborted) log.warn({ err }, 'cannot find addresses of validators')
    }
  }
  const refreshAll = createRefresh(dependencies, tracking, configured, search, closing.signal)
  const refresh = async () => {
    if (canUpdate()) await refreshAll()
  }
  const searchAll = () => {
    for (const { at } of tracking.subnets()) void search(at)
  }
  const every = (ms: number, act: () => unknown, effect: string) => {
    const step = async () => {
      await clock.sleep(ms, closing.signal)
      await act()
    }
    return supervise(step, { effect, clock, random: Math.random, log }, closing.signal)
  }
  return {
    start: async () => {
      for (const { nodeId, endpoint } of manualPeers) network.addEndpoint(nodeId, endpoint)
      await refresh()
      void every(updateMs, refresh, 'validator sets are not refreshed')
      void every(SEARCH_MS, searchAll, 'addresses of validators are not searched')
    },
    ready: async (at, percentage, patienceMs, signal) => {
      const { since, isNew } = tracking.track(at)
      const weightNow = () => ConnectedWeight.measure(network, at).connected
      const needed = Quorum.needed(at.set.totalWeight, percentage)
      if (weightNow() >= needed) return
      if (isNew) void search(at)
      // If the validators with a BLS key cannot reach the quorum, waiting does not help.
      if (signableWeight(at) < needed) return
      const end = Math.min(since + dependencies.connectTimeoutMs, clock.now() + patienceMs)
      while (clock.now() < end && weightNow() < needed) await clock.sleep(POLL_MS, signal)
    },
    transport: createTransport(dependencies),
    tracked: tracking.subnets,
    weights: () =>
      tracking
        .subnets()
        .map(({ at, isConfigured }) => ({ ...ConnectedWeight.measure(network, at), isConfigured })),
    close: () => closing.abort(),
  }
}

function signableWeight({ set }: SetAtHeight): bigint {
  return set.validators.reduce((sum, { weight }) => sum + weight, 0n)
}

/**
 * Returns a function that updates the validator sets and addresses of all subnets. If an update fails for a
 * subnet, the subnet's previous set is kept.
 */
function createRefresh(
  { validatorSets, log }: ConnectionsDependencies,
  tracking: Tracking,
  configured: readonly Uint8Array[],
  search: (at: SetAtHeight) => Promise<void>,
  signal: AbortSignal,
): () => Promise<unknown> {
  const refreshOne = async (subnetId: Uint8Array) => {
    try {
      const at = await validatorSets.at(subnetId, 'proposed', signal)
      tracking.track(at)
      await search(at)
    } catch (err) {
      if (!signal.aborted) log.warn({ err, subnetId: Id.format(subnetId) }, 'cannot refresh the validators')
    }
  }
  return () => Promise.all(subnetIds(configured, tracking).map(refreshOne))
}

/** Returns the ids of the configured subnets and of the subnets that requests added. */
function subnetIds(configured: readonly Uint8Array[], tracking: Tracking): readonly Uint8Array[] {
  const names = new Set(
    [...configured, ...tracking.subnets().map(({ at }) => at.subnetId)].map(Hex.encodeBare),
  )
  return [...names].map(Hex.decodeBare)
}

function exposeWeights({ network, register }: ConnectionsDependencies, tracking: Tracking): void {
  new Gauge({
    name: 'signature_aggregator_connected_stake_weight_percentage',
    help: 'Percentage of a subnet’s weight that is connected',
    labelNames: ['subnetID'],
    registers: [register],
    collect() {
      this.reset()
      for (const { at } of tracking.subnets()) {
        const { connected, total } = ConnectedWeight.measure(network, at)
        this.set({ subnetID: Id.format(at.subnetId) }, ConnectedWeight.percentage(connected, total))
      }
    },
  })
}
