import type { IncomingMessage } from 'node:http'
import { ClientAddress, IpAddress } from '@firn/http'
import type { Caller } from '../admission/Admission.ts'
import { GatewayError } from '../GatewayError.ts'
import type { Chain } from './Chain.ts'
import type { GatewayContext } from './Context.ts'
import { asGatewayError } from './Refused.ts'

/** The chain and the caller of a request. */
export interface Route {
  readonly chain: Chain
  readonly caller: Caller
}

/** Paths that {@link parsePath} accepts. */
export const CHAIN_PATHS = [
  '/rpc/{chainId}',
  '/rpc/{chainId}/ws',
  '/rpc/{chainId}/{token}',
  '/rpc/{chainId}/{token}/ws',
] as const

const PATH = /^\/rpc\/([^/]{1,128})(?:\/([^/]{1,128}))?(?:\/ws)?\/?$/

/**
 * Returns the rate-limit keys of the address that a request comes from.
 * @throws GatewayError `GATEWAY_REQUEST` if the request did not pass all proxies
 */
export function callerKeys(request: IncomingMessage, { trusted }: GatewayContext): IpAddress.LimitKeys {
  try {
    return IpAddress.toLimitKeys(ClientAddress.find(request, trusted))
  } catch (error) {
    throw asGatewayError(error)
  }
}

/** Returns the rate-limit keys of a probe or an operator, whose requests need not pass the proxies. */
export function probeKeys(request: IncomingMessage, context: GatewayContext): IpAddress.LimitKeys {
  try {
    return callerKeys(request, context)
  } catch {
    return IpAddress.toLimitKeys(IpAddress.parse(request.socket.remoteAddress ?? ''))
  }
}

/**
 * Returns the chain's name and the bypass token in the path of a URL. Returns undefined if the path is not one of
 * {@link CHAIN_PATHS}.
 */
export function parsePath(
  url: string,
): { readonly name: string; readonly token: string | undefined } | undefined {
  const [path = ''] = url.split('?')
  const [, name, token] = PATH.exec(path) ?? []
  return name === undefined ? undefined : { name, token: token === 'ws' ? undefined : token }
}

/**
 * Returns the chain and the caller of a request. The bypass token can be in the path or in the header
 * `x-bypass-token`.
 * @throws GatewayError `GATEWAY_ROUTE`, `GATEWAY_TOKEN`
 */
export function routeOf(request: IncomingMessage, keys: IpAddress.LimitKeys, context: GatewayContext): Route {
  const path = parsePath(request.url ?? '')
  if (path === undefined) throw new GatewayError('GATEWAY_ROUTE', 'expected /rpc/{chainId}')
  const chain = context.chains.get(path.name)
  if (chain === undefined)
    throw new GatewayError('GATEWAY_ROUTE', 'unknown chain; use /rpc/{chainId} with a served chain')
  const text = path.token ?? request.headers['x-bypass-token']
  if (text === undefined || text === '') return { chain, caller: { keys, bypass: undefined } }
  const bypass = context.tokens.find(String(text))
  if (bypass === undefined)
    throw new GatewayError(
      'GATEWAY_TOKEN',
      'the bypass token is unknown or was revoked; request without it or with a valid token',
    )
  return { chain, caller: { keys, bypass } }
}
