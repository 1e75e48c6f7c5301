/**
 * Random codec values for property tests with fast-check.
 *
 * @packageDocumentation
 */
export { arbitrary } from './arbitrary.ts'
