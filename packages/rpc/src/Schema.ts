/**
 * Value schemas: a schema defines the shape of a value in JSON and in TypeScript. `parse` reads a node's
 * response strictly. `accept` reads an argument as leniently as the node does. `format` returns the JSON that
 * the node would send.
 */
export { encoding } from './internal/checked.ts'
export * from './internal/composites.ts'
export * from './internal/scalars.ts'
export * from './internal/schema.ts'
export type { Encoding } from './Layout.ts'
