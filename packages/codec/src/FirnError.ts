/** What a {@link FirnError} may carry beside its code and message. */
export interface FirnErrorOptions {
  /** Facts for programs: what was expected, what came, where. */
  readonly details?: Readonly<Record<string, unknown>>
  /** The error that this one wraps. */
  readonly cause?: unknown
}

/**
 * The root of every error that Firn throws on purpose. Each package has one subclass; callers test `code`,
 * which is stable, and never parse `message`.
 */
export class FirnError<Code extends string = string> extends Error {
  override readonly name: string = 'FirnError'
  /** Stable, documented by the package that throws it. */
  readonly code: Code
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: Code, message: string, options: FirnErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details ?? {}
  }
}

/** True when `error` was thrown by Firn on purpose, whichever package and copy of the package it came from. */
export function isFirnError(error: unknown): error is FirnError {
  return error instanceof Error && 'code' in error && 'details' in error && typeof error.code === 'string'
}
