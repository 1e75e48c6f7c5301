/**
 * The ledger in SQL: one schema for each network, one writer, any number of readers; PGlite embedded, PostgreSQL for more.
 *
 * @packageDocumentation
 */
export * as BlockchainPages from './pages/Blockchains.ts'
export * as L1ValidatorPages from './pages/L1Validators.ts'
export type { Order, PageQuery, Place } from './pages/Order.ts'
export * as SubnetPages from './pages/Subnets.ts'
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
export * as Schema from './Schema.ts'
export type { Position, Snapshot } from './Snapshot.ts'
export * as Snapshots from './Snapshot.ts'
export * as StateDigest from './StateDigest.ts'
export { type Log, type Network, type Options, Store, schemaOf } from './Store.ts'
export { StoreError, type StoreErrorCode } from './StoreError.ts'
export { type Accepted, type Opened, Writer } from './Writer.ts'
