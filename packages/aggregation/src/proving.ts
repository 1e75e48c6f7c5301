/**
 * Verification of signatures only, for threads that do nothing else.
 *
 * @module
 */
export * as Prover from './Prover.ts'
