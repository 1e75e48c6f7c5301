/**
 * Value schemas: one value defines the shape in JSON and in TypeScript. `parse` reads a node's response
 * strictly. `accept` reads an argument as leniently as the node. `format` writes the JSON that the node would
 * write.
 */
export * from './internal/composites.ts'
export * from './internal/scalars.ts'
export * from './internal/schema.ts'
