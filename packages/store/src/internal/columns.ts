import type { Database } from '../Schema.ts'
import { bool, bytea, byteas, type Columns, int4, int8, numeric, TableRows, text } from './rows.ts'

/** The tables whose rows come in bulk. */
export type BulkTable = Exclude<keyof Database, 'network' | 'writer' | 'cursor' | 'api_key' | 'secret'>

const version = { key: bytea, since: int8, until: int8, ordinal: int4, body: bytea }
const member = { subnet_id: bytea, node_id: bytea, weight: numeric }
const created = { created_height: int8, created_ordinal: int4 }

/** The columns of each table, as they are copied. */
export const COLUMNS: { readonly [T in BulkTable]: Columns<Database[T]> } = {
  block: {
    chain: text,
    height: int8,
    id: bytea,
    parent_id: bytea,
    time: int8,
    container_id: bytea,
    container: bytea,
    inner_offset: int4,
    inner_length: int4,
    accepted_at: int8,
    transactions: int4,
    state: bytea,
    digest: bytea,
  },
  transaction: {
    chain: text,
    height: int8,
    position: int4,
    id: bytea,
    name: text,
    status: text,
    decided_height: int8,
    bytes: bytea,
  },
  transaction_address: { chain: text, address: bytea, name: text, height: int8, position: int4 },
  utxo: {
    id: bytea,
    chain: text,
    source: text,
    height: int8,
    ordinal: int4,
    time: int8,
    tx_id: bytea,
    output_index: int4,
    asset_id: bytea,
    output: bytea,
    output_type: int4,
    amount: numeric,
    locktime: numeric,
    stakeable_locktime: numeric,
    threshold: int4,
    addresses: byteas,
    origin: text,
    reward_tx_id: bytea,
    consumed_height: int8,
    consumed_tx_id: bytea,
    consumed_time: int8,
  },
  utxo_address: {
    address: bytea,
    chain: text,
    source: text,
    height: int8,
    ordinal: int4,
    id: bytea,
    consumed_height: int8,
  },
  staker: {
    ...version,
    ...member,
    role: text,
    kind: text,
    status: text,
    priority: int4,
    start_time: int8,
    end_time: int8,
    stake_addresses: byteas,
    reward_addresses: byteas,
  },
  subnet: { ...version, ...created },
  blockchain: { ...version, subnet_id: bytea, ...created },
  supply: version,
  l1_validator: { ...version, ...member, active: bool, end_accumulated_fee: numeric },
  expiry: version,
  member: { ...version, ...member, public_key: bytea },
  asset: { ...version, name: text, symbol: text, denomination: int4 },
}

/** The tables in the order in which they are written and digested. */
export const BULK_TABLES = Object.keys(COLUMNS) as BulkTable[]

/** No rows of a table yet. */
export function rowsOf<T extends BulkTable>(table: T): TableRows<Database[T]> {
  return new TableRows<Database[T]>(table, COLUMNS[table])
}
