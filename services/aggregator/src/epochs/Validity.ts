import type { Prover } from '@firn/aggregation'
import { PublicKey } from '@firn/bls'
import { NodeId } from '@firn/codec'
import { BitSet, Quorum, type SignedMessage, ValidatorSet, type Verification } from '@firn/warp'
import * as QuorumForecast from '../forecast/QuorumForecast.ts'
import type { HeightRange } from '../p-chain/HeightRanges.ts'
import type { SetAtHeight } from '../p-chain/ValidatorSets.ts'
import { percentage } from '../peers/ConnectedWeight.ts'
import type { Epoch } from './Epochs.ts'
import * as SignedMessageCheck from './SignedMessageCheck.ts'

/** The time in which a receiver may use a height, in Unix seconds; both are undefined without epochs. */
export interface Period {
  /** No block before this time uses the height. */
  readonly notBefore: bigint | undefined
  /** Blocks before this time cannot use a later height. Blocks after it may still use this one. */
  readonly earliestExpiry: bigint | undefined
}

/** A fact that can make the receiver reject the message. */
export interface Warning {
  readonly code:
    | 'no-epoch'
    | 'no-destination'
    | 'epoch-over'
    | 'weight-leaving'
    | 'quorum-at-risk'
    | 'candidate-not-signed'
    | 'invalid-later'
    | 'heights-unknown'
  readonly message: string
}

/**
 * Returns when a height can be used. The current epoch's height is used until the epoch is over. A later height can
 * belong to the next epoch, which starts when the current one is over and lasts as long, at least.
 */
export function periodOf(epoch: Epoch | undefined, isCurrent: boolean): Period {
  if (epoch === undefined) return { notBefore: undefined, earliestExpiry: undefined }
  const duration = BigInt(epoch.durationSeconds)
  const end = epoch.startTime + duration
  return isCurrent
    ? { notBefore: epoch.startTime, earliestExpiry: end }
    : { notBefore: end, earliestExpiry: end + duration }
}

/**
 * Returns the time up to which the end of a validator's stake or balance is worth a warning: the end of the next epoch,
 * in Unix seconds. Undefined without epochs.
 */
export function warningHorizon(epoch: Epoch | undefined): bigint | undefined {
  return periodOf(epoch, false).earliestExpiry
}

/** The signers of a message: their indices and keys in one validator set. */
export interface Signers {
  readonly indices: readonly number[]
  readonly keys: readonly PublicKey.PublicKey[]
}

/** Returns the signers with the given indices in a set. */
export function signersOf({ set }: SetAtHeight, indices: readonly number[]): Signers {
  return { indices, keys: indices.flatMap((index) => set.validators[index]?.publicKey ?? []) }
}

/**
 * Returns whether a message that verifies with one set also verifies with another, because the same signers have the
 * same indices there, and enough weight.
 */
export function verifiesToo(
  { indices, keys }: Signers,
  { set }: SetAtHeight,
  quorumPercentage: number,
): boolean {
  const isSame = indices.every((index, place) => {
    const [key, other] = [keys[place], set.validators[index]?.publicKey]
    return key !== undefined && other !== undefined && PublicKey.compare(key, other) === 0
  })
  return (
    isSame && Quorum.isMet(ValidatorSet.weightOf(set, indices), set.totalWeight, BigInt(quorumPercentage))
  )
}

/** The result of verifying a message at the heights of a range. */
export interface Verified {
  readonly range: HeightRange
  readonly result: Verification.Result
  /** Total weight of the validators that the set has at the message's indices, whoever they are. */
  readonly signedWeight: bigint
}

/** Options of {@link verify}. */
export interface VerifyOptions {
  readonly networkId: number
  readonly quorumPercentage: number
  /** Verifies the signature. */
  readonly prover: Pick<Prover.Prover, 'check'>
}

/**
 * Verifies a message at each range, as a receiver that uses one of its heights does. The signature is checked only once
 * for each list of keys.
 */
export async function verify(
  message: SignedMessage.SignedMessage,
  ranges: readonly HeightRange[],
  { networkId, quorumPercentage, prover }: VerifyOptions,
): Promise<readonly Verified[]> {
  const quorum = Quorum.percent(quorumPercentage)
  const { signers } = message.signature
  // The bit set of a hostile message can have millions of bits. No receiver decodes more than its set has validators.
  const most = ranges.reduce((length, { at }) => Math.max(length, at.set.validators.length), 0)
  const isDecodable = BitSet.isCanonical(signers) && BitSet.bitLength(signers) <= most
  const indices = isDecodable ? BitSet.decode(signers) : []
  const byKeys = new Map<string, Verification.Result>()
  const verified: Verified[] = []
  for (const range of ranges) {
    const { set } = range.at
    const signedWeight = ValidatorSet.weightOf(set, indices)
    const keys = signersOf(range.at, indices).keys.map(keyName).join()
    const known = Quorum.isMet(signedWeight, set.totalWeight, quorum.numerator) ? byKeys.get(keys) : undefined
    const result =
      known ?? (await SignedMessageCheck.verify(message, { networkId, validatorSet: set, quorum }, prover))
    if (result.ok || result.code === 'INVALID_SIGNATURE') byKeys.set(keys, result)
    verified.push({ range, result, signedWeight })
  }
  return verified
}

