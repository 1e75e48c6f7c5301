import {
  type AggregationResult,
  type Aggregator,
  Options,
  type Progress,
  type Report,
} from '@firn/aggregation'
import { Hex, Id } from '@firn/codec'
import type { Clock, Logger } from '@firn/runtime'
import type { Registry } from 'prom-client'
import type { AllowList } from '../callers/AllowList.ts'
import type { P2pBudget } from '../callers/P2pBudget.ts'
import * as DestinationSignatures from '../epochs/DestinationSignatures.ts'
import type { Epochs } from '../epochs/Epochs.ts'
import * as ErrorTable from '../errors/ErrorTable.ts'
import type { Forecast } from '../forecast/Forecast.ts'
import type { SeenSignatures } from '../forecast/SeenSignatures.ts'
import * as Admission from '../load/Admission.ts'
import type { Heights } from '../p-chain/Heights.ts'
import * as SigningSubnet from '../p-chain/SigningSubnet.ts'
import type { Subnets } from '../p-chain/Subnets.ts'
import type { SetAtHeight, ValidatorSets } from '../p-chain/ValidatorSets.ts'
import type { Connections } from '../peers/Connections.ts'
import type { AggregateRequest } from './AggregateRequest.ts'
import * as Message from './Message.ts'
import * as PeerRequest from './PeerRequest.ts'
import type { PlatformVerdict, Verdict } from './PlatformVerdict.ts'
import { explain, reportOf, setOf } from './Quorum.ts'
import { createSignatureMetrics } from './SignatureMetrics.ts'

/** A signed message, and the validator set whose members signed it. */
export interface Signed {
  readonly result: AggregationResult
  readonly at: SetAtHeight
  /** The signed messages for all heights that the destination may use; undefined without a destination. */
  readonly forDestination?: DestinationSignatures.DestinationSigned | undefined
}

/**
 * Fraction of a request's time that is reserved for the collection of signatures after the service has
 * connected.
 */
const CONNECT_RESERVE = 0.3

/** Maximum number of times that a destination's next epoch is followed. */
const MAX_EPOCHS = 2

/** Minimum time limit of all signatures for a destination's further heights together, in milliseconds. */
const CANDIDATES_MS = 5_000

/** The time limit of a request, the signal that aborts it, its logger, and its caller. */
export interface Limits {
  readonly deadlineMs: number
  readonly signal: AbortSignal
  readonly log: Logger
  /** Name of the caller whose budget is charged for requests to validators; undefined for no limit. */
  readonly caller?: string | undefined
  /** Whether the request belongs to a batch or job; see {@link Admission.Entrant}. */
  readonly isBatch?: boolean
  /** Called whenever the progress changes. */
  readonly onProgress?: (progress: Progress) => void
}

/**
 * Collects the signatures for a request. Determines the message, the subnet and the validators, connects to
 * the validators, and aggregates their signatures.
 */
export interface Signatures {
  /**
   * Returns the signed message for a request. Verifies it before returning it, in the same way as the
   * message's receiver does.
   * @throws AggregatorError, AggregationError
   */
  collect(request: AggregateRequest, limits: Limits): Promise<Signed>
}

/** Options of {@link createSignatures}. */
export interface SignaturesDependencies {
  readonly networkId: number
  readonly subnets: Subnets
  /** Judges messages of the P-chain. */
  readonly platform: PlatformVerdict
  readonly validatorSets: ValidatorSets
  readonly heights: Pick<Heights, 'proposed' | 'tip'>
  readonly epochs: Epochs
  readonly forecast: Pick<Forecast, 'upcoming'>
  readonly connections: Pick<Connections, 'ready'>
  readonly aggregator: Pick<Aggregator, 'plan' | 'aggregate'>
  readonly admission: Admission.Admission
  readonly clock: Clock
  readonly register: Registry
  readonly budget: P2pBudget
  /** Maximum time for collecting the signatures of one request, in milliseconds. */
  readonly collectTimeoutMs: number
  readonly allowList: AllowList
  /** Records the validators that have signed. */
  readonly seen: SeenSignatures
}

