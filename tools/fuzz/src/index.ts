/**
 * Passes mutated bytes to every decoder and to the peer stack. Code under test may only throw typed errors,
 * and must stay within limits of time and memory.
 *
 * @module
 */
export * as Mutation from './Mutation.ts'
export * as Prng from './Prng.ts'
export * as Runner from './Runner.ts'
export { ofBytes, ofText, type Session, type Target } from './Target.ts'
