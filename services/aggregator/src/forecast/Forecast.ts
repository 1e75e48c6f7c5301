import type { Aggregator } from '@firn/aggregation'
import { Bytes, Hex, Id } from '@firn/codec'
import type { Clock, Logger } from '@firn/runtime'
import { LRUCache } from 'lru-cache'
import { Gauge, type Registry } from 'prom-client'
import type { AllowList } from '../callers/AllowList.ts'
import { createMemo, withPatience } from '../internal/flights.ts'
import { isUpstreamError } from '../p-chain/Heights.ts'
import type { CurrentValidator, PChain } from '../p-chain/PChain.ts'
import type { Subnets } from '../p-chain/Subnets.ts'
import type { SetAtHeight, ValidatorSets } from '../p-chain/ValidatorSets.ts'
import { percentage } from '../peers/ConnectedWeight.ts'
import type { Connections } from '../peers/Connections.ts'
import type { PeerNetwork } from '../peers/PeerNetwork.ts'
import type { Tracked } from '../peers/Tracking.ts'
import * as QuorumForecast from './QuorumForecast.ts'

/** Quorum percentage of the metrics, which is the quorum that the P-chain requires. */
const METRIC_QUORUM = 67
/** Time in milliseconds for which a forecast waits for connections to a subnet that was not requested before. */
const PATIENCE_MS = 2_000
/** Time in milliseconds for which a request for signatures waits for upcoming changes. */
const UPCOMING_PATIENCE_MS = 500
const CURRENT_TTL_MS = 30_000
/** As above, for the Primary Network, whose list of validators takes megabytes and changes slowly. */
const PRIMARY_TTL_MS = 600_000
/** Time in milliseconds until a failed query of current validators is repeated. */
const FAILED_TTL_MS = 2_000
const MAX_SUBNETS = 256

/** A forecast, and the validator set that it is about. */
export interface Assessment {
  readonly at: SetAtHeight
  readonly forecast: QuorumForecast.Forecast
}

/** Whether the validators of a subnet can reach a quorum, now and in the near future. */
export interface Forecast {
  /**
   * Returns the forecast for a subnet (32 bytes) with its validator set at the proposed height. Connects to the
   * validators, as a request for signatures does.
   * @throws AggregatorError
   */
  assess(subnetId: Uint8Array, quorumPercentage: number): Promise<Assessment>
  /**
   * Returns the forecast for the subnet whose validators sign the messages of a chain (32 bytes).
   * @throws AggregatorError
   */
  assessSigners(chainId: Uint8Array, quorumPercentage: number): Promise<Assessment>
  /** Returns the forecasts for all subnets to whose validators this service connects, from data in memory. */
  assessTracked(quorumPercentage: number): readonly Assessment[]
  /**
   * Returns the ends of stakes and balances of a subnet's validators (32 bytes) up to `until` (Unix seconds). Returns
   * none if the node API does not return them soon.
   */
  upcoming(subnetId: Uint8Array, until: bigint): Promise<readonly QuorumForecast.Event[]>
}

/** Options of {@link createForecast}. */
export interface ForecastDependencies {
  readonly validatorSets: ValidatorSets
  readonly connections: Pick<Connections, 'ready' | 'tracked'>
  readonly network: Pick<PeerNetwork, 'connection'>
  readonly aggregator: Pick<Aggregator, 'lately'>
  readonly pChain: Pick<PChain, 'currentValidators' | 'validatorFee'>
  readonly clock: Clock
  readonly register: Registry
  readonly log: Logger
  readonly subnets: Pick<Subnets, 'ofChain'>
  readonly allowList: AllowList
}

/** What the node API returned about a subnet; undefined members are unknown. */
interface Current {
  readonly validators: readonly CurrentValidator[] | undefined
  readonly fee: bigint | undefined
  /** Time of the query, in Unix seconds. */
  readonly at: bigint
  /** Time in milliseconds until the query is repeated. */
  readonly ttlMs: number
}

