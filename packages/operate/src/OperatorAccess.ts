import { isIP } from 'node:net'
import { ApiKey, type ClientAddress, IpAddress, LocalCaller, OperatorSocket } from '@firn/http'
import type { LocalAccess } from './LocalAccess.ts'
import { OperatorError } from './OperatorError.ts'

/** Who may call the endpoints for operators. */
export interface AccessOptions {
  /** Returns all stored API keys, including revoked ones; undefined if the service has none. */
  readonly keys: (() => Promise<readonly ApiKey.StoredKey[]>) | undefined
  /** Token and links for callers on this machine; undefined if there are none. */
  readonly local: LocalAccess | undefined
}

/** Header with the token of the data folder, or of a browser that was signed in. */
export const TOKEN_HEADER = 'x-operator-token'
/** Header with the code of a link. */
export const CODE_HEADER = 'x-operator-code'

const LINK = 'run "firn operate link" on the machine of the service and open the link that it prints'
const KEY = 'send a key with the scope admin, which "firn keys create --name <name> --scope admin" creates'

/**
 * Decides who is an operator, for everything that only operators may do. Returns how the caller is named in logs. In
 * this order:
 *
 * 1. A caller that sends an API key is what the key says: an operator with the scope `admin`, otherwise refused.
 * 2. A caller on the operator socket is an operator. Only the user of the service can connect to it.
 * 3. A caller with the token of the data folder, or with the one for which the console has exchanged a link, is an
 * operator if its connection comes from a loopback address and has no header of a proxy. A browser on this machine may
 * act for any website, so the host must be a name of this machine, and the page must be of the same origin.
 *
 * All others are refused. An address alone never makes an operator, because a proxy on this machine may have forwarded
 * the request without saying so.
 * @throws OperatorError `OPERATE_CALLER`, `OPERATE_KEY`, `OPERATE_SCOPE`, `OPERATE_SITE`, `OPERATE_TOKEN`
 */
export async function admit(request: ClientAddress.Source, { keys, local }: AccessOptions): Promise<string> {
  const { headers, socket } = request
  const { key, problem } = await ApiKey.identify(headers, keys ?? (async () => []))
  if (key?.scopes.includes('admin') === true) return `key ${ApiKey.id(key)}`
  if (key !== undefined) {
    const message = `the API key ${key.hint}… does not have the scope "admin"; ${KEY}`
    throw new OperatorError('OPERATE_SCOPE', message)
  }
  if (problem !== undefined) throw new OperatorError('OPERATE_KEY', problem)
  if (OperatorSocket.has(socket)) {
    assertNotForwarded(headers)
    return 'socket'
  }
  const token = text(headers[TOKEN_HEADER])
  if (token === '') {
    const how = keys === undefined ? LINK : `${LINK}, or ${KEY}`
    throw new OperatorError('OPERATE_CALLER', `this is for operators of the service only; ${how}`)
  }
  assertLocal(request)
  if (local?.has(token) === true) return 'local'
  throw new OperatorError('OPERATE_TOKEN', `the token of the operator is unknown or has expired; ${LINK}`)
}

/** Returns whether a request comes from an operator; see {@link admit}. */
export async function isOperator(request: ClientAddress.Source, access: AccessOptions): Promise<boolean> {
  try {
    await admit(request, access)
    return true
  } catch (error) {
    if (error instanceof OperatorError) return false
    throw error
  }
}

/**
 * Returns a token for the code of a link. The code must come from this machine, like the token.
 * @throws OperatorError `OPERATE_CALLER`, `OPERATE_LINK`, `OPERATE_SITE`
 */
export function signIn(request: ClientAddress.Source, { local }: Pick<AccessOptions, 'local'>): string {
  assertLocal(request)
  const { localPort } = request.socket as { readonly localPort?: number }
  const token = local?.exchange(text(request.headers[CODE_HEADER]), localPort)
  if (token !== undefined) return token
  const message = `the link was already used, has expired, or belongs to another service; ${LINK}`
  throw new OperatorError('OPERATE_LINK', message)
}

function assertNotForwarded(headers: Headers): void {
  const name = LocalCaller.forwardingHeader(headers)
  if (name === undefined) return
  const message = `a proxy has forwarded the request (header ${name}), so only a key with the scope admin counts; connect to the service directly`
  throw new OperatorError('OPERATE_CALLER', message)
}

function assertLocal(request: ClientAddress.Source): void {
  assertNotForwarded(request.headers)
  if (!LocalCaller.isLocal(request)) {
    const message = `the token of an operator counts only on the machine of the service; connect to 127.0.0.1 there, for example through "ssh -L 8700:127.0.0.1:8700 <host>", or ${KEY}`
    throw new OperatorError('OPERATE_CALLER', message)
  }
  const site = siteProblem(request.headers)
  if (site !== undefined) throw new OperatorError('OPERATE_SITE', site)
}

type Headers = ClientAddress.Source['headers']

/** Returns why another site may have caused a request of this machine; undefined if none can. */
function siteProblem(headers: Headers): string | undefined {
  const host = text(headers['host'] ?? headers[':authority'])
  // A website can make its own name point to this machine, but not the names and addresses of this machine.
  if (!isLocalHost(host)) {
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

const MAX_PORT = 65_535

/** Returns whether a `host` header names this machine: `localhost` or a loopback address, with or without a port. */
function isLocalHost(host: string): boolean {
  const [, name = '', port = '0'] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(host) ?? []
  if (Number(port) > MAX_PORT) return false
  if (name.toLowerCase() === 'localhost' || name === '[::1]') return true
  return isIP(name) === 4 && IpAddress.isLoopback(IpAddress.parse(name))
}

function isOwnOrigin(origin: string, host: string): boolean {
  const own = host.toLowerCase()
  return [`http://${own}`, `https://${own}`].includes(origin.toLowerCase())
}

function text(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value ?? []).join(',')
}
