import { type Entry, linkOf, type Page } from '../Page.ts'

/** A JSON schema, as far as the reference shows it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly additionalProperties?: boolean | Schema
  readonly minimum?: number
  readonly maximum?: number
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>
}

interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content & { readonly description?: string }>>
}

/** The members of an OpenAPI document that the reference shows. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

/** Deepest level of members that a table shows. */
const MAX_DEPTH = 3

/** Returns a text for a cell of a table. */
export const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim()

const resolve = (document: Document, schema: Schema): Schema => {
  const name = schema.$ref?.split('/').at(-1)
  return (name && document.components?.schemas?.[name]) || schema
}

/** Returns the type of a value in words, such as `string | null`. */
export const typeOf = (document: Document, schema: Schema): string => {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'object'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return [...new Set(variants.map((one) => typeOf(document, one)))].join(' | ')
  if (schema.items) return `${typeOf(document, schema.items)}[]`
  return [schema.type ?? 'object'].flat().join(' | ')
}

/** Returns the members of an object, or of the objects that a list or a union contains. */
const membersOf = (document: Document, schema: Schema): readonly (readonly [string, Schema, boolean])[] => {
  const one = resolve(document, schema)
  if (one.items) return membersOf(document, one.items)
  const own = Object.entries(one.properties ?? {}).map(
    ([name, member]) => [name, member, one.required?.includes(name) ?? false] as const,
  )
  const found = [
    ...own,
    ...[one.anyOf, one.oneOf, one.allOf]
      .flatMap((all) => all ?? [])
      .flatMap((part) => membersOf(document, part)),
  ]
  return [...new Map(found.map((member) => [member[0], member])).values()]
}

/** Returns a row for each member of an object, and of the objects in it. */
export const memberRows = (document: Document, schema: Schema, prefix = '', depth = 0): readonly string[] =>
  membersOf(document, schema).flatMap(([name, member, isRequired]) => {
    const path = `${prefix}${name}`
    const type = typeOf(document, member)
    const text = member.description ?? resolve(document, member).description ?? ''
    const row = `| \`${path}\`${isRequired ? '' : ' (optional)'} | \`${cell(type)}\` | ${cell(text)} |`
    const deeper =
      depth + 1 < MAX_DEPTH
        ? memberRows(document, member, `${path}${type.endsWith('[]') ? '[]' : ''}.`, depth + 1)
        : []
    return [row, ...deeper]
  })

/** Returns a table with three columns; empty without rows. */
export const table = (head: string, rows: readonly string[]): string =>
  rows.length === 0 ? '' : `${head}\n| --- | --- | --- |\n${rows.join('\n')}\n\n`

const parameterRow = (document: Document, one: Parameter): string => {
  const schema = one.schema ?? {}
  const limits = [
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
    schema.minimum === undefined ? '' : `at least ${schema.minimum}`,
    schema.maximum === undefined ? '' : `at most ${schema.maximum}`,
  ].filter((text) => text !== '')
  const text = [one.description ?? schema.description ?? '', limits.join(', ')]
    .filter((part) => part !== '')
    .join(' ')
  const type = cell(typeOf(document, schema))
  return `| \`${one.name}\`${one.required ? '' : ' (optional)'} | ${one.in}, \`${type}\` | ${cell(text)} |`
}

const schemaOf = (content: Content | undefined): Schema | undefined =>
  Object.values(content?.content ?? {})[0]?.schema

const operationText = (document: Document, path: string, method: string, operation: Operation): string => {
  const { summary, description, parameters = [], requestBody, responses } = operation
  const title = summary ?? operation.operationId ?? path
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
  const body = schemaOf(requestBody)
  const result = schemaOf(success?.[1])
  return [
    `## ${cell(title)}\n\n`,
    `\`\`\`http\n${method.toUpperCase()} ${path}\n\`\`\`\n\n`,
    description && description !== summary ? `${cell(description)}\n\n` : '',
    table(
      '| parameter | type | meaning |',
      parameters.map((one) => parameterRow(document, one)),
    ),
    body ? table('| member of the body | type | meaning |', memberRows(document, body)) : '',
    result ? table('| member of the response | type | meaning |', memberRows(document, result)) : '',
  ].join('')
}

const fileOf = (tag: string): string =>
  tag
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** Returns a page for each tag of an OpenAPI document. `folder` is the folder of the pages. */
export const pages = (document: Document, folder: string): readonly Page[] => {
  const byTag = new Map<string, string[]>()
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? 'Other'
      byTag.set(tag, [...(byTag.get(tag) ?? []), operationText(document, path, method, operation)])
    }
  return [...byTag].map(([tag, texts]) => ({
    path: `${folder}/${fileOf(tag)}.md`,
    text: `---\noutline: [2, 2]\n---\n\n# ${tag}\n\n${texts.join('')}`,
  }))
}

/** Returns the entries of the sidebar. */
export const sidebar = (found: readonly Page[]): readonly Entry[] =>
  found.map(({ path, text }) => ({ text: /^# (.+)$/m.exec(text)?.[1] ?? path, link: linkOf(path) }))
