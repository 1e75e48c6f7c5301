import { AggregationError, type Reason, type Report } from '@firn/aggregation'
import { excerpt } from '@firn/codec'
import type { SetAtHeight } from '../p-chain/ValidatorSets.ts'
import { percentage } from '../peers/ConnectedWeight.ts'

const MAIN_REASONS = 3

const WORDS: Readonly<Record<Reason['outcome'], string>> = {
  signed: 'signed',
  refused: 'refused',
  empty: 'responded without a signature',
  'bad-signature': 'sent an invalid signature',
  'timed-out': 'timed out',
  unanswered: 'had not responded yet',
  'not-sent': 'not sent yet by this service',
  disconnected: 'disconnected',
  'not-connected': 'not connected',
  'not-asked': 'not asked',
  inactive: 'inactive',
}

/** Returns the report of an aggregation that missed its quorum. Returns undefined for any other error. */
export function reportOf(error: unknown): Report | undefined {
  if (!(error instanceof AggregationError) || !error.code.startsWith('AGGREGATION_QUORUM')) return undefined
  return error.details['report'] as Report | undefined
}

/**
 * Returns the validator set that {@link explain} has added to the error of a missed quorum. Returns undefined for
 * other errors.
 */
export function setOf(error: unknown): SetAtHeight | undefined {
  return error instanceof AggregationError ? (error.details['at'] as SetAtHeight | undefined) : undefined
}

/**
 * Returns the error of a missed quorum with a message for the caller: the signed weight, the needed weight,
 * and the reasons with the most weight. Returns other errors unchanged.
 */
export function explain(error: unknown, quorumPercentage: number, at: SetAtHeight): unknown {
  const report = reportOf(error)
  if (report === undefined) return error
  const { code, details } = error as AggregationError
  const hint = code === 'AGGREGATION_QUORUM_NOT_REACHED' ? hintOf(report) : ''
  return new AggregationError(code, sentence(report, quorumPercentage) + hint, {
    details: { ...details, at },
    cause: error,
  })
}

/** Returns what to do if most of the missing weight has refused and may sign later. */
function hintOf({ reasons: [first] }: Report): string {
  const isRefusal = first?.outcome === 'refused' || first?.outcome === 'empty'
  return isRefusal ? '; if the message was just sent, ask again, or with a longer waitMs' : ''
}

function sentence(report: Report, quorumPercentage: number): string {
  const { signedWeight, neededWeight, totalWeight } = report
  const share = percentage(signedWeight, totalWeight)
  const reasons = report.reasons.filter(({ outcome }) => outcome !== 'signed' && outcome !== 'not-asked')
  const listed = reasons.slice(0, MAIN_REASONS).map((reason) => describe(reason, totalWeight))
  const more = reasons.length > MAIN_REASONS ? `; and ${reasons.length - MAIN_REASONS} more reasons` : ''
  const all = [...listed, ...keyless(report)]
  const why = all.length === 0 ? '' : `; main reasons: ${all.join('; ')}${more}`
  return `quorum not reached: weight ${signedWeight} of ${totalWeight} signed (${share} %), ${neededWeight} needed (${quorumPercentage} %)${why}`
}

/**
 * Describes the weight that counts toward the total but cannot sign: nodes without a BLS key, and inactive
 * validators of an L1.
 */
function keyless({ validators, totalWeight }: Report): readonly string[] {
  const weight = totalWeight - validators.reduce((sum, validator) => sum + validator.weight, 0n)
  return weight > 0n
    ? [`${percentage(weight, totalWeight)} % of the weight cannot sign (inactive or without a BLS key)`]
    : []
}

function describe(
  { outcome, code, text, rememberedMs, weight, validators }: Reason,
  totalWeight: bigint,
): string {
  const who = `${percentage(weight, totalWeight)} % of the weight (${validators} ${validators === 1 ? 'validator' : 'validators'})`
  const detail = [code === undefined ? '' : `code ${code}`, text ? excerpt(text) : '']
    .filter((part) => part !== '')
    .join(': ')
  const age = rememberedMs === undefined ? '' : `remembered, up to ${Math.ceil(rememberedMs / 1_000)} s old`
  const notes = [detail, age].filter((note) => note !== '').join('; ')
  return `${who} ${WORDS[outcome]}${notes === '' ? '' : ` (${notes})`}`
}
