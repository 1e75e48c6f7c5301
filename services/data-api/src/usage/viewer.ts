import { DataApiError } from '../http/endpoint/DataApiError.ts'
import type { Call } from '../http/endpoint/Endpoint.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import { name } from './parameters.ts'
import { ORGANIZATION, REQUEST_TYPES } from './shapes.ts'

/** Filters that counts and log of requests to the Data API have in common. */
export const FILTERS = {
  orgId: Parameter.optional(Parameter.choice([ORGANIZATION])),
  startTimestamp: Parameter.optional(Parameter.timestamp),
  endTimestamp: Parameter.optional(Parameter.timestamp),
  chainId: Parameter.optional(
    Parameter.described(name, { description: 'Chain in the path, as the requests named it' }),
  ),
  requestType: Parameter.optional(Parameter.choice(REQUEST_TYPES)),
  apiKeyId: Parameter.optional(
    Parameter.text('the id of an API key, 16 hexadecimal digits', (text) =>
      /^[0-9a-f]{16}$/.test(text) ? text : undefined,
    ),
  ),
  requestPath: Parameter.optional(
    Parameter.text('1 to 256 characters', (text) => (/^[\x20-\x7e]{1,256}$/.test(text) ? text : undefined)),
  ),
}

/**
 * Returns the id of the key whose requests the caller may see and asks for: its own key, or any key for operators.
 * Undefined stands for all keys.
 * @throws DataApiError `DATA_KEY` without a key; `DATA_SCOPE` if the caller asks for another key
 */
export async function visibleKey(
  caller: Call<never, never>['caller'],
  asked: string | undefined,
): Promise<string | undefined> {
  const { owner } = await caller()
  if (owner.isOperator) return asked
  if (owner.key === undefined) {
    throw new DataApiError(
      'DATA_KEY',
      'send your API key, because callers see only the requests of their own key',
    )
  }
  if (asked === undefined || asked === owner.key) return owner.key
  const message = `apiKeyId: your API key has the id ${owner.key}; only keys with the scope "admin" see the requests of other keys`
  throw new DataApiError('DATA_SCOPE', message)
}
