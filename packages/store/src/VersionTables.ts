import {
  bool,
  bytea,
  byteas,
  type CopyColumn,
  int4,
  int8,
  nullable,
  oneOf,
  table,
  text,
  uint64,
} from '@firn/sql/table'

/** Columns that all tables with versions of records have. */
const version = {
  key: bytea,
  since: int8,
  until: nullable(int8),
  /** Position of the version among all versions of its table that start at the height `since`. */
  ordinal: int4,
  /** The encoded record; see `RecordCodec`. */
  body: bytea,
}

/** Defines a table that keeps one version of a record for each height at which the record changed. */
function versioned<Columns extends Readonly<Record<string, CopyColumn>>>(
  columns: Columns,
  indexes: readonly string[] = [],
) {
  return table<typeof version & Columns>({
    columns: { ...version, ...columns },
    primaryKey: ['key', 'since'],
    // Only one version of a record is current. Queries of past state search by the height at which a version
    // ended.
    uniqueIndexes: ['(key) where until is null'],
    indexes: ['(until)', ...indexes],
  })
}

const validator = { subnet_id: bytea, node_id: bytea, weight: uint64 }
const created = { created_height: int8, created_ordinal: int4 }

/** Tables that keep versions of records. */
export const VERSION_TABLES = {
  /** Stakers; the key is the id of the transaction that added the staker. */
  staker: versioned(
    {
      ...validator,
      role: oneOf('validator', 'delegator'),
      kind: oneOf('primary', 'permissioned', 'permissionless'),
      status: oneOf('pending', 'current'),
      priority: int4,
      start_time: int8,
      end_time: int8,
      /** Owners of the staked outputs. */
      stake_addresses: byteas,
      /** Addresses that receive rewards, including the validator's share of its delegators' rewards. */
      reward_addresses: byteas,
    },
    [
      '(subnet_id, node_id)',
      'using gin (stake_addresses)',
      'using gin (reward_addresses)',
      '(start_time) where until is null',
      '(role, start_time, key) where until is null',
      '(role, start_time, key) where until is not null',
      `(start_time, key) where until is not null and kind = 'permissioned'`,
      '(node_id, role, until)',
    ],
  ),
  /** Subnets; the key is the subnet's id. */
  subnet: versioned(created, ['(created_height desc, created_ordinal desc)']),
  /** Blockchains; the key is the blockchain's id. */
  blockchain: versioned({ subnet_id: bytea, ...created }, [
    '(subnet_id)',
    '(created_height desc, created_ordinal desc)',
  ]),
  supply: versioned({}),
  /** L1 validators; the key is the validation id. */
  l1_validator: versioned({ ...validator, active: bool, end_accumulated_fee: uint64 }, [
    '(subnet_id, node_id)',
    '(node_id)',
    '(key, since desc)',
  ]),
  expiry: versioned({}),
  /**
   * Members of validator sets; the key is the subnet id followed by the node id. One query returns the
   * validator set at any height.
   */
  member: versioned(
    {
      ...validator,
      /** BLS public key (48 bytes). */
      public_key: nullable(bytea),
    },
    ['(subnet_id, until)'],
  ),
  /** Assets; the key is the asset's id, and `since` is a height of the X-chain. */
  asset: versioned({ name: text, symbol: text, denomination: int4 }),
}
