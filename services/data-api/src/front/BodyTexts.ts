import * as Parameter from './Parameter.ts'
import { PARAMETER_TEXTS, type ParameterName, type ParameterText } from './ParameterTexts.ts'
import * as Schema from './Schema.ts'

/**
 * Returns the OpenAPI schema of an operation's request body that contains the given parameters. Such parameters can be
 * too long for a URL or a page token.
 */
export function schema(
  operationId: string,
  specification: Parameter.Specification,
  names: readonly string[],
): Schema.Schema {
  const members = Object.entries(specification)
    .filter(([name]) => names.includes(name))
    .map(([name, parameter]) => {
      const { description, example }: ParameterText = PARAMETER_TEXTS[name as ParameterName]
      return [name, { ...parameter.schema, description, examples: [example] }] as const
    })
  const name = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  return Schema.object(
    `${name}Request`,
    'Parameters that can be too long for a URL',
    Object.fromEntries(members),
  )
}

/**
 * Reads parameters from a request body. Each is a comma-separated string or an array of strings.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function read(body: unknown, names: readonly string[]): Readonly<Record<string, readonly string[]>> {
  if (names.length === 0) return {}
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw Parameter.refused('body', `a JSON object with the members ${names.join(', ')}`, 'no object')
  }
  const texts = names.flatMap((name) => {
    const value: unknown = Object.hasOwn(body, name) ? body[name as keyof typeof body] : undefined
    if (value === undefined) return []
    const all: readonly unknown[] = Array.isArray(value) ? value : [value]
    const isText = (one: unknown) => typeof one === 'string'
    if (!all.every(isText))
      throw Parameter.refused(name, 'a string or an array of strings', 'a value of another type')
    return [[name, all.flatMap((text) => text.split(','))] as const]
  })
  return Object.fromEntries(texts)
}
