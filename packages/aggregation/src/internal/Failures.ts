import { AggregationError } from '../AggregationError.ts'
import type { Reason, Report } from '../Report.ts'

/** Maximum number of reasons in the error text; the report contains all of them. */
const MAX_REASONS = 4

/** The reason why a run ended without a quorum. */
export type End = 'deadline' | 'no-time' | 'impossible'

const words: Readonly<Record<End, string>> = {
  deadline: 'the deadline passed',
  'no-time':
    'not enough time was left to retry the validators that were silent (deadlineMs) or answered “not yet” (waitMs)',
  impossible: 'no outstanding response could have reached the quorum',
}

/**
 * Returns the error for a run without a quorum. The message gives the signed weight, the needed weight, and
 * the reasons.
 */
export function quorumFailure(report: Report, end: End): AggregationError {
  const { signedWeight, neededWeight, targetWeight, totalWeight, elapsedMs } = report
  const message =
    `quorum not reached: needed signatures of ${share(neededWeight, totalWeight)} of the weight, ` +
    `got ${share(signedWeight, totalWeight)}: after ${Math.round(elapsedMs)} ms ${words[end]}; ` +
    `missing: ${missing(report).join(', ') || 'the validator set has no weight'}`
  return new AggregationError(
    end === 'impossible' ? 'AGGREGATION_QUORUM_IMPOSSIBLE' : 'AGGREGATION_QUORUM_NOT_REACHED',
    message,
    { details: { report, signedWeight, neededWeight, targetWeight, totalWeight } },
  )
}

/** Lists failures before validators that were not queried, or whose responses were not awaited. */
function missing({ reasons, validators, totalWeight }: Report): string[] {
  const isCause = ({ outcome }: Reason) => outcome !== 'not-asked' && outcome !== 'unanswered'
  const sorted = [...reasons.filter(isCause), ...reasons.filter((reason) => !isCause(reason))]
  const shown = sorted.slice(0, MAX_REASONS).map((reason) => tell(reason, totalWeight))
  if (sorted.length > MAX_REASONS) shown.push(`${sorted.length - MAX_REASONS} more reasons`)
  const keyless = totalWeight - validators.reduce((sum, { weight }) => sum + weight, 0n)
  if (keyless > 0n) shown.push(`validators without a key ${share(keyless, totalWeight)}`)
  return shown
}

function tell({ outcome, code, text, rememberedMs, validators, weight }: Reason, total: bigint): string {
  const number = code === undefined ? '' : ` (code ${code})`
  const words = text === undefined || text === '' ? '' : ` “${text}”`
  const age = rememberedMs === undefined ? '' : ` (remembered, up to ${Math.round(rememberedMs)} ms old)`
  return `${outcome}${number}${words}${age} ${share(weight, total)} by ${validators} validator${validators === 1 ? '' : 's'}`
}

/**
 * Returns weight and percentage with two digits. It truncates instead of rounding, so that 66.999 % is not
 * shown as 67 %.
 */
function share(weight: bigint, total: bigint): string {
  if (total === 0n) return `${weight} of 0`
  const hundredths = (weight * 10_000n) / total
  const digits = (hundredths % 100n).toString().padStart(2, '0')
  return `${hundredths / 100n}.${digits} % (${weight} of ${total})`
}
