import type { Aggregator } from '@firn/aggregation'
import { Hex, Id } from '@firn/codec'
import type { Clock, Logger } from '@firn/runtime'
import { Gauge, type Registry } from 'prom-client'
import { percentage } from './ConnectedWeight.ts'
import type { Connections } from './Connections.ts'
import { isUpstreamError } from './Heights.ts'
import { createMemo } from './internal/flights.ts'
import type { CurrentValidator, PChain } from './PChain.ts'
import type { PeerNetwork } from './PeerNetwork.ts'
import * as QuorumForecast from './QuorumForecast.ts'
import { assertAllowed } from './Signatures.ts'
import type { SetAtHeight, ValidatorSets } from './ValidatorSets.ts'

/** Quorum percentage of the metric, which is the quorum that the P-chain requires. */
const METRIC_QUORUM = 67
/** Time in milliseconds for which a forecast waits for connections to a subnet that was not requested before. */
const PATIENCE_MS = 2_000
const CURRENT_TTL_MS = 30_000
/** Time in milliseconds until a failed query of current validators is repeated. */
const FAILED_TTL_MS = 2_000
const MAX_SUBNETS = 256

/** Whether the validators of a subnet can reach a quorum, now and in the near future. */
export interface Foresight {
  /**
   * Returns the forecast for a subnet (32 bytes) with its validator set at the proposed height. Connects to the
   * validators, as a request for signatures does.
   * @throws AggregatorError
   */
  assess(
    subnetId: Uint8Array,
    quorumPercentage: number,
  ): Promise<{ readonly at: SetAtHeight; readonly forecast: QuorumForecast.Forecast }>
}

/** Options of {@link createForesight}. */
export interface ForesightDependencies {
  readonly validatorSets: ValidatorSets
  readonly connections: Pick<Connections, 'ready' | 'sets'>
  readonly network: Pick<PeerNetwork, 'connection'>
  readonly aggregator: Pick<Aggregator, 'lately'>
  readonly pChain: Pick<PChain, 'currentValidators' | 'validatorFee'>
  readonly clock: Clock
  readonly register: Registry
  readonly log: Logger
  /** Ids of the subnets (32 bytes each) that may be queried. If empty, all subnets may be queried. */
  readonly allowedSubnets: readonly Uint8Array[]
}

/** What the node API returned about a subnet; undefined members are unknown. */
interface Current {
  readonly validators: readonly CurrentValidator[] | undefined
  readonly fee: bigint | undefined
}

/** Creates the forecasts. Also registers a metric with the margin of each tracked subnet. */
export function createForesight(dependencies: ForesightDependencies): Foresight {
  const { validatorSets, connections, network, aggregator, clock } = dependencies
  const allowed = new Set(dependencies.allowedSubnets.map(Hex.encodeBare))
  const known = createMemo<Current>({
    max: MAX_SUBNETS,
    clock,
    ttlMs: ({ validators }) => (validators === undefined ? FAILED_TTL_MS : CURRENT_TTL_MS),
  })
  const forecast = ({ set }: SetAtHeight, quorumPercentage: number, current: Current | undefined) =>
    QuorumForecast.create({
      set,
      quorumPercentage,
      now: BigInt(Math.floor(clock.now() / 1_000)),
      connection: (nodeId) => network.connection(nodeId),
      lately: (publicKey) => aggregator.lately(publicKey),
      current: current?.validators,
      fee: current?.fee,
    })
  exposeMargins(dependencies, (at) => forecast(at, METRIC_QUORUM, known.peek(Hex.encodeBare(at.subnetId))))
  return {
    assess: async (subnetId, quorumPercentage) => {
      assertAllowed(allowed, subnetId)
      const at = await validatorSets.at(subnetId, 'proposed')
      const load = () => loadCurrent(dependencies, subnetId)
      const [current] = await Promise.all([
        known.get(Hex.encodeBare(subnetId), load),
        connections.ready(at, quorumPercentage, PATIENCE_MS),
      ])
      return { at, forecast: forecast(at, quorumPercentage, current) }
    },
  }
}

/** Returns the current validators and their fee. What the node API does not return is undefined. */
async function loadCurrent({ pChain, log }: ForesightDependencies, subnetId: Uint8Array): Promise<Current> {
  const unlessDown = async <T>(query: Promise<T>): Promise<T | undefined> => {
    try {
      return await query
    } catch (err) {
      if (!isUpstreamError(err)) throw err
      log.warn({ err, subnetId: Id.format(subnetId) }, 'cannot get the upcoming changes of validators')
      return undefined
    }
  }
  const validators = await unlessDown(pChain.currentValidators(subnetId))
  const isL1 = validators?.some(({ balance }) => balance !== undefined) === true
  return { validators, fee: isL1 ? await unlessDown(pChain.validatorFee()) : undefined }
}

function exposeMargins(
  { connections, register }: ForesightDependencies,
  forecast: (at: SetAtHeight) => QuorumForecast.Forecast,
): void {
  new Gauge({
    name: 'signature_aggregator_quorum_margin_percentage',
    help: 'Percentage of a subnet’s weight by which connected validators without recent failures exceed 67 %; negative if they cannot reach it',
    labelNames: ['subnetID'],
    registers: [register],
    collect() {
      this.reset()
      for (const at of connections.sets()) {
        const { margin, totalWeight } = forecast(at)
        this.set({ subnetID: Id.format(at.subnetId) }, percentage(margin, totalWeight))
      }
    },
  })
}
