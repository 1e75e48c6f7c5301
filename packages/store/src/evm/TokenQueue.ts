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

/** What a token's metadata says, as text that a database holds: no U+0000, no lone surrogates, each member bounded. */
export interface Metadata {
  readonly name?: string
  readonly symbol?: string
  readonly imageUri?: string
  readonly description?: string
  readonly animationUri?: string
  readonly externalUrl?: string
  readonly background?: string
  /** JSON of what `attributes` was, an array mostly. */
  readonly attributes?: string
  /** JSON of what `properties` was, an object mostly. */
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
  /** Tries in a row that brought nothing lasting. */
  readonly attempts: number
}

/** What a try brought. */
export interface TokenOutcome extends TokenKey {
  /** As the contract gives it, '' when it gives none; bounded, and text that a database holds. */
  readonly uri: string
  readonly indexStatus: IndexStatus
  /** Of `INDEXED` alone. */
  readonly metadata: Metadata | undefined
  readonly attempts: number
  /** When it is due again, Unix seconds; undefined: not before the chain says something new of it. */
  readonly retryAt: bigint | undefined
  /** Unix seconds. */
  readonly checkedAt: bigint
}

/** The tokens to look at, where the worker takes them from and writes what came of it. */
export interface TokenQueue {
  /** At most `limit` tokens that are due at `now` (Unix seconds), those that wait longest first. */
  due(limit: number, now: bigint): Promise<readonly DueToken[]>
  /** Writes what tries brought; a token is not due again before its `retryAt`. */
  store(outcomes: readonly TokenOutcome[]): Promise<void>
}
