import type { Document, Schema } from './Document.ts'

const HEADER = '// Generated from the OpenAPI document. Run npm run openapi to write it again.\n'

/** Returns a source file with the comment that it is generated. */
export function file(parts: readonly string[]): string {
  return `${[HEADER, ...parts].join('\n')}\n`
}

/** Returns the schemas of a document as TypeScript types with the same names. */
export function schemas({ components }: Document): string {
  return file(Object.entries(components.schemas).map(([name, schema]) => declaration(name, schema)))
}

function declaration(name: string, schema: Schema): string {
  const comment = docComment([schema.description], '')
  if (schema.properties === undefined) return `${comment}export type ${name} = ${typeOf(schema)}\n`
  return `${comment}${object(name, schema.properties, schema.required)}`
}

/** Returns an interface with the given members. */
export function object(
  name: string,
  members: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): string {
  const lines = Object.entries(members).map(([member, schema]) => {
    const isRequired = required.includes(member)
    const mark = isRequired ? '' : '?'
    const type = isRequired ? typeOf(schema) : `${typeOf(schema)} | undefined`
    return `${docComment([schema.description], '  ')}  readonly ${memberName(member)}${mark}: ${type}\n`
  })
  return `export interface ${name} {\n${lines.join('')}}\n`
}

/** Returns the name of a member, in quotes if it is not an identifier. */
export function memberName(name: string): string {
  return /^[\w$]+$/.test(name) ? name : `'${name}'`
}

/** Returns the TypeScript type of a schema. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '')
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  if (schema.anyOf !== undefined) return [...new Set(alternatives(schema).map(typeOf))].join(' | ')
  if (schema.patternProperties !== undefined) {
    return `Readonly<Record<string, ${Object.values(schema.patternProperties).map(typeOf).join(' | ')}>>`
  }
  switch (schema.type) {
    case 'array': {
      const item = typeOf(schema.items ?? {})
      return `readonly ${item.includes(' ') ? `(${item})` : item}[]`
    }
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case undefined:
      return 'unknown'
  }
  throw new TypeError(`No TypeScript type for the schema ${JSON.stringify(schema)}`)
}

function alternatives(schema: Schema): readonly Schema[] {
  return schema.anyOf?.flatMap(alternatives) ?? [schema]
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}

/** Returns a documentation comment, or nothing if there is no text. */
export function docComment(lines: readonly (string | undefined)[], indent: string): string {
  const all = lines.filter((line) => line !== undefined).map((line) => line.replaceAll('*/', '* /'))
  if (all.length === 0) return ''
  if (all.length === 1) return `${indent}/** ${all[0]} */\n`
  return `${indent}/**\n${all.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}
