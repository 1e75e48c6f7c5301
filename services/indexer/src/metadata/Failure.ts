import type { IndexStatus } from '@firn/store'

/**
 * Why a token has no metadata, and what the Data API calls it. The API documents the names of its statuses alone; what
 * each stands for is decided here.
 */
export const STATUS_OF = {
  /** The contract's read reverts, or what it returns is no text. */
  'no-token': 'MISSING_TOKEN',
  /** The contract's text is empty or blank. */
  'no-uri': 'MISSING_TOKEN',
  /** The node has no answer to the read now. */
  'no-answer': 'UNINDEXED',
  /** Enough is asked of the host already; it was not tried. */
  'host-busy': 'UNINDEXED',
  'uri-syntax': 'INVALID_TOKEN_URI',
  'uri-too-long': 'INVALID_TOKEN_URI',
  /** Somewhere on the way: a name or a password in the URL. */
  'uri-credentials': 'INVALID_TOKEN_URI',
  /** Somewhere on the way: a port that is not allowed. */
  'uri-port': 'INVALID_TOKEN_URI',
  /** Somewhere on the way: an address that is not public, be it one of many of a name. */
  'uri-address': 'INVALID_TOKEN_URI',
  /** Somewhere on the way: neither `ipfs:`, `ar:`, `https:` nor `data:`; `http:` unless that is allowed. */
  'uri-scheme': 'INVALID_TOKEN_URI_SCHEME',
  'name-not-found': 'UNREACHABLE_TOKEN_URI',
  /** Refused, broken off, or not HTTP; a certificate that doesn't belong to the name. */
  connection: 'UNREACHABLE_TOKEN_URI',
  timeout: 'UNREACHABLE_TOKEN_URI',
  /** Another status than 200. */
  'http-status': 'UNREACHABLE_TOKEN_URI',
  redirects: 'UNREACHABLE_TOKEN_URI',
  /** Compressed in a way that was not asked for, or broken. */
  encoding: 'UNREACHABLE_TOKEN_URI',
  throttled: 'THROTTLED_TOKEN_URI',
  'too-large': 'METADATA_CONTENT_TOO_LARGE',
  /** By its content type no text. */
  'content-type': 'INVALID_METADATA',
  'not-json': 'INVALID_METADATA_JSON',
  'not-object': 'INVALID_METADATA',
  'too-deep': 'INVALID_METADATA',
  /** An object without any member of metadata. */
  'no-members': 'INVALID_METADATA',
  /** A fault of the worker itself. */
  fault: 'UNKNOWN',
} as const satisfies Readonly<Record<string, IndexStatus>>

/** What went wrong, finer than {@link IndexStatus}; metrics count by it. */
export type Failure = keyof typeof STATUS_OF

/** Statuses that another try may change; all others last until the chain says something new of the token. */
const PASSING: ReadonlySet<IndexStatus> = new Set([
  'UNKNOWN',
  'UNREACHABLE_TOKEN_URI',
  'THROTTLED_TOKEN_URI',
  'UNINDEXED',
])

export const isPassing = (status: IndexStatus): boolean => PASSING.has(status)
