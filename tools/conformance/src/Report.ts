import { excerpt } from '@firn/codec'
import type { Outcome } from './Outcome.ts'

/** The outcomes of one vector file or of one folder of recordings. */
export interface FileReport {
  readonly file: string
  readonly results: readonly { readonly name: string; readonly outcome: Outcome }[]
  /** Whether the cases are recorded responses of a node that were replayed. */
  readonly isReplayed?: boolean
}

/** The results of running a folder. */
export interface Report {
  readonly files: readonly FileReport[]
  /** Known files that have no suite. */
  readonly notYetSupported: readonly string[]
  /** Unknown files. Each unknown file is a failure. */
  readonly unknown: readonly string[]
  /** Folders and files that are not checked, because they contain neither blocks nor aggregations. */
  readonly leftOut: readonly string[]
}

/** Merges the results of several folders. */
export function merge(reports: readonly Report[]): Report {
  return {
    files: reports.flatMap(({ files }) => files),
    notYetSupported: reports.flatMap(({ notYetSupported }) => notYetSupported),
    unknown: reports.flatMap(({ unknown }) => unknown),
    leftOut: reports.flatMap(({ leftOut }) => leftOut),
  }
}

/** Maximum number of differences printed per file. */
const SHOWN = 5
/** Maximum length of a printed value, in characters. */
const WIDTH = 160

const count = ({ results }: FileReport, status: Outcome['status']): number =>
  results.filter(({ outcome }) => outcome.status === status).length

/**
 * Returns whether at least one case ran and nothing failed. A difference, an unknown file or a file without
 * cases is a failure.
 */
export function isPassed({ files, unknown }: Report): boolean {
  const isRun = files.length > 0 && files.every(({ results }) => results.length > 0)
  return isRun && unknown.length === 0 && files.every((file) => count(file, 'failed') === 0)
}

function differences({ results }: FileReport): string[] {
  const failures = results.flatMap(({ name, outcome }, index) =>
    outcome.status !== 'failed'
      ? []
      : [
          `  case ${index} "${name}": ${outcome.where}`,
          `    expected ${excerpt(outcome.expected, WIDTH)}`,
          `    got      ${excerpt(outcome.actual, WIDTH)}`,
        ],
  )
  const rest = failures.length / 3 - SHOWN
  return rest > 0 ? [...failures.slice(0, SHOWN * 3), `  … and ${rest} more`] : failures
}

/** Returns a line with the numbers of equal, masked, different and skipped responses. */
function answers(files: readonly FileReport[]): string {
  const outcomes = files.flatMap(({ results }) => results.map(({ outcome }) => outcome))
  const masked = outcomes.filter((it) => it.status === 'passed' && it.isMasked).length
  const of = (status: Outcome['status']) => outcomes.filter((it) => it.status === status).length
  const equal = of('passed') - masked
  return `${equal} equal, ${masked} equal after masking, ${of('failed')} different, ${of('skipped')} not compared`
}

/** Returns one line with the number of skipped cases for each reason. */
function skips({ results }: FileReport): string[] {
  const reasons = new Map<string, number>()
  for (const { outcome } of results) {
    if (outcome.status === 'skipped') reasons.set(outcome.reason, (reasons.get(outcome.reason) ?? 0) + 1)
  }
  return Array.from(reasons, ([reason, times]) => `  skipped ${times}: ${reason}`)
}

/**
 * Returns the lines to print: the counts of each file, followed by its first differences, and finally the
 * files without a suite.
 */
export function format(report: Report): string[] {
  const lines = report.files.flatMap((file) => {
    const [passed, failed, skipped] = [count(file, 'passed'), count(file, 'failed'), count(file, 'skipped')]
    const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`
    const empty = file.results.length === 0 ? ['  no cases: every file must contain at least one case'] : []
    return [
      `${file.file}: ${file.results.length} cases, ${counts}`,
      ...empty,
      ...(file.isReplayed ? [`  ${answers([file])}`] : []),
      ...differences(file),
      ...skips(file),
    ]
  })
  const replayed = report.files.filter(({ isReplayed }) => isReplayed)
  return [
    ...lines,
    ...(replayed.length === 0 ? [] : [`recorded responses: ${answers(replayed)}`]),
    ...report.leftOut.map((file) => `${file}: left out, not handled by this runner`),
    ...report.notYetSupported.map((file) => `${file}: not supported yet`),
    ...report.unknown.map(
      (file) => `${file}: unknown file; add a suite for it, or list it in notYetSupported`,
    ),
    ...(report.files.length === 0 ? ['no cases were run'] : []),
  ]
}
