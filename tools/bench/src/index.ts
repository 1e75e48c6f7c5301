/**
 * Runs the benchmarks of the workspace.
 * @module
 */
export * as Contest from './Contest.ts'
export * as RoundTrip from './RoundTrip.ts'
export * as Table from './Table.ts'
