import { OpenApiComponents } from '@firn/http'
import { type TSchema, Type } from 'typebox'

/** A JSON schema with a description and an example. Every member of an answer has both, so they cannot be forgotten. */
export type Schema = TSchema & {
  readonly description: string
  readonly examples: readonly unknown[]
}

/** Members of an object by name. */
export type Members = Readonly<Record<string, Schema>>

/** A named object. The OpenAPI document contains it once, under this name. */
export type ObjectSchema = Schema & { readonly title: string; readonly properties: Members }

type Options = Readonly<Record<string, unknown>>

/** Returns the schema of a string. */
export function text(description: string, example: string, options: Options = {}): Schema {
  return documented(Type.String({ ...options, description, examples: [example] }))
}

/** Returns the schema of a whole number. */
export function integer(description: string, example: number, options: Options = {}): Schema {
  return documented(Type.Integer({ ...options, description, examples: [example] }))
}

/** Returns the schema of a number. */
export function number(description: string, example: number, options: Options = {}): Schema {
  return documented(Type.Number({ ...options, description, examples: [example] }))
}

/** Returns the schema of a truth value. */
export function flag(description: string, example: boolean): Schema {
  return documented(Type.Boolean({ description, examples: [example] }))
}

/** Returns the schema of one of several words. By default, the first one is the example. */
export function choice(words: readonly string[], description: string, example = words[0]): Schema {
  return documented(Type.Enum([...words], { type: 'string', description, examples: [example] }))
}

/** Returns the schema of a fixed word. */
export function constant(word: string, description: string): Schema {
  return documented(Type.Literal(word, { description, examples: [word] }))
}

/** Returns the schema of `null`. */
export function nothing(description: string): Schema {
  return documented(Type.Null({ description, examples: [null] }))
}

/** Returns the schema of any JSON value. */
export function any(description: string, example: unknown): Schema {
  return documented(Type.Unknown({ description, examples: [example] }))
}

/** Returns the schema of an array. Its example has one element. */
export function list(items: Schema, description: string, options: Options = {}): Schema {
  const example = options['maxItems'] === 0 ? [] : [items.examples[0]]
  return documented(Type.Array(items, { ...options, description, examples: [example] }))
}

/** Returns the schema of an object whose names are data. The example has the member `name`. */
export function record(values: Schema, description: string, name: string): Schema {
  const examples = [{ [name]: values.examples[0] }]
  return documented(Type.Record(Type.String(), values, { description, examples }))
}

/**
 * Returns a named object. Its example consists of the members' examples, without the members in `rare`, which only
 * few objects have.
 */
export function object(
  name: string,
  description: string,
  members: Members,
  rare: readonly string[] = [],
): ObjectSchema {
  const shown = Object.entries(members).filter(([member]) => !rare.includes(member))
  const example = Object.fromEntries(shown.map(([member, { examples }]) => [member, examples[0]]))
  const options = { title: name, description, examples: [example] }
  return documented(Type.Object({ ...members }, options)) as ObjectSchema
}

/** Returns the schema of a value that matches one of several schemas. It has the example of the first one. */
export function union(name: string, description: string, schemas: readonly Schema[]): Schema {
  const examples = schemas[0]?.examples ?? []
  return documented(Type.Union([...schemas], { title: name, description, examples }))
}

/** Returns the schema of a member that may be absent. */
export function optional(schema: Schema): Schema {
  return documented(Type.Optional(schema))
}

/** Returns a named schema as a member with its own description. */
export function as(schema: Schema, meaning: string): Schema {
  return { ...schema, [OpenApiComponents.MEANING]: meaning } as Schema
}

function documented(schema: TSchema): Schema {
  return schema as Schema
}
