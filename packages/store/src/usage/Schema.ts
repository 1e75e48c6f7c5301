import { bytea, int4, int8, nullable, type RowsOf, table, text } from '../internal/Table.ts'

/**
 * The tables of usage. Only sums of requests are stored, by everything that can be queried and by their duration in milliseconds:
 * medians stay exact, and any number of identical requests is one row per hour.
 */
export const USAGE_TABLES = {
  /** Identical requests of one hour. */
  usage: table({
    columns: {
      /** Its start, Unix seconds. */
      hour: int8,
      /** An EVM chain id in decimal, or another name of the chain. */
      chain_id: text,
      method: text,
      /** The HTTP status. */
      status: int4,
      /** The name of the bypass token; empty without one. */
      token: text,
      milliseconds: int4,
      requests: int8,
      credits: int8,
    },
    primaryKey: ['hour', 'chain_id', 'method', 'status', 'token', 'milliseconds'],
  }),
  /** The last batch of each writer, so that no batch counts twice. */
  usage_writer: table({ columns: { id: bytea, sequence: int8 }, primaryKey: ['id'] }),
  /** Prefixes of logs whose requests are counted. */
  usage_load: table({
    columns: {
      /** SHA-256 of the bytes up to the end of a line. */
      digest: bytea,
      /** The number of those lines. */
      lines: int8,
    },
    primaryKey: ['digest'],
  }),
  /** Tokens that lift the limits of addresses; their text is not stored. */
  bypass_token: table({
    columns: {
      /** SHA-256 of the token. */
      hash: bytea,
      /** Its first characters. */
      hint: text,
      name: text,
      /** Credits per second; null: no limit. */
      credits_per_second: nullable(int4),
      /** Unix seconds. */
      created_at: int8,
      revoked_at: nullable(int8),
    },
    primaryKey: ['hash'],
    uniqueIndexes: ['(name) where revoked_at is null'],
  }),
}

export type UsageDatabase = RowsOf<typeof USAGE_TABLES>
export type UsageRow = UsageDatabase['usage']
export type BypassTokenRow = UsageDatabase['bypass_token']
