import { type Document, type Located, operationsOf, resolve, type Schema } from './Document.ts'
import { docComment, file, object, typeOf } from './TypeScript.ts'

/** Name of the group of a tag in clients: `Primary Network` is `primaryNetwork`. */
export function groupOf(tag: string): string {
  const [first = '', ...others] = tag.split(' ')
  const capitals = others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return [first.toLowerCase(), ...capitals].join('')
}

/**
 * Returns the types of all operations by group, and the table from which the client sends them. `schemas` is the file
 * with the types of the schemas.
 */
export function operations(document: Document, schemas: string): string {
  const located = operationsOf(document).filter(isReadable)
  const groups = Map.groupBy(located, ({ operation }) => groupOf(operation.tags[0]))
  const all = [...groups].map(([group, some]) => ({ group, some }))
  const parameters = located.map((one) => parametersOf(document, one))
  const used = names(document, located)
  const texts = [
    ...parameters.filter((one) => one !== undefined),
    ...all.map(({ group, some }) => groupType(document, group, some)),
    `/** All operations by group. */\nexport interface Operations {\n${all
      .map(({ group }) => `  readonly ${group}: ${capital(group)}Operations\n`)
      .join('')}}\n`,
    `/** How each operation is sent. */\nexport const OPERATIONS = {\n${all
      .map(({ group, some }) => `  ${group}: {\n${some.map((one) => entry(document, one)).join('')}  },\n`)
      .join('')}} as const satisfies Readonly<Record<string, Readonly<Record<string, Operation>>>>`,
  ]
  const isUsed = ([name]: readonly [string, string]) =>
    texts.some((text) => new RegExp(`\\b${name}\\b`).test(text))
  const own = Object.entries({
    ServerEvent: 'Events',
    List: 'List',
    Operation: 'Operation',
    CallOptions: 'Request',
  })
  return file([
    ...own.filter(isUsed).map(([name, module]) => `import type { ${name} } from '../${module}.ts'`),
    `import type {\n${used.map((name) => `  ${name},\n`).join('')}} from './${schemas}'\n`,
    ...texts,
  ])
}

