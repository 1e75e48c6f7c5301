/**
 * Storage of the ledger in SQL, with one schema for each network, one writer and any number of readers.
 * PGlite is the embedded database; PostgreSQL serves larger deployments.
 *
 * @packageDocumentation
 */
export type { Accepted, AcceptedVertices } from './Accepted.ts'
export * as Assets from './assets/Assets.ts'
export * as Blockchains from './blockchains/Blockchains.ts'
export * as Blocks from './blocks/index.ts'
export * as Databases from './Databases.ts'
export * as Derivation from './Derivation.ts'
export * as FetchedBlocks from './FetchedBlocks.ts'
export * as FetchedVertices from './FetchedVertices.ts'
export * as StakingRewards from './rewards/StakingRewards.ts'
export type * as Schema from './Schema.ts'
export type { Position, Snapshot } from './Snapshot.ts'
export * as Snapshots from './Snapshot.ts'
export * as SnapshotFile from './SnapshotFile.ts'
export * as StateDigest from './StateDigest.ts'
export { type Network, type Options, Store, schemaOf } from './Store.ts'
export * as StoredNetworks from './StoredNetworks.ts'
export * as Stakers from './stakers/index.ts'
export * as Subnets from './subnets/Subnets.ts'
export * as Supplies from './subnets/Supplies.ts'
export * as Transactions from './transactions/index.ts'
export * as Utxos from './utxos/index.ts'
export * as L1Validators from './validators/L1Validators.ts'
export * as Validators from './validators/Validators.ts'
export * as Vertices from './vertices/Vertices.ts'
export { type OpenResult, Writer, type WriterOptions } from './Writer.ts'
