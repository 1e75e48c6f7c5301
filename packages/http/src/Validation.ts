import { excerpt, isJsonObject } from '@firn/codec'
import type { TSchema } from 'typebox'
import { Check } from 'typebox/schema'

/** The first problem of an object: the field, the allowed values, and the actual value. */
export interface Problem {
  readonly field: string
  readonly expected: string
  readonly got: string
}

interface Described {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Described[]
  readonly const?: unknown
  readonly items?: Described
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  /** Description of the allowed values that replaces the description derived from the schema. */
  readonly 'x-expected'?: string
}

/**
 * Returns the first violation of an object schema in `value`, or undefined if `value` is valid. Values are not
 * coerced: the string `"67"` is not a number. `whole` is the name to report if `value` is not an object.
 * @example
 * ```ts
 * import { Validation } from '@firn/http'
 *
 * const schema = { type: 'object', properties: { size: { type: 'integer', minimum: 1 } }, required: ['size'] }
 * Validation.firstProblem(schema, { size: 0 }, 'body') // { field: 'size', expected: 'an integer of at least 1', got: '0' }
 * ```
 */
export function firstProblem(schema: TSchema, value: unknown, whole: string): Problem | undefined {
  const { properties = {}, required = [], additionalProperties } = schema as Described
  if (!isJsonObject(value)) {
    return { field: whole, expected: describe(schema), got: excerpt(value) }
  }
  const members = value as Readonly<Record<string, unknown>>
  for (const [name, member] of Object.entries(properties)) {
    const given = Object.hasOwn(members, name) ? members[name] : undefined
    if (given === undefined ? required.includes(name) : !Check(member, given)) {
      return { field: name, expected: describe(member), got: excerpt(given) }
    }
  }
  if (additionalProperties !== false) return undefined
  const unknown = Object.keys(members).find((name) => !Object.hasOwn(properties, name))
  if (unknown === undefined) return undefined
  return {
    field: /^[\w.:-]{1,64}$/.test(unknown) ? unknown : excerpt(unknown),
    expected: `one of the fields ${Object.keys(properties).join(', ')}`,
    got: 'an unknown field',
  }
}

/**
 * Describes the values that a schema allows, such as `an integer from 0 to 100`.
 * @example
 * ```ts
 * import { Validation } from '@firn/http'
 *
 * Validation.describe({ type: 'boolean' }) // 'true or false'
 * ```
 */
export function describe(schema: TSchema): string {
  const known = schema as Described
  const own = known['x-expected']
  if (own !== undefined) return own
  const choices = known.enum ?? known.anyOf?.map((one) => one.const)
  if (choices !== undefined) return `one of ${choices.map(String).join(', ')}`
  if (known.type === 'integer') return `an integer ${range(known)}`
  if (known.type === 'boolean') return 'true or false'
  if (known.type === 'array') {
    const most = known.maxItems === undefined ? '' : ` of at most ${known.maxItems}`
    return `a list${most}, each ${known.items === undefined ? 'any value' : describe(known.items as TSchema)}`
  }
  if (known.type === 'object')
    return `a JSON object with ${Object.keys(known.properties ?? {}).join(', ') || 'members'}`
  return 'text'
}

function range({ minimum, maximum }: Described): string {
  if (minimum !== undefined && maximum !== undefined) return `from ${minimum} to ${maximum}`
  if (minimum !== undefined) return `of at least ${minimum}`
  return maximum === undefined ? '' : `of at most ${maximum}`
}

/**
 * Returns the problem as one sentence that names the field.
 * @example
 * ```ts
 * import { Validation } from '@firn/http'
 *
 * Validation.sentence({ field: 'size', expected: 'text', got: '0' }) // 'size: expected text, got 0'
 * ```
 */
export function sentence({ field, expected, got }: Problem): string {
  return `${field}: expected ${expected}, got ${got}`
}