/** Returns whether a client returns the answer of an operation. Metrics are text for Prometheus, and images are bytes. */
export function isReadable(located: Located): boolean {
  return !/^(text\/plain$|image\/)/.test(responseOf(located).type)
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the interface of an operation's parameters, or undefined if it has none. */
function parametersOf(document: Document, { operation }: Located): string | undefined {
  const { parameters = [], operationId, summary } = operation
  const body = bodyOf(document, operation)
  if (parameters.length === 0 && body === undefined) return undefined
  const members: Record<string, Schema> = {}
  const required: string[] = [...(body?.required ?? [])]
  for (const { name, description, schema, required: isRequired } of parameters) {
    members[name] = { ...schema, ...(description === undefined ? {} : { description }) }
    if (isRequired === true) required.push(name)
  }
  const comment = docComment([`Parameters of \`${operationId}\`: ${lower(summary)}.`], '')
  return `${comment}${object(`${capital(operationId)}Parameters`, { ...members, ...body?.properties }, required)}`
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** Returns the members of the body. If it has alternatives, returns the members of all, and which of them all require. */
function bodyOf(document: Document, { requestBody }: Located['operation']): Schema | undefined {
  const given = requestBody?.content['application/json']?.schema
  const schema = given && resolve(document, given)
  if (schema?.anyOf === undefined) return schema
  const all = schema.anyOf.map((one) => resolve(document, one))
  const names = new Set(all.toReversed().flatMap((one) => Object.keys(one.properties ?? {})))
  const properties = Object.fromEntries(
    [...names].map((name) => [name, merged(all.flatMap((one) => one.properties?.[name] ?? []))]),
  )
  const required = all[0]?.required?.filter((name) => all.every((one) => one.required?.includes(name)))
  return { properties, required: required ?? [] }
}

/** Returns the schema of a member that has one of several schemas, with the description of the first. */
function merged(schemas: readonly Schema[]): Schema {
  const distinct = [...new Map(schemas.map((one) => [typeOf(one), one])).values()]
  const [first = {}] = distinct
  if (distinct.length < 2) return schemas[0] ?? {}
  return { anyOf: distinct, ...(first.description === undefined ? {} : { description: first.description }) }
}

/** Returns the type of the successful responses, and their schema. */
function responseOf({ operation }: Located): { readonly type: string; readonly schema: Schema } {
  const contents = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => Object.entries(content ?? {}))
  const [first] = contents
  return {
    type: first?.[0] ?? 'application/json',
    schema: { anyOf: contents.map(([, { schema }]) => schema) },
  }
}

/** Returns the name and the type of the items of a list, or undefined if the operation reads no pages. */
function itemsOf(
  document: Document,
  located: Located,
): { readonly name: string; readonly type: string } | undefined {
  const { properties = {} } = resolve(document, singleOf(responseOf(located).schema))
  const takesToken = located.operation.parameters?.some(({ name }) => name === 'pageToken')
  if (takesToken !== true || properties['nextPageToken'] === undefined) return undefined
  const [found] = Object.entries(properties).filter(([, { type }]) => type === 'array')
  return found && { name: found[0], type: typeOf(found[1].items ?? {}) }
}

const singleOf = (schema: Schema): Schema => (schema.anyOf?.length === 1 ? (schema.anyOf[0] ?? {}) : schema)

function groupType(document: Document, group: string, some: readonly Located[]): string {
  const members = some.map((one) => {
    const { operationId, summary, description, deprecated, parameters = [], requestBody } = one.operation
    const deprecation = deprecated === true ? '@deprecated Another operation replaces it.' : undefined
    const comment = docComment([description ?? summary, deprecation], '  ')
    const hasParameters = parameters.length > 0 || requestBody !== undefined
    const isNeeded = parameters.some(({ required }) => required === true) || requestBody !== undefined
    const given = hasParameters ? `${capital(operationId)}Parameters` : 'Readonly<Record<string, never>>'
    const { type, schema } = responseOf(one)
    const items = itemsOf(document, one)
    const list = isNeeded ? given : `${given} | undefined`
    if (items !== undefined)
      return `${comment}  readonly ${operationId}: List<${list}, ${typeOf(schema)}, ${items.type}>\n`
    const result = type === 'text/event-stream' ? 'AsyncIterable<ServerEvent>' : `Promise<${typeOf(schema)}>`
    return `${comment}  ${operationId}(parameters${isNeeded ? '' : '?'}: ${given}, options?: CallOptions): ${result}\n`
  })
  const name = `${capital(group)}Operations`
  return `/** Operations of the group \`${group}\`. */\nexport interface ${name} {\n${members.join('')}}\n`
}

function entry(document: Document, located: Located): string {
  const { path, method, operation } = located
  const body = bodyOf(document, operation)
  const headers = (operation.parameters ?? []).filter((one) => one.in === 'header').map(({ name }) => name)
  const isStream = responseOf(located).type === 'text/event-stream'
  const items = itemsOf(document, located)
  const members = [
    `path: '${path}'`,
    ...(method === 'get' ? [] : [`method: '${method.toUpperCase()}'`]),
    ...(operation['x-scope'] === 'metrics' ? ["api: 'metrics'"] : []),
    ...(body === undefined ? [] : [`body: ${JSON.stringify(Object.keys(body.properties ?? {}))}`]),
    ...(headers.length === 0 ? [] : [`headers: ${JSON.stringify(headers)}`]),
    ...(items === undefined ? [] : [`items: '${items.name}'`]),
    ...(isStream ? ['isStream: true'] : []),
  ]
  return `    ${operation.operationId}: { ${members.join(', ')} },\n`
}

/** Returns the names of the schemas that the operations' types refer to. */
function names(document: Document, all: readonly Located[]): readonly string[] {
  const found = new Set<string>()
  for (const located of all) {
    const types = [
      typeOf(responseOf(located).schema),
      itemsOf(document, located)?.type ?? '',
      ...(located.operation.parameters ?? []).map(({ schema }) => typeOf(schema)),
      ...Object.values(bodyOf(document, located.operation)?.properties ?? {}).map(typeOf),
    ]
    for (const type of types) {
      for (const [name] of type.replace(/'[^']*'/g, '').matchAll(/\b[A-Z]\w+/g)) found.add(name)
    }
  }
  return [...found].filter((name) => name in document.components.schemas).sort()
}
