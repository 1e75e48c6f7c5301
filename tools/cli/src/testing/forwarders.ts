import { connect, createServer, type Socket } from 'node:net'

/** The head of a request: its first line without the version, and its headers in their order. */
export interface Head {
  readonly line: string
  readonly version: string
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** Address from which the attackers come, as the forwarders see it. */
const CALLER = '203.0.113.9'

type Rewrite = (head: Head, upstream: string) => Head

const without = (headers: Head['headers'], names: readonly string[]) =>
  headers.filter(([name]) => !names.includes(name.toLowerCase()))
const set =
  (...added: Head['headers']): Rewrite =>
  (head) => ({
    ...head,
    headers: [
      ...without(
        head.headers,
        added.map(([name]) => name.toLowerCase()),
      ),
      ...added,
    ],
  })
/** Appends the caller's address to what the caller has sent. */
const append =
  (name: string): Rewrite =>
  (head) => {
    const sent = head.headers.filter(([other]) => other.toLowerCase() === name.toLowerCase())
    return set([name, [...sent.map(([, value]) => value), CALLER].join(', ')])(head, '')
  }
const chain =
  (...rewrites: readonly Rewrite[]): Rewrite =>
  (head, upstream) =>
    rewrites.reduce((before, rewrite) => rewrite(before, upstream), head)
const upstreamHost: Rewrite = (head, upstream) => set(['Host', upstream])(head, upstream)
/** Removes the headers that the caller's `connection` header names, as RFC 9110 asks of a proxy. */
const hopByHop: Rewrite = (head) => {
  const named = head.headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(/ *, */))
  const rest = without(head.headers, ['connection', ...named])
  return { ...head, headers: [...rest, ['Connection', 'close']] }
}

/** What the shortest configuration of each server sends to its upstream. For tests only. */
export const FORWARDERS: Readonly<Record<string, Rewrite>> = {
  'raw TCP (socat, ssh -R, kubectl port-forward, docker-proxy)': (head) => head,
  'nginx, proxy_pass alone': chain(
    (head) => ({ ...head, version: 'HTTP/1.0' }),
    upstreamHost,
    set(['Connection', 'close']),
  ),
  'nginx, upstream block named localhost': chain(
    (head) => ({ ...head, version: 'HTTP/1.0' }),
    set(['Host', 'localhost'], ['Connection', 'close']),
  ),
  'nginx with X-Forwarded-For': chain(set(['Connection', 'close']), append('X-Forwarded-For')),
  'nginx with X-Real-IP': chain(set(['Connection', 'close'], ['X-Real-IP', CALLER])),
  'haproxy, without forwardfor': (head) => head,
  'haproxy, forwardfor': append('X-Forwarded-For'),
  'Caddy, reverse_proxy': chain(
    hopByHop,
    set(['X-Forwarded-For', CALLER], ['X-Forwarded-Proto', 'http'], ['X-Forwarded-Host', 'machine.example']),
  ),
  Traefik: chain(
    hopByHop,
    set(['X-Forwarded-For', CALLER], ['X-Real-Ip', CALLER], ['X-Forwarded-Server', 'edge']),
  ),
  'Apache, ProxyPass': chain(
    hopByHop,
    upstreamHost,
    append('X-Forwarded-For'),
    set(['X-Forwarded-Host', 'machine.example'], ['X-Forwarded-Server', 'edge']),
  ),
  'Envoy, HTTP connection manager': chain(
    hopByHop,
    set(['x-request-id', '7b1f'], ['x-forwarded-proto', 'http'], ['x-envoy-expected-rq-timeout-ms', '15000']),
  ),
  'node http-proxy': (head) => head,
  'Go httputil.ReverseProxy': chain(hopByHop, append('X-Forwarded-For')),
  Varnish: chain(append('X-Forwarded-For'), set(['Via', '1.1 edge (Varnish/7.1)'], ['X-Varnish', '3'])),
  Squid: chain(set(['Via', '1.1 edge (squid)']), append('X-Forwarded-For')),
  cloudflared: set(['Cf-Connecting-Ip', CALLER], ['Cf-Ray', '8c'], ['Cdn-Loop', 'cloudflare']),
  Fastly: set(['Fastly-Client-IP', CALLER], ['Fastly-FF', 'x']),
  'Azure Front Door': set(['X-Azure-ClientIP', CALLER], ['X-Azure-Ref', 'x']),
  'AWS load balancer': set(['X-Amzn-Trace-Id', 'Root=1']),
  'IIS with ARR': chain(upstreamHost, set(['X-Original-URL', '/operate/keys'], ['X-ARR-LOG-ID', 'x'])),
}

/** Which of the forwarders send a header that tells that they forward, whatever the caller sends. */
export const isSilent = (name: string): boolean =>
  /^(?:raw TCP|nginx, |haproxy, without|node http-proxy)/.test(name)

/** A forwarder that runs. */
export interface Forwarder {
  readonly port: number
  close(): void
}

/** Starts a forwarder on this machine to the port of a service. Each connection is for one request. For tests only. */
export async function startForwarder(target: number, rewrite: Rewrite): Promise<Forwarder> {
  const server = createServer((near) => {
    let received = ''
    near.on('error', () => near.destroy())
    near.on('data', function read(chunk: Buffer) {
      received += chunk.toString('latin1')
      const end = received.indexOf('\r\n\r\n')
      if (end < 0) return
      near.off('data', read)
      forward(
        near,
        rewrite(parse(received.slice(0, end)), `127.0.0.1:${target}`),
        received.slice(end),
        target,
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, close: () => void server.close() }
}

function parse(text: string): Head {
  const [first = '', ...lines] = text.split('\r\n')
  const [, line = first, version = 'HTTP/1.1'] = /^(.*) (HTTP\/1\.[01])$/.exec(first) ?? []
  const headers = lines.map((one): readonly [string, string] => {
    const at = one.indexOf(':')
    return [one.slice(0, at), one.slice(at + 1).trim()]
  })
  return { line, version, headers }
}

function forward(near: Socket, { line, version, headers }: Head, rest: string, target: number): void {
  const far = connect(target, '127.0.0.1')
  far.on('error', () => near.destroy())
  const fields = headers.map(([name, value]) => `\r\n${name}: ${value}`)
  far.write(`${line} ${version}${fields.join('')}${rest}`, 'latin1')
  near.pipe(far)
  far.pipe(near)
}
