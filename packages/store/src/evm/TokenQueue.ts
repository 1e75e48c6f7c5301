/** How fetching a token's metadata ended; the closed set of the Data API. */
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
 * The content of a token's metadata, as text that a database can store: no U+0000, no lone surrogates, each
 * member bounded.
 */
export interface Metadata {
  readonly name?: string
  readonly symbol?: string
  readonly imageUri?: string
  readonly description?: string
  readonly animationUri?: string
  readonly externalUrl?: string
  readonly background?: string
  /** The JSON of `attributes`, usually an array. */
  readonly attributes?: string
  /** The JSON of `properties`, usually an object. */
  readonly properties?: string
  /** ERC-1155: digits after the point of an amount, 0 to 255. */
  readonly decimals?: number
}

export interface TokenKey {
  /** Address, 20 bytes. */
  readonly contract: Uint8Array
  /** 0 to 2^256-1. */
  readonly tokenId: bigint
}

/** A token whose URI or metadata is due. */
export interface DueToken extends TokenKey {
  readonly kind: 721 | 1155
  /** The number of consecutive attempts without a lasting result. */
  readonly attempts: number
}

/** The result of an attempt. */
export interface TokenOutcome extends TokenKey {
  /** As the contract returns it, '' when it returns none; bounded, and storable as text. */
  readonly uri: string
  readonly indexStatus: IndexStatus
  /** Only for `INDEXED`. */
  readonly metadata: Metadata | undefined
  readonly attempts: number
  /** When it is due again, Unix seconds; undefined when it is not due until the chain has news of it. */
  readonly retryAt: bigint | undefined
  /** Unix seconds. */
  readonly checkedAt: bigint
}

/** The queue of tokens to check, from which the worker takes them and to which it writes the results. */
export interface TokenQueue {
  /** Returns at most `limit` tokens that are due at `now` (Unix seconds), the longest waiting first. */
  due(limit: number, now: bigint): Promise<readonly DueToken[]>
  /** Stores the results of attempts; a token is not due again before its `retryAt`. */
  store(outcomes: readonly TokenOutcome[]): Promise<void>
}
