/**
 * Checks and rehearsals of what the repository offers to operators.
 *
 * @packageDocumentation
 */
export * as Dockerfile from './Dockerfile.ts'
