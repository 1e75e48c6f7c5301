/**
 * Databases and statements for tests.
 *
 * @packageDocumentation
 */
export { type Entry, readCatalog } from './catalog.ts'
export { codeOf } from './codes.ts'
export { database } from './database.ts'
export { CITUS_URL, eachKind, type Kind, type TestStore } from './databases.ts'
export { describeMigrations, type SchemaKind } from './describeMigrations.ts'
export { emptyCluster } from './emptyCluster.ts'
export { emptyDatabase } from './emptyDatabase.ts'
export { migrationsModule } from './migrationsModule.ts'
export { borrowPGlite } from './pglite.ts'
export * as TestPostgres from './postgres.ts'
export { explain, interrupted, type Listening, listening, type Statement } from './statements.ts'
export { STEP } from './step.ts'
