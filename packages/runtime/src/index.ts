/**
 * The clock, logger and back-off that Firn's packages and services take as options.
 * @module
 */
export { type BackoffOptions, backoff, pause } from './Backoff.ts'
export { type Clock, systemClock } from './Clock.ts'
export { type Logger, silentLogger } from './Logger.ts'
