/**
 * Value schemas: one value says how something looks in JSON and in TypeScript. `parse` reads a node's answer strictly,
 * `accept` reads an argument with the leniency of the node, `format` writes the JSON that the node would write.
 */
export * from './internal/composites.ts'
export * from './internal/scalars.ts'
export * from './internal/schema.ts'
