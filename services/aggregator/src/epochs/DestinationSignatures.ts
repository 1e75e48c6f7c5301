import type { AggregationResult } from '@firn/aggregation'
import { Id } from '@firn/codec'
import type { Clock } from '@firn/runtime'
import { ValidatorSet } from '@firn/warp'
import { AggregatorError } from '../errors/AggregatorError.ts'
import type { Forecast } from '../forecast/Forecast.ts'
import * as HeightRanges from '../p-chain/HeightRanges.ts'
import type { Heights } from '../p-chain/Heights.ts'
import type { SetAtHeight, ValidatorSets } from '../p-chain/ValidatorSets.ts'
import type { Epoch, Epochs } from './Epochs.ts'
import * as Validity from './Validity.ts'

/** Maximum number of validator sets that are compared for one request. */
const MAX_SETS = 32
/** Time in milliseconds after which no further sets are loaded for one request. The next request loads more. */
const SEARCH_MS = 5_000
/** Maximum number of heights besides the current epoch's for which signatures are collected. */
const MAX_CANDIDATES = 8

/** The chain that is to verify a message, and its current epoch. */
export interface Destination {
  /** 32 bytes. */
  readonly chainId: Uint8Array
  /** Undefined if the chain has no epochs yet. It then verifies at about the proposed height. */
  readonly epoch: Epoch | undefined
  /** P-chain height at which the chain's next block verifies messages. */
  readonly height: bigint
}

/** The heights that a destination may use, with the signing subnet's validator sets. */
export interface DestinationHeights extends Destination, HeightRanges.Found {
  /** The set at the height that the chain's next block uses. */
  readonly current: SetAtHeight
  /** The set at the tip. */
  readonly newest: SetAtHeight
}

/** A signed message that verifies at the heights `first` to `last`. */
export interface SignedAtHeights extends Validity.Period {
  readonly first: bigint
  readonly last: bigint
  readonly result: AggregationResult
  /** Weight of the signers, and total weight, at the height `first`. */
  readonly signedWeight: bigint
  readonly totalWeight: bigint
}

/** The signed messages for a destination, in ascending order of heights. The first one is for the current epoch. */
export interface DestinationSigned {
  readonly destination: Destination
  readonly messages: readonly SignedAtHeights[]
  readonly warnings: readonly Validity.Warning[]
}

/** Sources of a destination's heights and validator sets. */
export interface DestinationDependencies {
  readonly epochs: Epochs
  readonly heights: Pick<Heights, 'proposed' | 'tip'>
  readonly validatorSets: Pick<ValidatorSets, 'atAnyAge'>
  readonly clock: Pick<Clock, 'now'>
}

/** Sources of warnings. */
export interface WarningSources {
  readonly clock: Pick<Clock, 'now'>
  readonly forecast: Pick<Forecast, 'upcoming'>
}

/**
 * Returns the heights that a chain may use, from the current epoch's to the tip. Any of them can become the next epoch's.
 * @throws AggregatorError `AGGREGATOR_CHAIN_NOT_CONFIGURED`, `AGGREGATOR_CHAIN_RPC`, `AGGREGATOR_SUBNET_UNKNOWN`,
 * `AGGREGATOR_UPSTREAM`
 */
export async function findHeights(
  chainId: Uint8Array,
  subnetId: Uint8Array,
  dependencies: DestinationDependencies,
  signal?: AbortSignal,
): Promise<DestinationHeights> {
  const destination = await locate(chainId, dependencies, signal)
  return { ...destination, ...(await rangesFrom(destination.height, subnetId, dependencies, signal)) }
}

async function locate(
  chainId: Uint8Array,
  { epochs, heights }: Pick<DestinationDependencies, 'epochs' | 'heights'>,
  signal?: AbortSignal,
): Promise<Destination> {
  const epoch = await epochs.current(chainId, signal)
  const height = epoch?.pChainHeight ?? (await heights.proposed(signal)).height
  return { chainId, epoch, height }
}

/**
 * Returns the ranges of heights with equal validator sets, from a height to the tip.
 * @throws AggregatorError `AGGREGATOR_SUBNET_UNKNOWN`, `AGGREGATOR_UPSTREAM`
 */
export async function rangesFrom(
  height: bigint,
  subnetId: Uint8Array,
  { heights, validatorSets, clock }: Omit<DestinationDependencies, 'epochs'>,
  signal?: AbortSignal,
): Promise<Pick<DestinationHeights, 'ranges' | 'isComplete' | 'current' | 'newest'>> {
  const end = clock.now() + SEARCH_MS
  const current = await validatorSets.atAnyAge(subnetId, height, signal)
  const load = (at: bigint): Promise<SetAtHeight> =>
    validatorSets.atAnyAge(subnetId, at, signal).catch((error: unknown) => {
      if (error instanceof AggregatorError && error.code === 'AGGREGATOR_SUBNET_UNKNOWN')
        return { subnetId, height: at, set: { validators: [], totalWeight: 0n } }
      throw error
    })
  const mayLoad = (loaded: number) => loaded < MAX_SETS && clock.now() < end
  const found = await HeightRanges.find(height, await heights.tip(signal), load, mayLoad)
  return { ...found, current, newest: found.ranges.at(-1)?.at ?? current }
}

