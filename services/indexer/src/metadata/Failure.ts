import type { IndexStatus } from '@firn/store'

/**
 * Why a token has no metadata, and the Data API's status for it. The API documents only the names of its
 * statuses; this table defines their meaning.
 */
export const STATUS_OF = {
  /** The contract's read reverts, or does not return text. */
  'no-token': 'MISSING_TOKEN',
  /** The contract's text is empty or blank. */
  'no-uri': 'MISSING_TOKEN',
  /** The node cannot answer the read now. */
  'no-answer': 'UNINDEXED',
  /** The host has too many pending requests; the token was not tried. */
  'host-busy': 'UNINDEXED',
  'uri-syntax': 'INVALID_TOKEN_URI',
  'uri-too-long': 'INVALID_TOKEN_URI',
  /** A URL along the way contains a user name or a password. */
  'uri-credentials': 'INVALID_TOKEN_URI',
  /** A URL along the way uses a port that is not allowed. */
  'uri-port': 'INVALID_TOKEN_URI',
  /** A host along the way has a non-public address, even if only one of several. */
  'uri-address': 'INVALID_TOKEN_URI',
  /** A URL along the way is neither `ipfs:`, `ar:`, `https:` nor `data:`; nor `http:` if that is allowed. */
  'uri-scheme': 'INVALID_TOKEN_URI_SCHEME',
  'name-not-found': 'UNREACHABLE_TOKEN_URI',
  /** Refused, cut off or not HTTP, or the certificate does not match the name. */
  connection: 'UNREACHABLE_TOKEN_URI',
  timeout: 'UNREACHABLE_TOKEN_URI',
  /** A status other than 200. */
  'http-status': 'UNREACHABLE_TOKEN_URI',
  redirects: 'UNREACHABLE_TOKEN_URI',
  /** Compressed with an encoding that was not requested, or corrupt. */
  encoding: 'UNREACHABLE_TOKEN_URI',
  throttled: 'THROTTLED_TOKEN_URI',
  'too-large': 'METADATA_CONTENT_TOO_LARGE',
  /** The content type is not text. */
  'content-type': 'INVALID_METADATA',
  'not-json': 'INVALID_METADATA_JSON',
  'not-object': 'INVALID_METADATA',
  'too-deep': 'INVALID_METADATA',
  /** An object without any metadata field. */
  'no-members': 'INVALID_METADATA',
  /** An internal error of the worker. */
  fault: 'UNKNOWN',
} as const satisfies Readonly<Record<string, IndexStatus>>

/** The failure, in more detail than {@link IndexStatus}; used as a metrics label. */
export type Failure = keyof typeof STATUS_OF

/** Statuses that a retry may change; all others are final until the chain emits an update for the token. */
const PASSING: ReadonlySet<IndexStatus> = new Set([
  'UNKNOWN',
  'UNREACHABLE_TOKEN_URI',
  'THROTTLED_TOKEN_URI',
  'UNINDEXED',
])

export const isPassing = (status: IndexStatus): boolean => PASSING.has(status)
