/**
 * Runs golden vectors and recorded exchanges against the code.
 *
 * @packageDocumentation
 */
export * as Case from './Case.ts'
export { ConformanceError, type ConformanceErrorCode } from './ConformanceError.ts'
export { COMMAND, PROGRAM, type Write } from './main.ts'
export * as Outcome from './Outcome.ts'
export * as Recording from './Recording.ts'
export * as Report from './Report.ts'
export * as Runner from './Runner.ts'
export * as Suite from './Suite.ts'
export * as Suites from './Suites.ts'
