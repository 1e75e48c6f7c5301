/**
 * Mutation testing: changes to sources that tests should notice.
 *
 * @packageDocumentation
 */
export * as Mutation from './Mutation.ts'