/** Creates the collector of signatures. */
export function createSignatures(dependencies: SignaturesDependencies): Signatures {
  const metrics = createSignatureMetrics(dependencies.register)
  const record: Record = (at, report) => {
    if (at === undefined || report === undefined) return
    metrics.count(report, at.subnetId)
    dependencies.seen.record(at, report)
  }
  return {
    collect: async (request, limits) => {
      const stop = metrics.start()
      try {
        if (limits.caller !== undefined) dependencies.budget.assertLeft(limits.caller)
        const end = dependencies.clock.now() + limits.deadlineMs
        let signed = await collectOnce(dependencies, request, end, limits, record)
        // If the destination's epoch has ended in the meantime, the cached signatures are used for the next one.
        const open = { ...dependencies, admission: Admission.OPEN }
        for (let again = 0; again < MAX_EPOCHS && (await hasMoved(signed, dependencies, limits)); again++)
          signed = await collectOnce(open, request, end, limits, record)
        stop('signed')
        return signed
      } catch (error) {
        record(setOf(error), reportOf(error))
        stop(ErrorTable.codeOf(error))
        throw error
      }
    },
  }
}

type Record = (at: SetAtHeight | undefined, report: Report | undefined) => void

async function collectOnce(
  dependencies: SignaturesDependencies,
  request: AggregateRequest,
  end: number,
  limits: Limits,
  record: Record,
): Promise<Signed> {
  const plan = await prepare(dependencies, request, end, limits)
  const signed = await aggregate(dependencies, request, plan, end, limits)
  record(signed.at, signed.result.report)
  const forDestination = await collectForDestination(dependencies, request, plan, signed, end, limits)
  return { ...signed, forDestination }
}

async function hasMoved(
  { forDestination }: Signed,
  dependencies: SignaturesDependencies,
  { signal }: Limits,
): Promise<boolean> {
  if (forDestination === undefined) return false
  return DestinationSignatures.hasMoved(forDestination.destination, dependencies, signal)
}

/** The message to sign, and the validators that sign it. */
interface Plan {
  readonly message: Message.Message
  readonly at: SetAtHeight
  readonly inactive: ReadonlySet<number>
  readonly verdict: Verdict
  readonly destination?: DestinationSignatures.DestinationHeights | undefined
}

async function prepare(
  dependencies: SignaturesDependencies,
  request: AggregateRequest,
  end: number,
  { signal }: Limits,
): Promise<Plan> {
  const { networkId, subnets, platform, validatorSets, connections, allowList } = dependencies
  const message = await Message.resolve(request, { networkId, subnets, signal })
  allowList.assertSourceChain(message.unsigned.sourceChainID)
  PeerRequest.assertFits(message.bytes, request.justification)
  const subnetId = await SigningSubnet.find(message.unsigned, request, subnets, signal)
  allowList.assertSigningSubnet(subnetId)
  const { destinationChain, quorumPercentage } = request
  const destination =
    destinationChain &&
    (await DestinationSignatures.findHeights(destinationChain, subnetId, dependencies, signal))
  const [at, verdict] = await Promise.all([
    destination?.current ?? validatorSets.at(subnetId, request.height, signal),
    platform.judge({
      message: message.unsigned,
      justification: request.justification,
      isForRefusal: request.waitMs !== undefined,
      signal,
    }),
  ])
  // New validators connect while the signatures for the current height are collected.
  if (destination !== undefined) await connections.ready(destination.newest, quorumPercentage, 0, signal)
  const inactive = await connect(dependencies, request, at, end, signal)
  return { message, at, inactive, verdict, destination }
}

/** Connects to the validators of a set, and returns the indices of those that cannot sign. */
async function connect(
  { subnets, connections, clock }: SignaturesDependencies,
  { quorumPercentage }: AggregateRequest,
  at: SetAtHeight,
  end: number,
  signal: AbortSignal,
): Promise<ReadonlySet<number>> {
  const start = clock.now()
  const inactive = await subnets.inactive(at.subnetId, at.set, signal)
  await connections.ready(at, quorumPercentage, end - clock.now() - CONNECT_RESERVE * (end - start), signal)
  return inactive
}