/** Creates the forecasts. Also registers metrics of the tracked subnets. */
export function createForecast(dependencies: ForecastDependencies): Forecast {
  const { validatorSets, connections, network, aggregator, subnets, clock, log, allowList } = dependencies
  const known = createMemo<Current>({ max: MAX_SUBNETS, clock, ttlMs: ({ ttlMs }) => ttlMs })
  const last = new LRUCache<string, Current>({ max: MAX_SUBNETS })
  const find = async (subnetId: Uint8Array) => {
    const name = Hex.encodeBare(subnetId)
    const current = await known.get(name, () => loadCurrent(dependencies, subnetId))
    if (current.validators !== undefined) last.set(name, current)
    return current
  }
  const forecast = ({ set }: SetAtHeight, quorumPercentage: number, current: Current | undefined) =>
    QuorumForecast.create({
      set,
      quorumPercentage,
      now: seconds(clock),
      connection: (nodeId) => network.connection(nodeId),
      lately: (publicKey) => aggregator.lately(publicKey),
      current: current?.validators,
      balancesAt: current?.at ?? seconds(clock),
      fee: current?.fee,
    })
  const forecastNow = (at: SetAtHeight, quorumPercentage: number) =>
    forecast(at, quorumPercentage, last.get(Hex.encodeBare(at.subnetId)))
  exposeForecasts(
    dependencies,
    (at) => forecastNow(at, METRIC_QUORUM),
    (subnetId) =>
      find(subnetId).catch((err) => log.error({ err }, 'cannot refresh the upcoming changes of validators')),
  )
  const assess: Forecast['assess'] = async (subnetId, quorumPercentage) => {
    allowList.assertSigningSubnet(subnetId)
    const at = await validatorSets.at(subnetId, 'proposed')
    const [current] = await Promise.all([
      find(subnetId),
      connections.ready(at, quorumPercentage, PATIENCE_MS),
    ])
    return { at, forecast: forecast(at, quorumPercentage, current) }
  }
  return {
    assess,
    assessSigners: async (chainId, quorumPercentage) => {
      allowList.assertSourceChain(chainId)
      return assess(await subnets.ofChain(chainId), quorumPercentage)
    },
    assessTracked: (quorumPercentage) =>
      connections.tracked().map(({ at }) => ({ at, forecast: forecastNow(at, quorumPercentage) })),
    upcoming: async (subnetId, until) => {
      const current = await withPatience(find(subnetId), undefined, UPCOMING_PATIENCE_MS, clock)
      if (current?.validators === undefined) return []
      const { validators, at, fee } = current
      const events = validators.flatMap((one) => QuorumForecast.eventOf(one, at, fee) ?? [])
      return events.filter((event) => event.at <= until)
    },
  }
}

/** Returns the current validators and their fee. What the node API does not return is undefined. */
async function loadCurrent(
  { pChain, clock, log }: ForecastDependencies,
  subnetId: Uint8Array,
): Promise<Current> {
  const unlessDown = async <T>(query: Promise<T>): Promise<T | undefined> => {
    try {
      return await query
    } catch (err) {
      if (!isUpstreamError(err)) throw err
      log.warn({ err, subnetId: Id.format(subnetId) }, 'cannot get the upcoming changes of validators')
      return undefined
    }
  }
  const at = seconds(clock)
  const validators = await unlessDown(pChain.currentValidators(subnetId))
  if (validators === undefined) return { validators, fee: undefined, at, ttlMs: FAILED_TTL_MS }
  const isL1 = validators.some(({ balance }) => balance !== undefined)
  const fee = isL1 ? await unlessDown(pChain.validatorFee()) : undefined
  return { validators, fee, at, ttlMs: Bytes.isZero(subnetId) ? PRIMARY_TTL_MS : CURRENT_TTL_MS }
}

/**
 * Registers the metrics. `refresh` starts to update the upcoming changes of a subnet, so that the
 * next collection uses it.
 */
function exposeForecasts(
  { connections, clock, register }: ForecastDependencies,
  forecast: (at: SetAtHeight) => QuorumForecast.Forecast,
  refresh: (subnetId: Uint8Array) => Promise<unknown>,
): void {
  const expose = (name: string, help: string, measure: (tracked: Tracked) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ['subnetID'],
      registers: [register],
      collect() {
        this.reset()
        for (const tracked of connections.tracked()) {
          const value = measure(tracked)
          if (value !== undefined) this.set({ subnetID: Id.format(tracked.at.subnetId) }, value)
        }
      },
    })
  expose(
    'signature_aggregator_quorum_margin_percentage',
    'Percentage of a subnet’s weight by which connected validators without recent failures exceed 67 %; negative if they cannot reach it',
    ({ at }) => {
      const { margin, totalWeight } = forecast(at)
      return percentage(margin, totalWeight)
    },
  )
  expose(
    'signature_aggregator_quorum_loss_seconds',
    'Seconds until the first known change of the validator set (end of a stake, L1 balance that runs out) after which 67 % of the weight cannot sign; 0 if it cannot now, absent if no such change is known. Only of --tracked-subnet-ids',
    ({ at, isConfigured }) => {
      if (!isConfigured || Bytes.isZero(at.subnetId)) return undefined
      void refresh(at.subnetId)
      const { margin, loss } = forecast(at)
      if (margin < 0n) return 0
      return loss === undefined ? undefined : Math.max(0, Number(loss.at - seconds(clock)))
    },
  )
}

/** Returns the time in Unix seconds. */
function seconds(clock: Clock): bigint {
  return BigInt(Math.floor(clock.now() / 1_000))
}
