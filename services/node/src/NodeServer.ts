import { readFileSync } from 'node:fs'
import { NodeId } from '@firn/codec'
import { type Connections, TrustedProxies } from '@firn/http'
import {
  Apis,
  CallerLimits,
  createListener,
  type Endpoint,
  HttpRules,
  type Listener,
  type NodeContext,
  OpenRpcEndpoint,
} from '@firn/node-api'
import { Console, Operators } from '@firn/operate'
import { ConfigurationFile } from '@firn/options'
import { type Configuration, wrong } from './Configuration.ts'
import type { NodeOptions } from './NodeOptions.ts'
import { VERSION } from './Version.ts'

/** What the server has besides the routes of a node. */
export interface ServerParts {
  readonly landing: Endpoint
  readonly operate: Endpoint
  readonly connections: Connections.Connections
}

/** Creates the HTTP server of a node, which does not listen yet. */
export function createServer(
  { configuration, identity }: NodeOptions,
  context: NodeContext,
  observe: (base: string) => () => void,
  { landing, operate, connections }: ServerParts,
): Listener {
  const { routes } = context
  const pages = new Map([
    ['/openrpc.json', OpenRpcEndpoint.create(routes, { title: 'Firn node API', version: VERSION })],
  ])
  const fallback = Apis.createFallback(context)
  return createListener({
    routes,
    rules: HttpRules.create({
      nodeId: NodeId.format(identity.nodeId),
      allowedOrigins: configuration.httpAllowedOrigins,
      allowedHosts: configuration.httpAllowedHosts,
    }),
    fallback: (path) => {
      if (Operators.isPath(path)) return operate
      return Console.isPath(path) ? landing : (pages.get(path) ?? fallback(path))
    },
    connections,
    limits: limitsOf(configuration),
    readTimeoutMs: configuration.httpReadTimeout,
    readHeaderTimeoutMs: configuration.httpReadHeaderTimeout,
    writeTimeoutMs: configuration.httpWriteTimeout,
    idleTimeoutMs: configuration.httpIdleTimeout,
    observe,
    onError: (err) => context.log.error({ err }, 'request failed'),
    ...tlsOf(configuration),
  })
}

function limitsOf(configuration: Configuration): CallerLimits.CallerLimits {
  const { rateLimits, httpUnitsPerSecond: perSecond, httpBurstUnits: burst } = configuration
  const trusted = TrustedProxies.create(configuration)
  const rate = rateLimits ? { perSecond, burst } : undefined
  return CallerLimits.create({ rate, trusted, now: () => performance.now() })
}

/**
 * Returns the TLS options.
 * @throws NodeError `NODE_CONFIGURATION`
 */
function tlsOf(configuration: Configuration): {
  readonly tls?: { readonly key: string; readonly cert: string }
} {
  if (!configuration.httpTlsEnabled) return {}
  const pem = (content: string, path: string, option: string) => {
    if (content !== '') return Buffer.from(content, 'base64').toString('utf8')
    if (path === '') throw wrong(`http-tls-enabled: ${option} is missing`)
    return ConfigurationFile.readText(path, option, (file) => readFileSync(file, 'utf8'))
  }
  const { httpTlsKeyFile, httpTlsKeyFileContent, httpTlsCertFile, httpTlsCertFileContent } = configuration
  const key = pem(httpTlsKeyFileContent, httpTlsKeyFile, 'http-tls-key-file')
  const cert = pem(httpTlsCertFileContent, httpTlsCertFile, 'http-tls-cert-file')
  return { tls: { key, cert } }
}
