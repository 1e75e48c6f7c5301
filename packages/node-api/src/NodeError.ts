import { FirnError } from '@firn/codec'

/**
 * Error codes of this service:
 * - `NODE_CONFIGURATION`: the configuration is invalid (only at startup)
 * - `NODE_DATABASE`: the database is empty or contains another network (only at startup)
 * - `NODE_INDEX`: the index is incomplete or would become incomplete, and the configuration does not allow
 * this (only at startup)
 * - `NODE_UPSTREAM`: no upstream responded, or none is configured
 * - `NODE_UNHEALTHY`: a check of the Health API failed
 */
export type NodeErrorCode =
  | 'NODE_CONFIGURATION'
  | 'NODE_DATABASE'
  | 'NODE_INDEX'
  | 'NODE_UPSTREAM'
  | 'NODE_UNHEALTHY'

/** The error class of this service. */
export class NodeError extends FirnError<NodeErrorCode> {
  override readonly name = 'NodeError'
}

/**
 * Returns whether a value is a {@link NodeError}. It checks the code instead of the class, so that it works
 * with errors from another copy of this package.
 * @example
 * ```ts
 * import { isNodeError } from '@firn/node-api'
 *
 * isNodeError(new Error('no space left on device')) // false
 * ```
 */
export function isNodeError(error: unknown): error is NodeError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('NODE_')
}
