import { ApiKey, ClientAddress, IpAddress, Refusals, TrustedProxies } from '@firn/http'
import type { FastifyRequest } from 'fastify'
import * as Caller from '../endpoint/Caller.ts'
import { DataApiError, isDataApiError } from '../endpoint/DataApiError.ts'
import type { Endpoint, Sender } from '../endpoint/Endpoint.ts'
import { createBudgets } from './Budget.ts'
import { type Counters, take } from './RateLimit.ts'

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
  /**
   * Returns the id of the caller's key, if it has a valid one, the names under which the caller is limited, and whether
   * the caller is an operator.
   */
  owner(request: FastifyRequest): Promise<Sender['owner']>
  /** Returns who sent a request, and what the caller may use; undefined without rate limits. */
  caller(request: FastifyRequest): Promise<Caller.Caller | undefined>
  /**
   * Runs an expensive request within the caller's budget; see {@link Budgets.run}.
   * @throws DataApiError `DATA_PARAMETER`, `DATA_RATE_LIMIT`; errors of `work`
   */
  run<T>(request: FastifyRequest, rows: number, work: (mostRows: number) => Promise<T>): Promise<T>
  /** Returns what a request has used so far; undefined for requests that are served without checks. */
  used(request: FastifyRequest): Used | undefined
}

/** What a request has used. */
export interface Used {
  /** Name and first characters of its key; empty without a valid key. */
  readonly key: string
  /** Id of its key; undefined without a valid key. */
  readonly keyId: string | undefined
  /** Compute units that it was charged. */
  readonly units: number
}

/** Options of {@link createAccess}. */
export interface AccessOptions extends Caller.Allowances {
  /** Returns all stored keys, including revoked ones. */
  readonly keys: () => Promise<readonly ApiKey.StoredKey[]>
  /** Counters of used units. If undefined, requests are not rate-limited. */
  readonly counters: Counters | undefined
  /** Returns whether a request without a key comes from an operator; by default none does. */
  readonly isOperator?: (request: FastifyRequest) => Promise<boolean>
  /** Proxies whose forwarding headers are trusted; by default none. */
  readonly trusted?: TrustedProxies.TrustedProxies
  /** Returns milliseconds since an arbitrary start; by default the start of this process. */
  readonly now?: () => number
}

/**
 * Creates an {@link Access} that checks keys, scopes and rate limits. A caller without a key is limited by address
 * and may use every scope. A key may use only its own scopes. Requests with an invalid key count against the caller's
 * address, and are rejected except by the Metrics API.
 */
export function createAccess(options: AccessOptions): Access {
  const budgets = createBudgets(options.now ?? (() => performance.now()))
  const used = new WeakMap<FastifyRequest, Used>()
  const note = (request: FastifyRequest, key: ApiKey.StoredKey | undefined, units: number) =>
    used.set(request, {
      key: nameOf(key),
      keyId: key && ApiKey.id(key),
      units: (used.get(request)?.units ?? 0) + units,
    })
  return {
    used: (request) => used.get(request),
    admit: async (request, { scope, units, isOpen, needsKey = false }) => {
      if (isOpen === true) return {}
      const { key, refusal = missing(key, scope, needsKey) } = await identify(request, options.keys, scope)
      note(request, key, 0)
      const headers = await charge(request, key, units, options)
      note(request, key, units)
      if (refusal === undefined) return headers
      throw new DataApiError(refusal.code, refusal.message, { details: { headers } })
    },
    keyOf: async (request) => (await identify(request, options.keys)).key,
    charge: async (request, units) => {
      const { key } = await identify(request, options.keys)
      const headers = await charge(request, key, units, options)
      note(request, key, units)
      return headers
    },
    owner: async (request) => {
      const { key } = await identify(request, options.keys)
      const isOperator =
        key === undefined ? ((await options.isOperator?.(request)) ?? false) : key.scopes.includes('admin')
      const { limits } = callerOf(request, key, options)
      const isAnonymous = options.counters !== undefined && key === undefined && !isOperator
      return { key: key && ApiKey.id(key), limits, isAnonymous, isOperator }
    },
    caller: async (request) => {
      if (options.counters === undefined) return undefined
      return callerOf(request, (await identify(request, options.keys)).key, options)
    },
    run: async (request, rows, work) => {
      if (options.counters === undefined) return work(Number.POSITIVE_INFINITY)
      const { key } = await identify(request, options.keys)
      try {
        return await budgets.run(callerOf(request, key, options), rows, work)
      } catch (error) {
        if (isDataApiError(error) && error.code === 'DATA_RATE_LIMIT') refused(request, key, 'rows', options)
        throw error
      }
    },
  }
}

/** Reason why a key does not give access to an endpoint. */
interface Refusal {
  readonly code: 'DATA_KEY' | 'DATA_SCOPE'
  readonly message: string
}

/** The valid key of a request, or the reason why it is invalid. Empty if the request contains no key. */
interface Identity {
  readonly key?: ApiKey.StoredKey | undefined
  readonly refusal?: Refusal
}

/** Identifies the key of a request. For a scope whose endpoints have no keys in the hosted service, an invalid key is none. */
async function identify(
  { headers }: FastifyRequest,
  keys: AccessOptions['keys'],
  scope?: ApiKey.CallerScope,
): Promise<Identity> {
  const { key, problem } = await ApiKey.identify(headers, keys)
  if (problem === undefined || scope === WITHOUT_KEYS) return { key }
  return { refusal: { code: 'DATA_KEY', message: problem } }
}

/** The Metrics API of the hosted service ignores keys, so its clients send any. */
const WITHOUT_KEYS: ApiKey.CallerScope = 'metrics'

const NO_KEY: Refusal = {
  code: 'DATA_KEY',
  message: 'this request needs an API key; the operator creates one with "firn keys create"',
}

function missing(
  key: ApiKey.StoredKey | undefined,
  scope: ApiKey.CallerScope,
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
  const caller = callerOf(request, key, options)
  const { isAllowed, name, allowance, headers } = await take(counters, caller, units)
  if (isAllowed) return headers
  refused(request, key, 'compute units', options)
  throw new DataApiError(
    'DATA_RATE_LIMIT',
    `rate limit ${name === Caller.nameOf(caller) ? '' : 'of your network '}exceeded: ${allowance.unitsPerMinute} compute units per minute, ${allowance.unitsPerDay} per day; retry in ${headers['retry-after']} s`,
    { details: { headers } },
  )
}

function nameOf(key: ApiKey.StoredKey | undefined): string {
  return key === undefined ? '' : `${key.name} (${key.hint}…)`
}

/** Reports a refused request to the operators. */
function refused(
  request: FastifyRequest,
  key: ApiKey.StoredKey | undefined,
  limit: string,
  { trusted = TrustedProxies.NONE }: AccessOptions,
): void {
  const caller = key === undefined ? IpAddress.toLimitKey(ClientAddress.find(request, trusted)) : nameOf(key)
  Refusals.publish({ service: 'data-api', caller, limit })
}

function callerOf(
  request: FastifyRequest,
  key: ApiKey.StoredKey | undefined,
  options: AccessOptions,
): Caller.Caller {
  if (key !== undefined) return Caller.ofKey(key, options)
  return Caller.ofAddress(ClientAddress.find(request, options.trusted ?? TrustedProxies.NONE), options)
}
