import type { DATABASE, Driver, Queryable } from '@firn/sql'
import {
  bool,
  bytea,
  int4,
  int8,
  nullable,
  type RowOf,
  type RowsOf,
  table,
  text,
  texts,
  timestamptz,
  withDefault,
} from '@firn/sql/table'
import { WEBHOOK_TABLES } from './webhooks/WebhookTables.ts'

/** The tables that services and writers use in addition to the data of a network or an EVM chain. */
export const SERVICE_TABLES = {
  /** API keys of callers. Only the hash of a key is stored, not the key itself. */
  api_key: table({
    columns: {
      /** SHA-256 hash of the key. */
      hash: bytea,
      /** First characters of the key, which help to recognize it. */
      hint: text,
      name: text,
      scopes: texts,
      /** Maximum number of compute units per minute; null if the limit of the service applies. */
      units_per_minute: nullable(int4),
      units_per_day: nullable(int4),
      /** Time of creation in Unix seconds. */
      created_at: int8,
      revoked_at: nullable(int8),
      /** Time of the insertion, which determines the order of keys that were created in the same second. */
      added_at: withDefault(timestamptz, 'clock_timestamp()'),
    },
    primaryKey: ['hash'],
  }),
  /** Secrets that all replicas of a service share. */
  secret: table({ columns: { name: text, value: bytea }, primaryKey: ['name'] }),
  /** The last result of each kind of check of the stored data, such as the result of `firn doctor`. */
  check_result: table({
    columns: {
      /** What was checked, such as `doctor`. */
      kind: text,
      /** Time of its end in Unix seconds. */
      finished_at: int8,
      milliseconds: int8,
      /** Whether the check ran to its end. */
      is_complete: bool,
      finding_count: int4,
      /** The first findings. */
      findings: texts,
    },
    primaryKey: ['kind'],
  }),
  /** Holder and expiry of the schema's write lease; see `Lease`. The table has one row. */
  lease: table({ columns: { holder: nullable(text), expires_at: nullable(timestamptz) } }),
  ...WEBHOOK_TABLES,
}

export type ServiceTables = RowsOf<typeof SERVICE_TABLES>
export type ApiKeyRow = RowOf<typeof SERVICE_TABLES.api_key>
export type CheckResultRow = RowOf<typeof SERVICE_TABLES.check_result>
export type SecretRow = RowOf<typeof SERVICE_TABLES.secret>

/** A store that has the service tables: the store of a network or of an EVM chain. */
export interface ServiceStore {
  readonly [DATABASE]: Queryable[typeof DATABASE]
  /** The database driver. For this package only. */
  readonly driver: Driver
}
