/**
 * Random values of codecs for property tests with fast-check.
 *
 * @packageDocumentation
 */
export { arbitrary } from './arbitrary.ts'
