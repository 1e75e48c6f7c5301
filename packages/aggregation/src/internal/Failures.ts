import { AggregationError } from '../AggregationError.ts'
import type { Reason, Report } from '../Report.ts'

/** Reasons told in a message; all are in the report. */
const TOLD = 4

/** Returns the error for a run without quorum; its message says how much signed, how much was needed, and why. */
export function quorumFailure(report: Report, atDeadline: boolean): AggregationError {
  const { signedWeight, neededWeight, targetWeight, totalWeight, reasons, elapsedMs } = report
  const end = atDeadline
    ? `the deadline came after ${Math.round(elapsedMs)} ms`
    : `nothing that may still come would reach the quorum`
  const missing = reasons.slice(0, TOLD).map((reason) => tell(reason, totalWeight))
  if (reasons.length > TOLD) missing.push(`${reasons.length - TOLD} more reasons`)
  const unlisted = totalWeight - report.validators.reduce((sum, { weight }) => sum + weight, 0n)
  if (unlisted > 0n) missing.push(`validators without a key ${share(unlisted, totalWeight)}`)
  const message =
    `expected signatures of ${share(neededWeight, totalWeight)} of the weight, got ${share(signedWeight, totalWeight)}: ${end}` +
    (missing.length === 0 ? '' : `; missing: ${missing.join(', ')}`)
  return new AggregationError(
    atDeadline ? 'AGGREGATION_QUORUM_NOT_REACHED' : 'AGGREGATION_QUORUM_IMPOSSIBLE',
    message,
    { details: { report, signedWeight, neededWeight, targetWeight, totalWeight } },
  )
}

function tell({ outcome, code, text, validators, weight }: Reason, total: bigint): string {
  const number = code === undefined ? '' : ` (code ${code})`
  const words = text === undefined || text === '' ? '' : ` “${text}”`
  return `${outcome}${number}${words} ${share(weight, total)} by ${validators} validator${validators === 1 ? '' : 's'}`
}

/** Weight and percent with two digits, cut and not rounded, so that 66.999 % never reads as 67 %. */
function share(weight: bigint, total: bigint): string {
  if (total === 0n) return `${weight} of 0`
  const hundredths = (weight * 10_000n) / total
  const digits = (hundredths % 100n).toString().padStart(2, '0')
  return `${hundredths / 100n}.${digits} % (${weight} of ${total})`
}
