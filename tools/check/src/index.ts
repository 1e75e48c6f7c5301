/**
 * The rules of this house as code: which way things depend, what runs in a browser and how much it weighs, README
 * examples that compile, short files, typed errors.
 *
 * @module
 */
export * as Check from './Check.ts'
export * as Directions from './Directions.ts'
export type { Finding, Rule, Subject, Violation } from './Rule.ts'
export * as Source from './Source.ts'
export * as Workspace from './Workspace.ts'
