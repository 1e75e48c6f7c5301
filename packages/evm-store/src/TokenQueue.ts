/** All possible results of fetching a token's metadata. The Data API uses the same values. */
export const INDEX_STATUSES = [
  'UNKNOWN',
  'MISSING_TOKEN',
  'INVALID_TOKEN_URI',
  'INVALID_TOKEN_URI_SCHEME',
  'UNREACHABLE_TOKEN_URI',
  'THROTTLED_TOKEN_URI',
  'METADATA_CONTENT_TOO_LARGE',
  'INVALID_METADATA',
  'INVALID_METADATA_JSON',
  'INDEXED',
  'UNINDEXED',
] as const

export type IndexStatus = (typeof INDEX_STATUSES)[number]

/**
 * The metadata of a token, with strings that a database can store: no U+0000, no lone surrogates, and each
 * member limited in length.
 */
export interface Metadata {
  readonly name?: string
  readonly symbol?: string
  readonly imageUri?: string
  readonly description?: string
  readonly animationUri?: string
  readonly externalUrl?: string
  readonly background?: string
  /** The member `attributes` as JSON, usually an array. */
  readonly attributes?: string
  /** The member `properties` as JSON, usually an object. */
  readonly properties?: string
  /** Number of digits after the decimal point of an amount (0 to 255), for ERC-1155 tokens only. */
  readonly decimals?: number
}

export interface TokenKey {
  /** Address of the contract (20 bytes). */
  readonly contract: Uint8Array
  /** Id of the token, from 0 to 2^256-1. */
  readonly tokenId: bigint
}

/** A token whose URI or metadata must be fetched. */
export interface DueToken extends TokenKey {
  readonly kind: 721 | 1155
  /** Number of consecutive attempts that failed for a temporary reason. */
  readonly attempts: number
}

/** The result of one attempt to fetch a token's metadata. */
export interface TokenOutcome extends TokenKey {
  /**
   * URI that the contract returns, or '' if it returns none. The caller has limited its length and removed characters
   * that a database cannot store.
   */
  readonly uri: string
  readonly indexStatus: IndexStatus
  /** The metadata, only if the status is `INDEXED`. */
  readonly metadata: Metadata | undefined
  readonly attempts: number
  /**
   * Time from which the token is due again, in Unix seconds. Undefined if it is not tried again unless a caller
   * requests it.
   */
  readonly retryAt: bigint | undefined
  /** Time of the attempt in Unix seconds. */
  readonly checkedAt: bigint
}

/** The queue of tokens to check. The metadata worker takes tokens from it and writes the results to it. */
export interface TokenQueue {
  /**
   * Returns at most `limit` tokens that are due at `now` (Unix seconds). The tokens that have waited longest
   * come first.
   */
  due(limit: number, now: bigint): Promise<readonly DueToken[]>
  /** Stores the results of attempts. A token is not due again before its `retryAt`. */
  store(outcomes: readonly TokenOutcome[]): Promise<void>
}
