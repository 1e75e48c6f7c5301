import { FirnError, type FirnErrorOptions } from '@firn/codec'

/**
 * Codes of errors of the endpoints for operators. {@link STATUS} has the HTTP status of each.
 * - `OPERATE_INPUT`: a parameter or the body is invalid (400).
 * - `OPERATE_CALLER`: the caller sent no credential, or sent the token of an operator through a proxy (401).
 * - `OPERATE_KEY`: the API key is unknown or revoked (401).
 * - `OPERATE_TOKEN`: the token of the operator is unknown or has expired (401).
 * - `OPERATE_LINK`: the link was already used, has expired, or belongs to another service (401).
 * - `OPERATE_SCOPE`: the API key does not have the scope `admin` (403).
 * - `OPERATE_SITE`: a page of another site, or another host name, may have caused the request (403).
 * - `OPERATE_ROUTE`: no endpoint has this path and method, or this service has no such data (404).
 * - `OPERATE_TOO_LARGE`: the body is too large (413).
 * - `OPERATE_UNAVAILABLE`: the data cannot be read now (503).
 * - `OPERATE_INTERNAL`: the service has a defect; its log has the error (500).
 */
export type OperatorErrorCode =
  | 'OPERATE_INPUT'
  | 'OPERATE_CALLER'
  | 'OPERATE_KEY'
  | 'OPERATE_TOKEN'
  | 'OPERATE_LINK'
  | 'OPERATE_SCOPE'
  | 'OPERATE_SITE'
  | 'OPERATE_ROUTE'
  | 'OPERATE_TOO_LARGE'
  | 'OPERATE_INTERNAL'
  | 'OPERATE_UNAVAILABLE'

/** HTTP status of each code. */
export const STATUS: Readonly<Record<OperatorErrorCode, number>> = {
  OPERATE_INPUT: 400,
  OPERATE_CALLER: 401,
  OPERATE_KEY: 401,
  OPERATE_TOKEN: 401,
  OPERATE_LINK: 401,
  OPERATE_SCOPE: 403,
  OPERATE_SITE: 403,
  OPERATE_ROUTE: 404,
  OPERATE_TOO_LARGE: 413,
  OPERATE_INTERNAL: 500,
  OPERATE_UNAVAILABLE: 503,
}

/** An error that an endpoint for operators sends to its caller. */
export class OperatorError extends FirnError<OperatorErrorCode> {
  override readonly name = 'OperatorError'

  constructor(code: OperatorErrorCode, message: string, options: FirnErrorOptions = {}) {
    super(code, message, options)
  }
}