/** What {@link warnings} needs to know. */
export interface WarningFacts {
  readonly epoch: Epoch | undefined
  readonly signers: Signers
  /** The set at the height that the receiver uses now. */
  readonly current: SetAtHeight
  /** The set at the tip. */
  readonly newest: SetAtHeight
  /** Events up to the {@link warningHorizon}. */
  readonly upcoming: readonly QuorumForecast.Event[]
  readonly quorumPercentage: number
  /** Unix seconds. */
  readonly now: number
}

/**
 * Returns warnings about an epoch that is over, about weight that signed and is not, or not fully, in the newest set,
 * and about weight that leaves soon.
 */
export function warnings(facts: WarningFacts): readonly Warning[] {
  return [...epochWarnings(facts.epoch, facts.now), ...hasLeft(facts), ...leavesSoon(facts)]
}

function epochWarnings(epoch: Epoch | undefined, now: number): readonly Warning[] {
  if (epoch === undefined) return []
  const { earliestExpiry } = periodOf(epoch, true)
  if (earliestExpiry === undefined || Number(earliestExpiry) > now) return []
  const message = `epoch ${epoch.number} is over: the destination’s next block seals it, and the block after that uses another P-chain height`
  return [{ code: 'epoch-over', message }]
}

function hasLeft({
  signers: { indices, keys },
  current,
  newest,
  quorumPercentage,
}: WarningFacts): readonly Warning[] {
  const weights = weightsByKey(newest.set)
  const signed = indices.map((index, place) => ({
    before: current.set.validators[index]?.weight ?? 0n,
    after: weights.get(keyName(keys[place])) ?? 0n,
  }))
  const left = signed.reduce((sum, { before, after }) => (after < before ? sum + before - after : sum), 0n)
  if (left === 0n) return []
  const after = signed.reduce((sum, one) => sum + one.after, 0n)
  const percent = percentage(left, current.set.totalWeight)
  const found: Warning[] = [
    {
      code: 'weight-leaving',
      message: `validators with ${percent} % of the weight signed, but their weight is no longer in the validator set at P-chain height ${newest.height}`,
    },
  ]
  if (!Quorum.isMet(after, newest.set.totalWeight, BigInt(quorumPercentage))) {
    found.push({
      code: 'quorum-at-risk',
      message: `the signers have weight ${after} of ${newest.set.totalWeight} at P-chain height ${newest.height}, less than ${quorumPercentage} %: once the destination uses this height, it needs other signatures`,
    })
  }
  return found
}

/** Warns about signers whose stake or balance ends before the end of the next epoch. */
function leavesSoon({ signers, current, upcoming }: WarningFacts): readonly Warning[] {
  const members = signers.indices.flatMap((index) => current.set.validators[index] ?? [])
  const byNode = new Map(
    members.flatMap((one) => one.nodeIds.map((nodeId) => [NodeId.format(nodeId), one] as const)),
  )
  const leaving = upcoming.flatMap((event) => {
    const member = byNode.get(NodeId.format(event.nodeId))
    // The weight in the set includes delegations, unless several nodes share the key.
    if (member === undefined) return []
    return [{ ...event, weight: member.nodeIds.length === 1 ? member.weight : event.weight }]
  })
  const [first] = leaving.toSorted((one, other) => Number(one.at - other.at))
  if (first === undefined) return []
  const weight = leaving.reduce((sum, one) => sum + one.weight, 0n)
  const message = `validators with ${percentage(weight, current.set.totalWeight)} % of the weight signed, but their stakes or balances end before the end of the next epoch, the first one (${NodeId.format(first.nodeId)}) at ${QuorumForecast.formatTime(first.at)}`
  return [{ code: 'weight-leaving', message }]
}

function weightsByKey({ validators }: ValidatorSet.ValidatorSet): ReadonlyMap<string, bigint> {
  return new Map(validators.map(({ publicKey, weight }) => [keyName(publicKey), weight]))
}

function keyName(key: PublicKey.PublicKey | undefined): string {
  return key === undefined ? '' : String.fromCharCode(...key.compressed)
}