/** Collects the signatures for further heights that the request's destination may use. */
async function collectForDestination(
  dependencies: SignaturesDependencies,
  request: AggregateRequest,
  plan: Plan,
  signed: Signed,
  end: number,
  limits: Limits,
): Promise<DestinationSignatures.DestinationSigned | undefined> {
  const { onProgress: _onlyOfCurrent, ...rest } = limits
  const { signal } = rest
  const { destination, ...others } = plan
  if (destination === undefined) return undefined
  // The message for the current height is ready, so the others may take only about as long as it took.
  const { elapsedMs } = signed.result.report
  const until = Math.min(end, dependencies.clock.now() + Math.max(CANDIDATES_MS, 2 * elapsedMs))
  const aggregateAt = async (at: SetAtHeight) => {
    const inactive = await connect(dependencies, request, at, until, signal)
    const open = { ...dependencies, admission: Admission.OPEN }
    return (await aggregate(open, request, { ...others, at, inactive, destination }, until, rest)).result
  }
  const { quorumPercentage } = request
  return DestinationSignatures.collect(
    destination,
    signed,
    quorumPercentage,
    aggregateAt,
    dependencies,
    signal,
  )
}

async function aggregate(
  { admission, aggregator, budget, clock, collectTimeoutMs }: SignaturesDependencies,
  { quorumPercentage, bufferPercentage, justification, waitMs }: AggregateRequest,
  { message, at, inactive, verdict, destination }: Plan,
  end: number,
  { signal, log, caller, isBatch = false, onProgress }: Limits,
): Promise<Signed> {
  const facts = {
    messageId: Hex.encode(Id.hash(message.bytes)),
    subnetId: Id.format(at.subnetId),
    pChainHeight: at.height.toString(),
  }
  log.debug(
    { ...facts, validators: at.set.validators.length, inactive: inactive.size },
    'collecting signatures',
  )
  const request = {
    message: message.bytes,
    ...(justification === undefined ? {} : { justification }),
    validatorSet: at.set,
    inactive,
    quorumPercentage,
    bufferPercentage,
    deadlineMs: collectTimeoutMs,
    signal,
    // A validator that is queried in reserve could be queried again for the next height.
    ...(DestinationSignatures.isOneRange(destination) ? {} : { slackPercentage: 0 }),
    ...(caller === undefined ? {} : { onRequestSent: () => budget.charge(caller) }),
    ...(typeof verdict === 'object' ? { refusal: verdict } : {}),
    ...patience(waitMs, verdict),
    ...(onProgress === undefined ? {} : { onProgress }),
  }
  const place = await admission.enter({ ...aggregator.plan(request), end, signal, isBatch })
  const deadlineMs = Math.max(1, Math.min(collectTimeoutMs, end - clock.now()))
  // Under load, requests in reserve would take capacity from other messages.
  const slack = place.waitedMs > 0 ? { slackPercentage: 0 } : {}
  const limits = { ...slack, deadlineMs, onWaiting: place.giveWay }
  const result = await aggregator.aggregate({ ...request, ...limits }).catch((error: unknown) => {
    place.leave(false)
    // Most of the time was spent in the queue of this service, which says nothing about the validators.
    const isLate = place.waitedMs > deadlineMs && deadlineMs < collectTimeoutMs
    const isMissed = ErrorTable.codeOf(error) === 'AGGREGATION_QUORUM_NOT_REACHED'
    throw (isLate && isMissed && place.busy?.()) || explain(error, quorumPercentage, at)
  })
  place.leave(true)
  log.info(
    { ...facts, signers: result.signers.length, elapsedMs: Math.round(result.report.elapsedMs) },
    'signed',
  )
  return { result, at }
}

/** Returns how long to wait for validators that do not sign yet. Those that will sign only lag behind. */
function patience(waitMs: number | undefined, verdict: Verdict): { readonly waitMs?: number } {
  if (waitMs !== undefined) return { waitMs }
  return verdict === 'signable' ? { waitMs: Options.defaults.waitMs } : {}
}
