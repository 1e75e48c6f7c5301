/**
 * Databases and recorded networks for tests.
 *
 * @packageDocumentation
 */
export { openPGlite } from './pglite.ts'
export { recordedStore } from './recordedStore.ts'
export * as Recordings from './recordings.ts'
