import { MOST_KEYS } from './common/WebhookContext.ts'

/** Number of addresses or ids for which a call pays one compute unit. */
const ADDRESSES_PER_UNIT = 50

/**
 * Returns the additional compute units of a call that stores what its body lists: addresses, or ids of validators. The body
 * is not checked yet; lists that are too long are rejected.
 */
export function addressUnits({ body }: { readonly body: unknown }): number {
  const metadata = memberOf(body, 'metadata')
  const lists = [memberOf(body, 'addresses'), memberOf(metadata, 'addresses'), memberOf(metadata, 'keys')]
  const count = lists.reduce((sum: number, list) => sum + (Array.isArray(list) ? list.length : 0), 0)
  return Math.floor(Math.min(count, MOST_KEYS) / ADDRESSES_PER_UNIT)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}
