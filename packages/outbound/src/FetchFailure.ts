/** Reasons why a document could not be fetched. They are labels in metrics. */
export const FETCH_FAILURES = [
  /** The URL, or the target of a redirect, contains a user name or a password. */
  'uri-credentials',
  /** The URL, or the target of a redirect, uses a port that is not allowed. */
  'uri-port',
  /** The host of the URL, or of a redirect's target, has at least one address that is not public. */
  'uri-address',
  /** The URL, or the target of a redirect, has a scheme that is not allowed. */
  'uri-scheme',
  'name-not-found',
  /**
   * The connection was refused or lost, the server does not speak HTTP, or the certificate does not match the
   * name.
   */
  'connection',
  'timeout',
  /** The server returned a status other than 200. */
  'http-status',
  'redirects',
  /** The body is compressed with an encoding that was not requested, or is corrupt. */
  'encoding',
  'throttled',
  'too-large',
  /** The content type is neither JSON, text nor plain bytes. */
  'content-type',
] as const

/** Reason why a document could not be fetched. */
export type FetchFailure = (typeof FETCH_FAILURES)[number]
