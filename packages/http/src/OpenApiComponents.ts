import { HttpError } from './HttpError.ts'

/** A part of an OpenAPI document. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json }

type JsonObject = { readonly [member: string]: Json }

/** Schema keyword with the description of a member whose schema is named. */
export const MEANING = 'x-meaning'

/**
 * Returns an OpenAPI document in which every object and every choice with a `title` appears once, in
 * `components.schemas` under this title. Its other places refer to it. The keyword `x-meaning` of such a schema becomes
 * the description of its place. Examples of such schemas, and of arrays of them, are left out, because their members have
 * examples.
 * @throws HttpError `HTTP_SCHEMA` if two different schemas have the same title
 *
 * @example
 * ```ts
 * import { OpenApiComponents } from '@firn/http'
 *
 * const price = { type: 'object', title: 'Price', properties: { amount: { type: 'string' } } }
 * const document = OpenApiComponents.extract({ openapi: '3.1.0', price, 'former-price': price })
 * console.log(document.price) // { $ref: '#/components/schemas/Price' }
 * ```
 */
export function extract<const Document extends object>(document: Document): Record<string, unknown> {
  const schemas = new Map<string, Json>()
  // A copy as JSON leaves out functions and symbols of schema libraries.
  const whole = replace(JSON.parse(JSON.stringify(document)) as Json, schemas) as JsonObject
  const components = (whole['components'] ?? {}) as JsonObject
  const sorted = [...schemas].sort(([a], [b]) => (a < b ? -1 : 1))
  const own = (components['schemas'] ?? {}) as JsonObject
  return { ...whole, components: { ...components, schemas: { ...own, ...Object.fromEntries(sorted) } } }
}

function replace(value: Json, schemas: Map<string, Json>): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => replace(one, schemas))
  if (typeof value !== 'object' || value === null) return value
  const given = value as JsonObject
  const entries = Object.entries(given).filter(([name]) => name !== MEANING)
  const replaced = Object.fromEntries(
    // Examples are data, which may have any members.
    entries.map(([name, one]) => [name, /^examples?$/.test(name) ? one : replace(one, schemas)]),
  )
  const { examples: _, ...bare } = replaced
  const { title } = given
  if (typeof title !== 'string' || !isNamed(given)) {
    return isNamed(given['items']) ? bare : replaced
  }
  const known = schemas.get(title)
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(bare)) {
    const message = `Two different schemas have the title ${title}. Give one of them another title.`
    throw new HttpError('HTTP_SCHEMA', message)
  }
  schemas.set(title, bare)
  const place = { $ref: `#/components/schemas/${title}` }
  const meaning = given[MEANING]
  return meaning === undefined ? place : { ...place, description: meaning }
}

function isNamed(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null || !('title' in value)) return false
  return typeof value['title'] === 'string' && ('properties' in value || 'anyOf' in value)
}