/** Returns whether no height needs another signed message, or there is no destination. */
export function isOneRange(destination: DestinationHeights | undefined): boolean {
  return destination === undefined || destination.ranges.length === 1
}

/**
 * Returns the signed messages for all heights that a destination may use. `signed` is the message for the current
 * height. For a set in which its bit set means other signers or too little weight, `aggregate` is called; it
 * queries only validators whose signatures are not cached. A missed quorum at such a height becomes a warning.
 */
export async function collect(
  destination: DestinationHeights,
  signed: { readonly result: AggregationResult; readonly at: SetAtHeight },
  quorumPercentage: number,
  aggregate: (at: SetAtHeight) => Promise<AggregationResult>,
  { clock, forecast }: WarningSources,
  signal?: AbortSignal,
): Promise<DestinationSigned> {
  const { ranges, isComplete, newest } = destination
  const [first, ...later] = ranges.map((range, index) => ({
    ...range,
    ...Validity.periodOf(destination.epoch, index === 0),
  })) as [Ranged, ...Ranged[]]
  const current = describe(signed.result, signed.at)
  const known = [current]
  const messages: SignedAtHeights[] = []
  const failed: Validity.Warning[] = []
  // The newest height is the most probable one, so its signatures are collected first.
  for (const range of later.reverse()) {
    let found = known.find(({ signers }) => Validity.verifiesToo(signers, range.at, quorumPercentage))
    if (found === undefined && known.length <= MAX_CANDIDATES) {
      const result = await aggregate(range.at).catch((error: unknown) => {
        signal?.throwIfAborted()
        failed.push(notSigned(range, error instanceof Error ? error.message : String(error)))
      })
      if (result !== undefined) {
        found = describe(result, range.at)
        known.push(found)
      }
    } else if (found === undefined) failed.push(notSigned(range, 'the validator set changed too often'))
    if (found !== undefined) messages.push(toMessage(range, found))
  }
  messages.push(toMessage(first, current))
  return {
    destination,
    messages: merge(messages.reverse()),
    warnings: [
      ...withoutEpoch(destination),
      ...Validity.warnings({
        epoch: destination.epoch,
        signers: current.signers,
        current: signed.at,
        newest,
        upcoming: await findUpcoming(destination.epoch, signed.at.subnetId, forecast),
        quorumPercentage,
        now: clock.now() / 1000,
      }),
      ...failed,
      ...unknownHeights(isComplete),
    ],
  }
}

/** Returns the known ends of validations within the current and the next epoch. */
export async function findUpcoming(
  epoch: Epoch | undefined,
  subnetId: Uint8Array,
  forecast: WarningSources['forecast'],
): Promise<Awaited<ReturnType<Forecast['upcoming']>>> {
  const until = Validity.warningHorizon(epoch)
  return until === undefined ? [] : forecast.upcoming(subnetId, until)
}

/**
 * Returns whether the destination is in another epoch by now. If that is unknown, returns false.
 */
export async function hasMoved(
  { chainId, epoch }: Destination,
  { epochs }: Pick<DestinationDependencies, 'epochs'>,
  signal?: AbortSignal,
): Promise<boolean> {
  const now = await epochs.current(chainId, signal).catch(() => epoch)
  return now?.number !== epoch?.number
}

/** A result with its signers. */
interface Known {
  readonly result: AggregationResult
  readonly signers: Validity.Signers
}

function describe(result: AggregationResult, at: SetAtHeight): Known {
  return { result, signers: Validity.signersOf(at, result.signers) }
}

type Ranged = HeightRanges.HeightRange & Validity.Period

function toMessage(
  { first, last, notBefore, earliestExpiry, at: { set } }: Ranged,
  { result }: Pick<Known, 'result'>,
): SignedAtHeights {
  const signedWeight = ValidatorSet.weightOf(set, result.signers)
  return { first, last, notBefore, earliestExpiry, result, signedWeight, totalWeight: set.totalWeight }
}

/** Combines adjacent ranges with the same message. The result has the period of the first one. */
function merge(messages: readonly SignedAtHeights[]): readonly SignedAtHeights[] {
  const merged: SignedAtHeights[] = []
  for (const message of messages) {
    const before = merged.at(-1)
    const isSame = before?.result === message.result && before.last + 1n === message.first
    if (before !== undefined && isSame) merged[merged.length - 1] = { ...before, last: message.last }
    else merged.push(message)
  }
  return merged
}

function notSigned({ first, last }: HeightRanges.HeightRange, reason: string): Validity.Warning {
  return {
    code: 'candidate-not-signed',
    message: `no signed message for the P-chain heights ${first} to ${last}, which the destination may use later: ${reason}`,
  }
}

/** Returns the warning about a destination that has no epochs. */
export function withoutEpoch({ chainId, epoch, height }: Destination): readonly Validity.Warning[] {
  if (epoch !== undefined) return []
  const message = `the chain ${Id.format(chainId)} has no epoch; the proposed P-chain height ${height} was used`
  return [{ code: 'no-epoch', message }]
}

/** Returns the warning about heights whose sets were not loaded. */
export function unknownHeights(isComplete: boolean): readonly Validity.Warning[] {
  if (isComplete) return []
  const message = 'the validator set changed so often that not all heights were checked'
  return [{ code: 'heights-unknown', message }]
}
