/** Options of {@link FirnError}. */
export interface FirnErrorOptions {
  /** Machine-readable values, such as the expected value, the actual value and its position. */
  readonly details?: Readonly<Record<string, unknown>>
  /** The error that this error wraps. */
  readonly cause?: unknown
}

/**
 * Base class of every error that Firn throws on purpose. Each package has one subclass. Test `code`, which is
 * stable, and never parse `message`.
 */
export class FirnError<Code extends string = string> extends Error {
  override readonly name: string = 'FirnError'
  /** Stable error code. The package that throws it documents its codes. */
  readonly code: Code
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: Code, message: string, options: FirnErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details ?? {}
  }
}

/**
 * Returns true if `error` is a {@link FirnError} of any package, including errors from another copy of the package.
 *
 * @example
 * ```ts
 * import { Id, isFirnError } from '@firn/codec'
 *
 * try {
 *   Id.parse('not an id')
 * } catch (error) {
 *   console.log(isFirnError(error) && error.code) // 'CODEC_CB58'
 * }
 * ```
 */
export function isFirnError(error: unknown): error is FirnError {
  return error instanceof Error && 'code' in error && 'details' in error && typeof error.code === 'string'
}

/**
 * Adds details to a {@link FirnError} that passes through, such as the part of the input that it concerns. Details that the
 * error has already are kept. Returns the error; other errors stay as they are.
 *
 * @example
 * ```ts
 * import { addDetails, Id, isFirnError } from '@firn/codec'
 *
 * try {
 *   Id.parse('not an id')
 * } catch (error) {
 *   const detailed = addDetails(error, { part: 'asset' })
 *   console.log(isFirnError(detailed) && detailed.details['part']) // 'asset'
 * }
 * ```
 */
export function addDetails(error: unknown, details: Readonly<Record<string, unknown>>): unknown {
  return isFirnError(error) ? Object.assign(error, { details: { ...details, ...error.details } }) : error
}
