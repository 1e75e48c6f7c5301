import { ClientAddress, IpAddress, TrustedProxies } from '@firn/http'
import type { FastifyRequest } from 'fastify'
import { DataApiError } from '../DataApiError.ts'
import * as ApiKey from './ApiKey.ts'
import type { Endpoint } from './Endpoint.ts'
import { type Allowance, type Counters, take } from './RateLimit.ts'

/** Lets requests in, by key and limit. */
export interface Access {
  /**
   * The headers of the answer to a request that may go on.
   * @throws DataApiError `DATA_KEY`, `DATA_SCOPE`, `DATA_RATE_LIMIT`, `DATA_UNAVAILABLE`
   */
  admit(
    request: FastifyRequest,
    endpoint: Pick<Endpoint, 'scope' | 'units'>,
  ): Promise<Readonly<Record<string, string>>>
}

/** What {@link createAccess} takes. */
export interface AccessOptions {
  /** The keys that there are now, revoked ones included. */
  readonly keys: () => Promise<readonly ApiKey.StoredKey[]>
  /** Undefined: no limits. */
  readonly counters: Counters | undefined
  /** Of callers without a key, by address. */
  readonly anonymous: Allowance
  /** Of keys that have none of their own. */
  readonly keyed: Allowance
  /** The proxies that may report a caller's address; none by default. */
  readonly trusted?: TrustedProxies.TrustedProxies
}

const HEADERS = ['x-data-api-key', 'x-glacier-api-key'] as const

/** Returns the check of keys, scopes and limits. Without a key a caller is served by address; an unknown key is refused. */
export function createAccess({
  keys,
  counters,
  anonymous,
  keyed,
  trusted = TrustedProxies.NONE,
}: AccessOptions): Access {
  return {
    admit: async (request, endpoint) => {
      const key = await keyOf(request, keys)
      if (key !== undefined && !key.scopes.includes(endpoint.scope)) {
        throw new DataApiError('DATA_SCOPE', `the key ${key.hint}… has no scope ${endpoint.scope}`)
      }
      if (counters === undefined) return {}
      const caller =
        key === undefined
          ? `address:${IpAddress.toLimitKey(ClientAddress.find(request, trusted))}`
          : `key:${key.hint}`
      const allowance = key === undefined ? anonymous : allowanceOf(key, keyed)
      const { isAllowed, headers } = await take(counters, caller, endpoint.units, allowance)
      if (isAllowed) return headers
      throw new DataApiError(
        'DATA_RATE_LIMIT',
        `more than ${allowance.unitsPerMinute} compute units a minute or ${allowance.unitsPerDay} a day; try again in ${headers['retry-after']} s`,
        { details: { headers } },
      )
    },
  }
}

async function keyOf(
  { headers }: FastifyRequest,
  keys: AccessOptions['keys'],
): Promise<ApiKey.StoredKey | undefined> {
  const given = HEADERS.map((name) => headers[name]).find(
    (value) => typeof value === 'string' && value !== '',
  )
  if (given === undefined) return undefined
  const key = String(given)
  if (!ApiKey.isWellFormed(key))
    throw new DataApiError(
      'DATA_KEY',
      'the API key has a bad checksum or length: check that it was copied whole',
    )
  const found = ApiKey.find(key, await keys())
  if (found === undefined) throw new DataApiError('DATA_KEY', 'the API key is unknown')
  if (found.revokedAt !== undefined) throw new DataApiError('DATA_KEY', 'the API key was revoked')
  return found
}

function allowanceOf({ unitsPerMinute, unitsPerDay }: ApiKey.StoredKey, keyed: Allowance): Allowance {
  return {
    unitsPerMinute: unitsPerMinute ?? keyed.unitsPerMinute,
    unitsPerDay: unitsPerDay ?? keyed.unitsPerDay,
  }
}
