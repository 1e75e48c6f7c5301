import { Bytes, type Codec } from '@firn/codec'
import type { Records } from '@firn/ledger'
import * as RecordCodec from '../RecordCodec.ts'
import type { Database, VersionRow, VersionTable } from '../Schema.ts'
import { addressesOf } from './addresses.ts'

/** The ledger's tables that are stored in versions. */
export type Versioned = Exclude<Records.TableName, 'utxo' | 'tip'>

/** Describes how a table of the ledger is stored. */
interface Kind<Name extends Versioned, Table extends VersionTable> {
  readonly table: Table
  readonly codec: Codec.Codec<Records.Records[Name]>
  readonly key: (record: Records.Records[Name]) => Uint8Array
  /**
   * Returns the values of the columns that this table has in addition to the columns of all version tables.
   */
  readonly columns: (record: Records.Records[Name]) => Omit<Database[Table], keyof VersionRow>
}

const kind = <Name extends Versioned, Table extends VersionTable>(kind: Kind<Name, Table>) => kind

/** How each of the ledger's versioned tables is stored, by the ledger's table name. */
export const KINDS = {
  staker: kind<'staker', 'staker'>({
    table: 'staker',
    codec: RecordCodec.staker,
    key: ({ txId }) => txId,
    columns: (staker) => ({
      subnet_id: staker.subnetId,
      node_id: staker.nodeId,
      role: staker.role,
      kind: staker.kind,
      status: staker.status,
      priority: staker.priority,
      start_time: staker.startTime,
      end_time: staker.endTime,
      weight: staker.weight,
      stake_addresses: unique(staker.stake.flatMap(({ output }) => addressesOf(output))),
      reward_addresses: unique(rewardAddresses(staker)),
    }),
  }),
  subnet: kind<'subnet', 'subnet'>({
    table: 'subnet',
    codec: RecordCodec.subnet,
    key: ({ subnetId }) => subnetId,
    columns: ({ height, ordinal }) => ({ created_height: height, created_ordinal: ordinal }),
  }),
  chain: kind<'chain', 'blockchain'>({
    table: 'blockchain',
    codec: RecordCodec.chain,
    key: ({ blockchainId }) => blockchainId,
    columns: ({ subnetId, height, ordinal }) => ({
      subnet_id: subnetId,
      created_height: height,
      created_ordinal: ordinal,
    }),
  }),
  supply: kind<'supply', 'supply'>({
    table: 'supply',
    codec: RecordCodec.supply,
    key: ({ subnetId }) => subnetId,
    columns: () => ({}),
  }),
  l1Validator: kind<'l1Validator', 'l1_validator'>({
    table: 'l1_validator',
    codec: RecordCodec.l1Validator,
    key: ({ validationId }) => validationId,
    columns: ({ subnetId, nodeId, weight, endAccumulatedFee }) => ({
      subnet_id: subnetId,
      node_id: nodeId,
      weight,
      active: endAccumulatedFee > 0n,
      end_accumulated_fee: endAccumulatedFee,
    }),
  }),
  expiry: kind<'expiry', 'expiry'>({
    table: 'expiry',
    codec: RecordCodec.expiry,
    key: (record) => RecordCodec.expiry.encode(record),
    columns: () => ({}),
  }),
  member: kind<'member', 'member'>({
    table: 'member',
    codec: RecordCodec.member,
    key: ({ subnetId, nodeId }) => Bytes.concat(subnetId, nodeId),
    columns: ({ subnetId, nodeId, weight, publicKey }) => ({
      subnet_id: subnetId,
      node_id: nodeId,
      weight,
      public_key: publicKey ?? null,
    }),
  }),
  asset: kind<'asset', 'asset'>({
    table: 'asset',
    codec: RecordCodec.asset,
    key: ({ assetId }) => assetId,
    columns: ({ name, symbol, denomination }) => ({ name, symbol, denomination }),
  }),
} as const

/** The names of the ledger's tables that are stored in versions. */
export const VERSIONED = Object.keys(KINDS) as Versioned[]

/**
 * Returns the addresses that receive a staker's rewards, including a validator's share of its delegators' rewards.
 */
export function rewardAddresses(staker: Records.Staker): readonly Uint8Array[] {
  return [...(staker.rewardsOwner?.addresses ?? []), ...(staker.delegationRewardsOwner?.addresses ?? [])]
}

/** Returns the addresses in ascending order, without duplicates. */
export function unique(addresses: readonly Uint8Array[]): Uint8Array[] {
  if (addresses.length < 2) return [...addresses]
  return addresses
    .toSorted(Bytes.compare)
    .filter((address, i, all) => i === 0 || !Bytes.equals(all[i - 1] as Uint8Array, address))
}
