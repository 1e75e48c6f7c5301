import { ClientAddress, IpAddress, TrustedProxies } from '@firn/http'
import type { FastifyRequest } from 'fastify'
import { DataApiError } from '../DataApiError.ts'
import * as ApiKey from './ApiKey.ts'
import type { Endpoint } from './Endpoint.ts'
import { type Allowance, type Counters, take } from './RateLimit.ts'

/** Admits requests by key and limit. */
export interface Access {
  /**
   * Counts a request, and returns the headers of its response. A refused request is counted as well.
   * @throws DataApiError `DATA_KEY`, `DATA_SCOPE`, `DATA_RATE_LIMIT`, `DATA_UNAVAILABLE`; its details have
   * the headers of the refusal
   */
  admit(
    request: FastifyRequest,
    endpoint: Pick<Endpoint, 'scope' | 'units' | 'isOpen'>,
  ): Promise<Readonly<Record<string, string>>>
  /**
   * Counts a request that is refused for another reason than its key, and returns the headers of its
   * response.
   * @throws DataApiError `DATA_RATE_LIMIT`, `DATA_UNAVAILABLE`
   */
  charge(request: FastifyRequest, units: number): Promise<Readonly<Record<string, string>>>
}

/** Options of {@link createAccess}. */
export interface AccessOptions {
  /** Returns the current keys, including revoked ones. */
  readonly keys: () => Promise<readonly ApiKey.StoredKey[]>
  /** Undefined for no limits. */
  readonly counters: Counters | undefined
  /** For callers without a valid key, by address. */
  readonly anonymous: Allowance
  /** For keys without an allowance of their own. */
  readonly keyed: Allowance
  /** The proxies that may report a caller's address; by default none. */
  readonly trusted?: TrustedProxies.TrustedProxies
}

const HEADERS = ['x-data-api-key', 'x-glacier-api-key'] as const

/**
 * Returns the check of keys, scopes and limits. A caller without a key is limited by address and may use every scope; a key may use its
 * own scopes only. Guessed keys are limited by address, too.
 */
export function createAccess(options: AccessOptions): Access {
  return {
    admit: async (request, { scope, units, isOpen }) => {
      if (isOpen === true) return {}
      const { key, refusal = missingScope(key, scope) } = await identify(request, options.keys)
      const headers = await charge(request, key, units, options)
      if (refusal === undefined) return headers
      throw new DataApiError(refusal.code, refusal.message, { details: { headers } })
    },
    charge: async (request, units) => {
      const { key } = await identify(request, options.keys)
      return charge(request, key, units, options)
    },
  }
}

/** The reason why a key does not open an endpoint. */
interface Refusal {
  readonly code: 'DATA_KEY' | 'DATA_SCOPE'
  readonly message: string
}

/** The key that was sent if it is valid, or the reason why it is not; neither if none was sent. */
interface Identity {
  readonly key?: ApiKey.StoredKey
  readonly refusal?: Refusal
}

async function identify({ headers }: FastifyRequest, keys: AccessOptions['keys']): Promise<Identity> {
  const sent = HEADERS.map((name) => headers[name]).find((value) => typeof value === 'string' && value !== '')
  if (sent === undefined) return {}
  const text = String(sent)
  if (!ApiKey.isWellFormed(text)) {
    return invalid('the API key has a bad checksum or length: check that it was copied whole')
  }
  const key = ApiKey.find(text, await keys())
  if (key === undefined) return invalid('the API key is unknown')
  return key.revokedAt === undefined ? { key } : invalid('the API key was revoked')
}

function invalid(message: string): Identity {
  return { refusal: { code: 'DATA_KEY', message } }
}

function missingScope(key: ApiKey.StoredKey | undefined, scope: ApiKey.Scope): Refusal | undefined {
  if (key === undefined || key.scopes.includes(scope)) return undefined
  return { code: 'DATA_SCOPE', message: `the key ${key.hint}… has no scope ${scope}` }
}

async function charge(
  request: FastifyRequest,
  key: ApiKey.StoredKey | undefined,
  units: number,
  { counters, anonymous, keyed, trusted = TrustedProxies.NONE }: AccessOptions,
): Promise<Readonly<Record<string, string>>> {
  if (counters === undefined) return {}
  const caller =
    key === undefined
      ? `address:${IpAddress.toLimitKey(ClientAddress.find(request, trusted))}`
      : `key:${ApiKey.id(key)}`
  const allowance = key === undefined ? anonymous : allowanceOf(key, keyed)
  const { isAllowed, headers } = await take(counters, caller, units, allowance)
  if (isAllowed) return headers
  throw new DataApiError(
    'DATA_RATE_LIMIT',
    `more than ${allowance.unitsPerMinute} compute units per minute or ${allowance.unitsPerDay} per day; try again in ${headers['retry-after']} s`,
    { details: { headers } },
  )
}

function allowanceOf({ unitsPerMinute, unitsPerDay }: ApiKey.StoredKey, keyed: Allowance): Allowance {
  return {
    unitsPerMinute: unitsPerMinute ?? keyed.unitsPerMinute,
    unitsPerDay: unitsPerDay ?? keyed.unitsPerDay,
  }
}
