import { isFirnError } from '@firn/codec'
import { plain } from './internal/plain.ts'

/** What came of running one case. */
export type Outcome =
  | {
      readonly status: 'passed'
      /** True: equal but for members that vary. */
      readonly isMasked?: boolean
    }
  | {
      readonly status: 'failed'
      /** The field or step that differs. */
      readonly where: string
      readonly expected: unknown
      readonly actual: unknown
    }
  | { readonly status: 'skipped'; readonly reason: string }

/** The outcome of a case that agrees. */
export const PASSED: Outcome = { status: 'passed' }

/** The outcome of a case that agrees but for members that vary. */
export const MASKED: Outcome = { status: 'passed', isMasked: true }

/** A failed outcome. */
export function failed(where: string, expected: unknown, actual: unknown): Outcome {
  return { status: 'failed', where, expected: plain(expected), actual: plain(actual) }
}

/** The outcome of a case that is not run, and why. */
export function skipped(reason: string): Outcome {
  return { status: 'skipped', reason }
}

/** Runs `check`, which throws on a difference: what it throws becomes a failed outcome. */
export function of(check: () => Outcome | undefined): Outcome {
  try {
    return check() ?? PASSED
  } catch (error) {
    if (!isFirnError(error)) return failed('exception', 'none', describe(error))
    const { where, expected, actual } = error.details
    if (error.code === 'CONFORMANCE_DIFFERENCE') return failed(String(where), expected, actual)
    return failed('exception', 'none', describe(error))
  }
}

/** One line about an error: its code or class, and its message. */
export function describe(error: unknown): string {
  if (isFirnError(error)) return `${error.code}: ${error.message}`
  return error instanceof Error ? `bare ${error.name}: ${error.message}` : String(error)
}
