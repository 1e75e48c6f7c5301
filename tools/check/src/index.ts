/**
 * Rules of this repository as code: directions of dependencies, browser safety and bundle sizes, README
 * examples that compile, short files, typed errors.
 *
 * @module
 */
export * as Check from './Check.ts'
export * as Consumer from './Consumer.ts'
export * as Directions from './Directions.ts'
export type { Finding, Rule, Subject, Violation } from './Rule.ts'
export * as Tarballs from './rules/Tarballs.ts'
export * as Source from './Source.ts'
export * as Workspace from './Workspace.ts'
