import { FirnError } from '@firn/codec'

/**
 * What this service refuses or fails at:
 * - `NODE_CONFIGURATION`: the configuration is wrong (start only)
 * - `NODE_DATABASE`: the database holds nothing to serve, or another network (start only)
 * - `NODE_INDEX`: the index would become, or is, incomplete, and that was not allowed (start only)
 * - `NODE_UPSTREAM`: no upstream answered, or there is none
 * - `NODE_UNHEALTHY`: a check of the Health API failed
 */
export type NodeErrorCode =
  | 'NODE_CONFIGURATION'
  | 'NODE_DATABASE'
  | 'NODE_INDEX'
  | 'NODE_UPSTREAM'
  | 'NODE_UNHEALTHY'

/** The one error class of this service. */
export class NodeError extends FirnError<NodeErrorCode> {
  override readonly name = 'NodeError'
}

/** Returns whether a value is a {@link NodeError} (by its code, so that two copies of this package agree). */
export function isNodeError(error: unknown): error is NodeError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('NODE_')
}
