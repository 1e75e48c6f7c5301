/**
 * Statements, transactions, COPY, migrations and write leases on PGlite or PostgreSQL. Tables are declared with
 * `@firn/sql/table`.
 *
 * @packageDocumentation
 */
export { Advances, channelName } from './Advances.ts'
export { formatArray, toKey } from './arrays.ts'
export { assertFence } from './assertFence.ts'
export { columnDefinition, createStatements } from './createStatements.ts'
export type { DatabaseOptions } from './DatabaseOptions.ts'
export type { Driver, Row, Session } from './Driver.ts'
export { Lease, type LeasedStore, type LeaseHolder, type LeaseOptions, lockFence } from './Lease.ts'
export type { Log } from './Log.ts'
export { assertCurrent, isOutdated, type Migrations, migrate, splitStatements } from './Migrations.ts'
export { migrated } from './migrated.ts'
export { type DriverOptions, openDriver } from './openDriver.ts'
export { behind, type Order, orderBy, type PageQuery, type Place, pageBy } from './Page.ts'
export { Partitions, SPAN } from './Partitions.ts'
export { PostgresServer, type PostgresServerOptions } from './PostgresServer.ts'
export { prepared } from './prepared.ts'
export { DATABASE, fetchFirst, fetchRecords, fetchRows, insertRow, type Queryable } from './Queryable.ts'
export { StoreError, type StoreErrorCode } from './StoreError.ts'
export { commitSettings, PLANS, PLANS_WITHOUT_WAIT, setLocal } from './settings.ts'
export { shareReads, shareReadsPerStore } from './shareReads.ts'
export { type CopyTarget, TableRows } from './TableRows.ts'
