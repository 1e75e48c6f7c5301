import * as Case from './Case.ts'
import * as Outcome from './Outcome.ts'

/**
 * Checks one case and throws on a difference. `all` contains all cases of the file, because some cases refer
 * to other cases.
 */
export type Check = (it: Case.Case, all: readonly Case.RawCase[]) => Outcome.Outcome | undefined

/** Checks for the cases of one vector file. */
export interface Suite {
  /** Name of the file in the folder of vectors. */
  readonly file: string
  /** Runs one case and returns its outcome. */
  run(raw: Case.RawCase, all: readonly Case.RawCase[]): Outcome.Outcome
}

/**
 * Fields that need no check: the name of the case, and the reference's error text (see the README of the
 * vectors). A separate flag says whether an error is expected.
 */
const LABELS = ['name', 'kind', 'note', 'error'] as const

/**
 * Creates a suite with one check per kind of case. A case fails if its kind has no check, or if its check
 * does not read a field.
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
