/**
 * Runs every shell command of every README as a new user would.
 *
 * @packageDocumentation
 */
export * as Block from './Block.ts'
export * as Fences from './Fences.ts'
export { main } from './main.ts'
export * as Placeholders from './Placeholders.ts'
export { ReadmesError, type ReadmesErrorCode } from './ReadmesError.ts'
export * as Shell from './Shell.ts'
