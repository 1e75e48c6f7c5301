import {
  bool,
  bytea,
  int4,
  int8,
  nullable,
  type RowsOf,
  table,
  text,
  timestamptz,
  withDefault,
} from '@firn/sql/table'
import { API_TABLES } from './apiTables.ts'

/**
 * The tables of usage statistics. They store only the number of requests for each combination of properties
 * and duration in milliseconds. Medians are therefore exact, and any number of identical requests takes one
 * row per hour.
 */
export const USAGE_TABLES = {
  ...API_TABLES,
  /** Counts of identical requests within one hour. */
  usage: table({
    columns: {
      /** Start of the hour, in Unix seconds. */
      hour: int8,
      /** EVM chain id in decimal, or another name of the chain. */
      chain_id: text,
      method: text,
      /** HTTP status code of the response. */
      status: int4,
      /** Name of the bypass token; empty if the request had none. */
      token: text,
      milliseconds: int4,
      requests: int8,
      credits: int8,
    },
    primaryKey: ['hour', 'chain_id', 'method', 'status', 'token', 'milliseconds'],
  }),
  /** The last batch of each writer, so that no batch is counted twice. */
  usage_writer: table({ columns: { id: bytea, sequence: int8 }, primaryKey: ['id'] }),
  /** Log files whose first lines are already counted. A file is identified by the digest of these lines. */
  usage_load: table({
    columns: {
      /** SHA-256 of the log's bytes up to the end of a line. */
      digest: bytea,
      /** Number of lines that the digest covers. */
      lines: int8,
    },
    primaryKey: ['digest'],
  }),
  /** Exports, as jobs that several processes share. The package `jobs` defines the columns. */
  job: table({
    columns: {
      id: text,
      /** Id of the API key that started the job; null if there was none. */
      owner: nullable(text),
      caller: text,
      /** The work, as JSON; empty after the end. */
      task: text,
      created_at: withDefault(timestamptz, 'clock_timestamp()'),
      attempt: withDefault(int4, '1'),
      holder: text,
      leased_until: timestamptz,
      progress: nullable(text),
      is_done: nullable(bool),
      body: nullable(text),
      finished_at: nullable(timestamptz),
    },
    primaryKey: ['id'],
    indexes: ['(leased_until) where finished_at is null', '(finished_at) where finished_at is not null'],
  }),
  /** Parts of the file that an export writes. A part and the progress are stored in one transaction. */
  job_part: table({
    columns: {
      job_id: text,
      sequence: int4,
      bytes: bytea,
      /** Size of the part in the file. */
      size: int4,
      /** What the end of the file must say about the part, as JSON; null for most formats. */
      summary: nullable(text),
    },
    primaryKey: ['job_id', 'sequence'],
  }),
  /** Bypass tokens, which lift the rate limits of addresses. Only the hash of a token is stored. */
  bypass_token: table({
    columns: {
      /** SHA-256 hash of the token. */
      hash: bytea,
      /** First characters of the token, which help to recognize it. */
      hint: text,
      name: text,
      /** Maximum number of credits per second; null for no limit. */
      credits_per_second: nullable(int4),
      /** Time of creation in Unix seconds. */
      created_at: int8,
      revoked_at: nullable(int8),
      /** Time of the insertion, which determines the order of tokens that were created in the same second. */
      added_at: withDefault(timestamptz, 'clock_timestamp()'),
    },
    primaryKey: ['hash'],
    uniqueIndexes: ['(name) where revoked_at is null'],
  }),
}

export type UsageDatabase = RowsOf<typeof USAGE_TABLES>
export type UsageRow = UsageDatabase['usage']
export type BypassTokenRow = UsageDatabase['bypass_token']
