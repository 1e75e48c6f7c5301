import { ClientAddress, IpAddress, TrustedProxies } from '@firn/http'
import type { FastifyRequest } from 'fastify'
import { DataApiError } from '../DataApiError.ts'
import * as ApiKey from './ApiKey.ts'
import { type Caller, createBudgets } from './Budget.ts'
import type { Endpoint, Sender } from './Endpoint.ts'
import { type Allowance, type Counters, take } from './RateLimit.ts'

/** Checks keys and rate limits of requests. */
export interface Access {
  /**
   * Checks the key and the rate limit of a request, and returns the headers for its response. Rejected
   * requests count too.
   * @throws DataApiError `DATA_KEY`, `DATA_SCOPE`, `DATA_RATE_LIMIT`, `DATA_UNAVAILABLE`; the details contain
   * the headers for the error response
   */
  admit(
    request: FastifyRequest,
    endpoint: Pick<Endpoint, 'scope' | 'units' | 'isOpen' | 'needsKey'>,
  ): Promise<Readonly<Record<string, string>>>
  /** Returns the valid key of a request, or undefined if it has none. */
  keyOf(request: FastifyRequest): Promise<ApiKey.StoredKey | undefined>
  /**
   * Charges additional units of a request without checking the scope of its key, and returns the headers for
   * its response.
   * @throws DataApiError `DATA_RATE_LIMIT`, `DATA_UNAVAILABLE`
   */
  charge(request: FastifyRequest, units: number): Promise<Readonly<Record<string, string>>>
  /** Returns the id of the caller's key, if it has a valid one, and the name under which the caller is limited. */
  owner(request: FastifyRequest): Promise<Sender['owner']>
  /**
   * Runs an expensive request within the caller's budget; see {@link Budgets.run}.
   * @throws DataApiError `DATA_PARAMETER`, `DATA_RATE_LIMIT`; errors of `work`
   */
  run<T>(request: FastifyRequest, rows: number, work: (mostRows: number) => Promise<T>): Promise<T>
}

/** Options of {@link createAccess}. */
export interface AccessOptions {
  /** Returns all stored keys, including revoked ones. */
  readonly keys: () => Promise<readonly ApiKey.StoredKey[]>
  /** Counters of used units. If undefined, requests are not rate-limited. */
  readonly counters: Counters | undefined
  /** Allowance of callers without a valid key, per address. */
  readonly anonymous: Allowance
  /** Allowance of keys that have no allowance of their own. */
  readonly keyed: Allowance
  /** Proxies whose forwarding headers are trusted; by default none. */
  readonly trusted?: TrustedProxies.TrustedProxies
  /** Returns milliseconds since an arbitrary start; by default those of this process. */
  readonly now?: () => number
}

const HEADERS = ['x-data-api-key', 'x-glacier-api-key'] as const

/**
 * Creates an {@link Access} that checks keys, scopes and rate limits. A caller without a key is limited by address
 * and may use every scope. A key may use only its own scopes. Requests with an invalid key count against the caller's
 * address.
 */
export function createAccess(options: AccessOptions): Access {
  const budgets = createBudgets(options.now ?? (() => performance.now()))
  return {
    admit: async (request, { scope, units, isOpen, needsKey = false }) => {
      if (isOpen === true) return {}
      const { key, refusal = missing(key, scope, needsKey) } = await identify(request, options.keys)
      const headers = await charge(request, key, units, options)
      if (refusal === undefined) return headers
      throw new DataApiError(refusal.code, refusal.message, { details: { headers } })
    },
    keyOf: async (request) => (await identify(request, options.keys)).key,
    charge: async (request, units) => {
      const { key } = await identify(request, options.keys)
      return charge(request, key, units, options)
    },
    owner: async (request) => {
      const { key } = await identify(request, options.keys)
      return { key: key && ApiKey.id(key), name: callerOf(request, key, options).id }
    },
    run: async (request, rows, work) => {
      if (options.counters === undefined) return work(Number.POSITIVE_INFINITY)
      const { key } = await identify(request, options.keys)
      return budgets.run(callerOf(request, key, options), rows, work)
    },
  }
}

/** Reason why a key does not give access to an endpoint. */
interface Refusal {
  readonly code: 'DATA_KEY' | 'DATA_SCOPE'
  readonly message: string
}

/**
 * The valid key of a request, or the reason why the key of the request is invalid. Empty if the request
 * contains no key.
 */
interface Identity {
  readonly key?: ApiKey.StoredKey
  readonly refusal?: Refusal
}

async function identify({ headers }: FastifyRequest, keys: AccessOptions['keys']): Promise<Identity> {
  const sent = HEADERS.map((name) => headers[name]).find((value) => typeof value === 'string' && value !== '')
  if (sent === undefined) return {}
  const text = String(sent)
  if (!ApiKey.isWellFormed(text)) {
    return invalid('the API key has an invalid length or checksum; check that it was copied completely')
  }
  const key = ApiKey.find(text, await keys())
  if (key === undefined) return invalid('unknown API key; check that it belongs to this service')
  return key.revokedAt === undefined ? { key } : invalid('the API key was revoked; use another key')
}

const NO_KEY: Refusal = {
  code: 'DATA_KEY',
  message: 'this request needs an API key; the operator creates one with "firn keys create"',
}

function invalid(message: string): Identity {
  return { refusal: { code: 'DATA_KEY', message } }
}

function missing(
  key: ApiKey.StoredKey | undefined,
  scope: ApiKey.Scope,
  needsKey: boolean,
): Refusal | undefined {
  if (key === undefined) return needsKey ? NO_KEY : undefined
  if (key.scopes.includes(scope)) return undefined
  return { code: 'DATA_SCOPE', message: `the API key ${key.hint}… does not have the scope "${scope}"` }
}

async function charge(
  request: FastifyRequest,
  key: ApiKey.StoredKey | undefined,
  units: number,
  options: AccessOptions,
): Promise<Readonly<Record<string, string>>> {
  const { counters } = options
  if (counters === undefined) return {}
  const { id, allowance } = callerOf(request, key, options)
  const { isAllowed, headers } = await take(counters, id, units, allowance)
  if (isAllowed) return headers
  throw new DataApiError(
    'DATA_RATE_LIMIT',
    `rate limit exceeded: ${allowance.unitsPerMinute} compute units per minute, ${allowance.unitsPerDay} per day; retry in ${headers['retry-after']} s`,
    { details: { headers } },
  )
}

function callerOf(
  request: FastifyRequest,
  key: ApiKey.StoredKey | undefined,
  { anonymous, keyed, trusted = TrustedProxies.NONE }: AccessOptions,
): Caller {
  if (key !== undefined) {
    return { id: `key:${ApiKey.id(key)}`, allowance: allowanceOf(key, keyed), advice: 'ask for less' }
  }
  const id = `address:${IpAddress.toLimitKey(ClientAddress.find(request, trusted))}`
  return { id, allowance: anonymous, advice: 'use an API key, or ask for less' }
}

function allowanceOf({ unitsPerMinute, unitsPerDay }: ApiKey.StoredKey, keyed: Allowance): Allowance {
  return {
    ...keyed,
    unitsPerMinute: unitsPerMinute ?? keyed.unitsPerMinute,
    unitsPerDay: unitsPerDay ?? keyed.unitsPerDay,
  }
}
