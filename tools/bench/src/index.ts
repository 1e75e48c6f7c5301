/**
 * Runs the benchmarks that stand beside the code.
 * @module
 */
export * as Contest from './Contest.ts'
export * as RoundTrip from './RoundTrip.ts'
export * as Table from './Table.ts'
