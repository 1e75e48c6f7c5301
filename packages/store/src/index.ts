/**
 * The ledger in SQL: one schema for each network, one writer, any number of readers; PGlite embedded, PostgreSQL for more.
 *
 * @packageDocumentation
 */
export type { Accepted } from './Accepted.ts'
export * as ApiKeys from './ApiKeys.ts'
export {
  type DueToken,
  INDEX_STATUSES,
  type IndexStatus,
  type Metadata,
  type TokenKey,
  type TokenOutcome,
  type TokenQueue,
} from './evm/TokenQueue.ts'
export { Lease, type LeasedStore, type LeaseHolder, type LeaseOptions } from './Lease.ts'
export type { Log } from './Log.ts'
export * as Activity from './pages/Activity.ts'
export * as AssetNames from './pages/AssetNames.ts'
export * as AssetTransactions from './pages/AssetTransactions.ts'
export * as Balances from './pages/Balances.ts'
export * as BlockchainPages from './pages/Blockchains.ts'
export * as BlockPages from './pages/Blocks.ts'
export * as L1ValidatorPages from './pages/L1Validators.ts'
export * as Moments from './pages/Moments.ts'
export type { Order, PageQuery, Place } from './pages/Order.ts'
export * as RewardPages from './pages/Rewards.ts'
export * as StakeHistory from './pages/StakeHistory.ts'
export * as StakerPages from './pages/Stakers.ts'
export * as StakeTotals from './pages/StakeTotals.ts'
export * as Stakings from './pages/Stakings.ts'
export * as SubnetPages from './pages/Subnets.ts'
export * as TransactionPages from './pages/Transactions.ts'
export * as TransactionUtxos from './pages/TransactionUtxos.ts'
export * as UtxoPages from './pages/Utxos.ts'
export * as Assets from './read/Assets.ts'
export * as Blockchains from './read/Blockchains.ts'
export * as Blocks from './read/Blocks.ts'
export * as L1Validators from './read/L1Validators.ts'
export * as Stakers from './read/Stakers.ts'
export * as Subnets from './read/Subnets.ts'
export * as Supplies from './read/Supplies.ts'
export * as Tips from './read/Tips.ts'
export * as Transactions from './read/Transactions.ts'
export * as Utxos from './read/Utxos.ts'
export * as Validators from './read/Validators.ts'
export type * as Schema from './Schema.ts'
export * as Secrets from './Secrets.ts'
export type { ApiKeyRow, SecretRow, ServiceStore, ServiceTables } from './ServiceTables.ts'
export type { Position, Snapshot } from './Snapshot.ts'
export * as Snapshots from './Snapshot.ts'
export * as StateDigest from './StateDigest.ts'
export { type Network, type Options, Store, schemaOf } from './Store.ts'
export * as StoredNetworks from './StoredNetworks.ts'
export { StoreError, type StoreErrorCode } from './StoreError.ts'
export * as BypassTokens from './usage/BypassTokens.ts'
export * as UsageLoads from './usage/UsageLoads.ts'
export * as UsageMetrics from './usage/UsageMetrics.ts'
export type { UsageRequest } from './usage/UsageRequest.ts'
export { type UsageOptions, UsageStore } from './usage/UsageStore.ts'
export { UsageSums } from './usage/UsageSums.ts'
export { UsageWriter, type UsageWriterOptions } from './usage/UsageWriter.ts'
export { type Opened, Writer } from './Writer.ts'
