import type { Endpoint } from '../http/endpoint/Endpoint.ts'
import { isOfficialClient } from '../http/isOfficialClient.ts'
import type { BodyForm } from '../http/RestPlugin.ts'
import { Money } from './Money.ts'

/**
 * How amounts of money are sent: as decimal `text`, which is specified, or as a `number`, which the official clients
 * demand. `auto` means numbers for official clients, and text for others.
 */
export const MONEY_FORMS = ['auto', 'text', 'number'] as const
export type MoneyForm = (typeof MONEY_FORMS)[number]

/**
 * Returns how the bodies of an endpoint depend on the client: undefined if they do not, because they contain no money.
 * Bodies that are passed to the function have amounts as text.
 */
export function bodyForm(
  { response }: Pick<Endpoint, 'response'>,
  form: MoneyForm = 'auto',
): BodyForm | undefined {
  if (form === 'text' || !hasMoney(response)) return undefined
  const takesNumbers = form === 'number' ? () => true : isOfficialClient
  return (body, userAgent) => (takesNumbers(userAgent) ? withNumbers(body) : body)
}

function hasMoney(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  if ('title' in schema && schema.title === Money.title) return true
  return Object.values(schema).some(hasMoney)
}

/**
 * An amount of money in JSON. A quotation mark within a string is preceded by a backslash, so only members of objects
 * match.
 */
const AMOUNT = /("currencyCode":"[a-z]{3}","value":)"(\d+(?:\.\d+)?)"/g

function withNumbers(body: Buffer): Buffer {
  // Latin 1 has a character for each byte, so other text comes back unchanged.
  const text = body.toString('latin1')
  const changed = text.replace(AMOUNT, '$1$2')
  return changed === text ? body : Buffer.from(changed, 'latin1')
}
