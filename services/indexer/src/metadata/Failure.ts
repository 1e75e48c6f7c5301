import type { IndexStatus } from '@firn/evm-store'
import type { FetchFailure } from '@firn/outbound'

/**
 * Maps each reason why a token has no metadata to the Data API's status. The API documents only the names of
 * its statuses; this table defines their meaning.
 */
export const STATUS_OF = {
  /** The contract call reverts, or does not return text. */
  'no-token': 'MISSING_TOKEN',
  /** The contract returns an empty or blank text. */
  'no-uri': 'MISSING_TOKEN',
  /** The node cannot answer the contract call at present. */
  'no-answer': 'UNINDEXED',
  /** No request was made for the token, because the host has too many pending requests. */
  'host-busy': 'UNINDEXED',
  'uri-syntax': 'INVALID_TOKEN_URI',
  'uri-too-long': 'INVALID_TOKEN_URI',
  /** The URL, or the target of a redirect, contains a user name or a password. */
  'uri-credentials': 'INVALID_TOKEN_URI',
  /** The URL, or the target of a redirect, uses a port that is not allowed. */
  'uri-port': 'INVALID_TOKEN_URI',
  /** The host of the URL, or of a redirect's target, has at least one address that is not public. */
  'uri-address': 'INVALID_TOKEN_URI',
  /**
   * The URL, or the target of a redirect, has a scheme that is not allowed. Allowed are `ipfs:`, `ar:`,
   * `https:`, `data:` and, if enabled, `http:`.
   */
  'uri-scheme': 'INVALID_TOKEN_URI_SCHEME',
  'name-not-found': 'UNREACHABLE_TOKEN_URI',
  /**
   * The connection was refused or lost, the server does not speak HTTP, or the certificate does not match the
   * name.
   */
  connection: 'UNREACHABLE_TOKEN_URI',
  timeout: 'UNREACHABLE_TOKEN_URI',
  /** The server returned a status other than 200. */
  'http-status': 'UNREACHABLE_TOKEN_URI',
  redirects: 'UNREACHABLE_TOKEN_URI',
  /** The body is compressed with an encoding that was not requested, or is corrupt. */
  encoding: 'UNREACHABLE_TOKEN_URI',
  throttled: 'THROTTLED_TOKEN_URI',
  'too-large': 'METADATA_CONTENT_TOO_LARGE',
  /** The content type is neither JSON, text nor plain bytes. */
  'content-type': 'INVALID_METADATA',
  'not-json': 'INVALID_METADATA_JSON',
  'not-object': 'INVALID_METADATA',
  'too-deep': 'INVALID_METADATA',
  /** The document is an object without any metadata field. */
  'no-members': 'INVALID_METADATA',
  /** An internal error of the worker. */
  fault: 'UNKNOWN',
} as const satisfies Readonly<Record<FetchFailure | (string & {}), IndexStatus>>

/**
 * Reason why a token has no metadata. It is more detailed than {@link IndexStatus}, and it is a label in
 * metrics.
 */
export type Failure = keyof typeof STATUS_OF

/**
 * Statuses that a retry may change. All other statuses are final until the chain emits an update for the
 * token.
 */
const PASSING: ReadonlySet<IndexStatus> = new Set([
  'UNKNOWN',
  'UNREACHABLE_TOKEN_URI',
  'THROTTLED_TOKEN_URI',
  'UNINDEXED',
])

export const isPassing = (status: IndexStatus): boolean => PASSING.has(status)
