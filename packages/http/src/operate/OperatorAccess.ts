import * as ApiKey from '../ApiKey.ts'
import type * as ClientAddress from '../ClientAddress.ts'
import * as LocalCaller from '../LocalCaller.ts'
import type { TrustedProxies } from '../TrustedProxies.ts'
import { OperatorError } from './OperatorError.ts'

/** Who may call the endpoints for operators. */
export interface AccessOptions {
  readonly trusted: TrustedProxies
  /** Returns all stored API keys, including revoked ones; undefined if the service has none. */
  readonly keys: (() => Promise<readonly ApiKey.StoredKey[]>) | undefined
}

const HOW =
  'open the console on the machine of the service, or send a key with the scope admin, which "firn keys create --name <name> --scope admin" creates'
const HOW_LOCALLY =
  'open the console on the machine of the service, for example through "ssh -L 8700:127.0.0.1:8700 <host>"'

/**
 * Admits a caller on this machine, or with an API key of the scope `admin`. Returns how the caller is named in logs.
 *
 * A browser on this machine may act for any website, so a caller without a key must also use a name of this machine as
 * the host, and must not come from a page of another origin. A key cannot be sent by other sites, because these
 * endpoints allow no request across origins.
 * @throws OperatorError `OPERATE_CALLER`, `OPERATE_KEY`, `OPERATE_SCOPE`, `OPERATE_SITE`
 */
export async function admit(
  request: ClientAddress.Source,
  { trusted, keys }: AccessOptions,
): Promise<string> {
  const { headers } = request
  if (isLocalOperator(request, trusted)) return 'local'
  const site = LocalCaller.isLocal(request) ? siteProblem(headers) : undefined
  const { key, problem } = keys === undefined ? {} : await ApiKey.identify(headers, keys)
  if (key?.scopes.includes('admin') === true) return `key ${ApiKey.id(key)}`
  if (key !== undefined) {
    const message = `the API key ${key.hint}… does not have the scope "admin"; ${HOW}`
    throw new OperatorError('OPERATE_SCOPE', message)
  }
  if (problem !== undefined) throw new OperatorError('OPERATE_KEY', problem)
  if (site !== undefined) throw new OperatorError('OPERATE_SITE', site)
  const how = keys === undefined ? HOW_LOCALLY : HOW
  throw new OperatorError('OPERATE_CALLER', `this is for operators of the service only; ${how}`)
}

/**
 * Returns whether a request without a key comes from an operator: from a program or the console on this machine, but not
 * from a website in a browser on this machine.
 * @example
 * ```ts
 * import { Operators, TrustedProxies } from '@firn/http'
 *
 * const request = { socket: { remoteAddress: '127.0.0.1' }, headers: { host: 'localhost:8700' } }
 * Operators.isLocalOperator(request, TrustedProxies.NONE) // true
 * ```
 */
export function isLocalOperator(request: ClientAddress.Source, _trusted: TrustedProxies): boolean {
  return LocalCaller.isLocal(request) && siteProblem(request.headers) === undefined
}

const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

type Headers = ClientAddress.Source['headers']

/** Returns why another site may have caused a request of this machine; undefined if none can. */
function siteProblem(headers: Headers): string | undefined {
  const host = text(headers['host'] ?? headers[':authority'])
  // A website can make its own name point to this machine, but not the names and addresses of this machine.
  if (!LOCAL_HOST.test(host)) {
    return 'the host of the request is not this machine; open http://127.0.0.1 or http://localhost with the port of the service'
  }
  const origin = headers['origin']
  if (origin !== undefined && !isOwnOrigin(text(origin), host)) {
    return 'a page of another origin sent the request; open the console of this service'
  }
  const site = headers['sec-fetch-site']
  if (site !== undefined && !['same-origin', 'none'].includes(text(site))) {
    return 'a page of another site sent the request; open the console of this service'
  }
  return undefined
}

function isOwnOrigin(origin: string, host: string): boolean {
  const own = host.toLowerCase()
  return [`http://${own}`, `https://${own}`].includes(origin.toLowerCase())
}

function text(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value ?? []).join(',')
}
