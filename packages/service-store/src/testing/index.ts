/**
 * Usage tables for tests.
 *
 * @packageDocumentation
 */
export { openUsage } from './usage.ts'
