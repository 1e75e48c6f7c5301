import { isFirnError } from '@firn/codec'
import { plain } from './internal/plain.ts'

/** The result of running one case. */
export type Outcome =
  | {
      readonly status: 'passed'
      /** Whether the case is equal only after masking members whose values vary. */
      readonly isMasked?: boolean
    }
  | {
      readonly status: 'failed'
      /** Field or step of the case that differs. */
      readonly where: string
      readonly expected: unknown
      readonly actual: unknown
    }
  | { readonly status: 'skipped'; readonly reason: string }

/** The outcome of a case without differences. */
export const PASSED: Outcome = { status: 'passed' }

/** The outcome of a case that is equal after masking members whose values vary. */
export const MASKED: Outcome = { status: 'passed', isMasked: true }

/** Creates a failed outcome. */
export function failed(where: string, expected: unknown, actual: unknown): Outcome {
  return { status: 'failed', where, expected: plain(expected), actual: plain(actual) }
}

/** Creates the outcome of a case that was not run, with the reason. */
export function skipped(reason: string): Outcome {
  return { status: 'skipped', reason }
}

/** Runs `check` and returns its outcome. An exception becomes a failed outcome. */
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

/** Describes an error in one line with its code or class and its message. */
export function describe(error: unknown): string {
  if (isFirnError(error)) return `${error.code}: ${error.message}`
  return error instanceof Error ? `bare ${error.name}: ${error.message}` : String(error)
}
