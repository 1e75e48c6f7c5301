import { isJsonObject } from '@firn/codec'
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

/** Maximum number of values of a parameter in a body. Single parameters have lower limits. */
const MOST_TEXTS = 4_096

/**
 * Reads parameters from a request body. Each is a comma-separated string or an array of strings.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function read(body: unknown, names: readonly string[]): Readonly<Record<string, readonly string[]>> {
  if (names.length === 0) return {}
  if (!isJsonObject(body)) {
    throw Parameter.refused('body', `a JSON object with the members ${names.join(', ')}`, 'no object')
  }
  const texts = names.flatMap((name) => {
    const value: unknown = Object.hasOwn(body, name) ? body[name as keyof typeof body] : undefined
    if (value === undefined) return []
    if (count(value) > MOST_TEXTS) throw Parameter.refused(name, `at most ${MOST_TEXTS} values`, 'more')
    const all: readonly unknown[] = Array.isArray(value) ? value : [value]
    const isText = (one: unknown) => typeof one === 'string'
    if (!all.every(isText))
      throw Parameter.refused(name, 'a string or an array of strings', 'a value of another type')
    return [[name, all.flatMap((text) => text.split(','))] as const]
  })
  return Object.fromEntries(texts)
}

/** Number of texts for which the units of a call pay. Each further number of this size costs as much again. */
const TEXTS_PER_CALL = 64

/**
 * Returns the additional compute units of a call of `units` with so many texts in its body. Texts beyond the maximum of
 * the parameters are not counted, because such a call is rejected.
 */
export function extraUnits(
  body: unknown,
  specification: Parameter.Specification,
  names: readonly string[],
  units: number,
): number {
  const given = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>
  const counts = names.map((name) => {
    const { maxItems = 1 } = (specification[name]?.schema ?? {}) as { readonly maxItems?: number }
    return Math.min(count(Object.hasOwn(given, name) ? given[name] : undefined), maxItems)
  })
  const texts = counts.reduce((sum, one) => sum + one, 0)
  return Math.max(0, Math.ceil(texts / TEXTS_PER_CALL) - 1) * units
}

/** Returns the number of texts in an array or a comma-separated string without separating them. */
function count(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + count(one), 0)
  if (typeof value !== 'string') return 1
  let texts = 1
  for (let at = value.indexOf(','); at !== -1; at = value.indexOf(',', at + 1)) texts += 1
  return texts
}
