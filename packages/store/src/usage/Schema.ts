/**
 * The tables of usage, named as in SQL. Of requests only sums are kept, by everything that is asked for and by their time in
 * milliseconds: medians stay exact, and a flood of requests that are alike is one row an hour.
 */
export interface UsageDatabase {
  readonly usage: UsageRow
  readonly usage_writer: UsageWriterRow
  readonly usage_load: UsageLoadRow
  readonly bypass_token: BypassTokenRow
}

/** Requests of one hour that are alike. */
export interface UsageRow {
  /** Its begin, Unix seconds. */
  hour: bigint
  /** An EVM chain id in decimal, or what else the chain goes by. */
  chain_id: string
  method: string
  /** As HTTP has it. */
  status: number
  /** The name of the bypass token; empty without one. */
  token: string
  milliseconds: number
  requests: bigint
  credits: bigint
}

/** How far a writer came, so that no batch counts twice. */
export interface UsageWriterRow {
  id: Uint8Array
  sequence: bigint
}

/** A beginning of a log whose requests are counted. */
export interface UsageLoadRow {
  /** SHA-256 of the bytes up to the end of a line. */
  digest: Uint8Array
  /** How many lines these are. */
  lines: bigint
}

/** A token that lifts the limits of addresses; its text is nowhere. */
export interface BypassTokenRow {
  /** SHA-256 of the token. */
  hash: Uint8Array
  /** Its first characters. */
  hint: string
  name: string
  /** Credits a second; null: no limit. */
  credits_per_second: number | null
  /** Unix seconds. */
  created_at: bigint
  revoked_at: bigint | null
}
