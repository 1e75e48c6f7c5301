import * as Case from './Case.ts'
import * as Outcome from './Outcome.ts'

/**
 * Checks one case; throws on a difference. `all` are the cases of its file, because some cases refer to
 * others.
 */
export type Check = (it: Case.Case, all: readonly Case.RawCase[]) => Outcome.Outcome | undefined

/** Runs the cases of one vector file. */
export interface Suite {
  /** Name of the file in a folder of vectors. */
  readonly file: string
  /** Returns the outcome of one case. */
  run(raw: Case.RawCase, all: readonly Case.RawCase[]): Outcome.Outcome
}

/**
 * Fields that need no check: the name of the case, and the reference's error text, which is only a label (see
 * the README of the vectors). A separate flag says whether there is an error.
 */
const LABELS = ['name', 'kind', 'note', 'error'] as const

/**
 * Returns a suite with one check per kind of case. A kind without a check fails, as does a case with a field
 * that its check has not read.
 */
export function create(file: string, checks: Readonly<Record<string, Check>>): Suite {
  return { file, run: (raw, all) => Outcome.of(() => run(checks, Case.create(raw), all)) }
}

function run(
  checks: Readonly<Record<string, Check>>,
  it: Case.Case,
  all: readonly Case.RawCase[],
): Outcome.Outcome | undefined {
  const kind = Case.text(it, 'kind')
  const check = Object.hasOwn(checks, kind) ? checks[kind] : undefined
  if (check === undefined) return Outcome.failed('kind', Object.keys(checks).join(', '), kind)
  const outcome = check(it, all)
  if (outcome?.status === 'skipped') return outcome
  Case.ignore(it, ...LABELS)
  Case.close(it)
  return outcome
}
