import { posix } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The rules of a node's HTTP server that lie around its methods. */
export interface NodeHttpOptions {
  /** `NodeID-…`, sent as header `Node-Id` with every answer. */
  readonly nodeId: string
  /** Origins that browsers may call from; `['*']` (all) if not given. */
  readonly allowedOrigins?: readonly string[]
  /** Values of `Host` served beside IP addresses; `['localhost']` if not given, `'*'` for all. */
  readonly allowedHosts?: readonly string[]
}

const ALLOWED_METHODS = ['GET', 'POST', 'HEAD']
const ALLOWED_HEADERS = ['origin', 'accept', 'content-type', 'x-requested-with']

/** Gives a fastify app the node's headers, cross-origin rules, host filter, path cleaning and plain 404. */
export function nodeHttp(app: FastifyInstance, options: NodeHttpOptions): void {
  const origins = options.allowedOrigins ?? ['*']
  const hosts = options.allowedHosts ?? ['localhost']
  app.addHook('onRequest', async (request, reply) => {
    reply.header('Node-Id', options.nodeId)
    if (isPreflight(request)) return preflight(request, reply, origins)
    reply.header('Vary', 'Origin')
    allowOrigin(request, reply, origins, request.method)
    if (!isHostServed(request.headers.host ?? '', hosts)) return text(reply, 403, 'invalid host specified\n')
    const cleaned = cleanPath(request.url)
    if (cleaned !== undefined) return reply.code(301).header('Location', cleaned).send()
  })
  app.setNotFoundHandler((_request, reply) => text(reply, 404, '404 page not found\n'))
}

function text(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'text/plain; charset=utf-8')
    .header('X-Content-Type-Options', 'nosniff')
    .send(body)
}

function isPreflight(request: FastifyRequest): boolean {
  return request.method === 'OPTIONS' && Boolean(request.headers['access-control-request-method'])
}

/** Answered before the host check, always with 200; what is not allowed gets no Access-Control header. */
function preflight(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): FastifyReply {
  const wanted = String(request.headers['access-control-request-method']).toUpperCase()
  const headers = String(request.headers['access-control-request-headers'] ?? '').split(',')
  const names = headers.map((name) => name.trim().toLowerCase()).filter((name) => name !== '')
  reply.header('Vary', ['Origin', 'Access-Control-Request-Method', 'Access-Control-Request-Headers'])
  if (names.every((name) => ALLOWED_HEADERS.includes(name)) && allowOrigin(request, reply, origins, wanted)) {
    reply.header('Access-Control-Allow-Methods', wanted)
    if (names.length > 0) reply.header('Access-Control-Allow-Headers', names.map(canonicalName).join(', '))
  }
  return reply.code(200).send()
}

function allowOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[],
  method: string,
): boolean {
  const { origin } = request.headers
  const any = origins.includes('*')
  if (!origin || !ALLOWED_METHODS.includes(method) || !(any || origins.includes(origin.toLowerCase())))
    return false
  reply.header('Access-Control-Allow-Origin', any ? '*' : origin)
  reply.header('Access-Control-Allow-Credentials', 'true')
  return true
}

function canonicalName(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())
}

function isHostServed(host: string, hosts: readonly string[]): boolean {
  if (host === '' || hosts.includes('*')) return true
  const name = host.replace(/:[0-9]*$/, '').toLowerCase()
  const isIp = /^[0-9]{1,3}(\.[0-9]{1,3}){3}$/.test(name) || /^\[?[0-9a-f:.]*:[0-9a-f:.]*\]?$/.test(name)
  return isIp || hosts.some((allowed) => allowed.toLowerCase() === name)
}

/** Returns where a path that is not clean (`//`, `.`, `..`) redirects to; undefined when it is clean. */
function cleanPath(url: string): string | undefined {
  const [path = '', ...query] = url.split('?')
  const cleaned = posix.normalize(path.startsWith('/') ? path : `/${path}`)
  if (cleaned === path) return undefined
  return [cleaned, ...query].join('?')
}
