/**
 * A clock for tests and simulations.
 *
 * @packageDocumentation
 */
export { createFakeClock, type FakeClock, settle } from './FakeClock.ts'
export { createTimerClock } from './TimerClock.ts'
export { until } from './until.ts'
