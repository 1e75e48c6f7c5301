import type { Kysely } from 'kysely'

/** What services keep beside a ledger, in its schema. */
export interface ServiceTables {
  readonly api_key: ApiKeyRow
  readonly secret: SecretRow
}

/** Whoever has these tables: the store of a network, or of an EVM chain. */
export interface ServiceStore {
  readonly db: Kysely<ServiceTables>
}

/** A key of the REST service; its text is nowhere. */
export interface ApiKeyRow {
  /** SHA-256 of the key. */
  hash: Uint8Array
  /** Its first characters. */
  hint: string
  name: string
  scopes: string[]
  /** Compute units; null: those of the service. */
  units_per_minute: number | null
  units_per_day: number | null
  /** Unix seconds. */
  created_at: bigint
  revoked_at: bigint | null
}

/** What all replicas of a service share and nobody else knows. */
export interface SecretRow {
  name: string
  value: Uint8Array
}
