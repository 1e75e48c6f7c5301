/**
 * Runs mutated bytes on every decoder and on the peer stack. Only typed errors are allowed, within limits of
 * time and memory.
 *
 * @module
 */
export * as Mutation from './Mutation.ts'
export * as Prng from './Prng.ts'
export * as Runner from './Runner.ts'
export { ofBytes, ofText, type Session, type Target } from './Target.ts'
