import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import * as ConnectionLimits from './connections/ConnectionLimits.ts'
import * as Connections from './connections/Connections.ts'
import { setTimes } from './connections/setTimes.ts'
import { HttpError } from './HttpError.ts'

/** The address and port to bind, and the flags that change them. */
export interface PortOptions {
  /** Address to bind; an empty string binds every address of the machine. */
  readonly host: string
  /** Port number to bind; 0 picks a free port. */
  readonly port: number
  /** Flag that changes the port, such as `--http-port`. Errors name it. */
  readonly flag: string
  /** Flag that changes the address, for errors; `--host` by default. */
  readonly hostFlag?: string
}

/** A bound port. It answers requests with 503 until a server takes it over. */
export interface BoundPort {
  readonly host: string
  readonly port: number
  /** Root URL of the port, such as `http://127.0.0.1:8701`. */
  readonly url: string
  /** Passes all further connections to `server`, which then owns the port, within limits. */
  serve(server: Server, limits: ServeLimits): Promise<void>
  /** Frees the port, unless a server has taken it over. */
  close(): Promise<void>
}

/** Limits of a server that takes over a port. */
export interface ServeLimits {
  /** Limits of the connections of the service. */
  readonly connections: Connections.Connections
  /** Name of the listener in metrics, such as `api`. */
  readonly listener: string
  /** Closes connections that wait for a request; needed for a server that passes its connections to others. */
  readonly closeIdle?: () => void
  /** Maximum number of connections that wait to be accepted; by default Node's own limit. */
  readonly backlog?: number
}

/** A port option of a service: a port number, where 0 picks a free port, or a port that is already bound. */
export type Port = number | BoundPort

const RETRY_AFTER_S = '1'
const STARTING_LIMITS = { connections: 256, headersMs: 10_000, readMs: 10_000, idleMs: 1_000 } as const
const BODY = `${JSON.stringify({ status: 'starting', message: 'This service is starting. Try again in a second.' })}\n`
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'retry-after': RETRY_AFTER_S,
  connection: 'close',
} as const

/**
 * Binds a port before other start-up work. A port that is in use is then reported immediately, and no other
 * process can take the port in the meantime.
 *
 * @throws HttpError `HTTP_PORT`: the port is in use, or the address does not belong to this machine; the
 * message names the flag to change
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { BoundPort, Connections } from '@firn/http'
 *
 * const port = await BoundPort.bind({ host: '127.0.0.1', port: 0, flag: '--http-port' })
 * const server = createServer((_request, response) => response.end('ready'))
 * const connections = Connections.create({ service: 'example', prefix: 'example' })
 * await port.serve(server, { connections, listener: 'api' })
 * console.log(await (await fetch(port.url)).text())
 * server.close()
 * ```
 */
export async function bind(options: PortOptions): Promise<BoundPort> {
  const starting = createHttpServer(ConnectionLimits.SERVER_OPTIONS, (_request, response) =>
    response.writeHead(503, HEADERS).end(BODY),
  )
  setTimes(starting, { ...ConnectionLimits.DEFAULTS, ...STARTING_LIMITS })
  // `starting` does not listen itself, but gets its connections from `front`. The `listening` event starts its
  // connection timeouts.
  starting.emit('listening')
  const front = createServer((socket) => void starting.emit('connection', socket))
  Connections.create({ service: 'starting', prefix: 'starting', limits: STARTING_LIMITS }).attach(
    front,
    'starting',
  )
  const end = () => starting.close(() => undefined)
  try {
    await listen(front, options)
  } catch (error) {
    end()
    throw refused(options, error as NodeJS.ErrnoException)
  }
  const { address, family, port } = front.address() as AddressInfo
  let isServed = false
  return {
    host: options.host,
    port,
    url: `http://${reachable(address, family)}:${port}`,
    async serve(server, { connections, listener, closeIdle, backlog }) {
      isServed = true
      connections.attach(server, listener, closeIdle)
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(front, backlog, () => {
          server.off('error', reject)
          resolve()
        })
      })
      end()
    },
    async close() {
      if (isServed || !front.listening) return
      await new Promise<void>((resolve) => {
        front.close(() => resolve())
        starting.closeAllConnections()
        end()
      })
    },
  }
}

/**
 * Binds several ports and returns them by name. If one port cannot be bound, the others are freed.
 *
 * @throws HttpError `HTTP_PORT`: a port cannot be bound, or two flags give the same port
 * @example
 * ```ts
 * import { BoundPort } from '@firn/http'
 *
 * const { api, metrics } = await BoundPort.bindAll({
 *   api: { host: '127.0.0.1', port: 0, flag: '--http-port' },
 *   metrics: { host: '127.0.0.1', port: 0, flag: '--metrics-port' },
 * })
 * await Promise.all([api.close(), metrics.close()])
 * ```
 */
export async function bindAll<Name extends string>(
  options: Readonly<Record<Name, PortOptions>>,
): Promise<Readonly<Record<Name, BoundPort>>> {
  const entries = Object.entries(options) as [Name, PortOptions][]
  assertDistinct(entries.map(([, one]) => one))
  const bound: [Name, BoundPort][] = []
  try {
    for (const [name, one] of entries) bound.push([name, await bind(one)])
  } catch (error) {
    await Promise.all(bound.map(([, port]) => port.close()))
    throw error
  }
  return Object.fromEntries(bound) as Record<Name, BoundPort>
}

/**
 * Calls `start` with a bound port and returns the result. If `port` is a number, the port is bound first. If
 * `start` fails, the port is freed.
 *
 * @throws HttpError `HTTP_PORT`; errors of `start`
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { BoundPort, Connections } from '@firn/http'
 *
 * const server = createServer((_request, response) => response.end('ready'))
 * const connections = Connections.create({ service: 'example', prefix: 'example' })
 * await BoundPort.use(8080, { host: '127.0.0.1', flag: '--http-port' }, async (port) => {
 *   await port.serve(server, { connections, listener: 'api' })
 *   console.log(`listening on ${port.url}`)
 * })
 * ```
 */
export async function use<T>(
  port: Port,
  options: Omit<PortOptions, 'port'>,
  start: (bound: BoundPort) => Promise<T>,
): Promise<T> {
  const bound = typeof port === 'number' ? await bind({ ...options, port }) : port
  try {
    return await start(bound)
  } catch (error) {
    await bound.close()
    throw error
  }
}

function assertDistinct(options: readonly PortOptions[]): void {
  for (const [index, { port, host, flag }] of options.entries()) {
    const other = options.slice(0, index).find((one) => port !== 0 && one.port === port && one.host === host)
    if (other === undefined) continue
    throw fault(
      `${other.flag} and ${flag} are both ${port}. Pass a different port to one of them.`,
      port,
      flag,
    )
  }
}

function listen(front: Server, { host, port }: PortOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    front.once('error', reject)
    front.listen({ port, ...(host === '' ? {} : { host }) }, () => {
      front.off('error', reject)
      resolve()
    })
  })
}

/**
 * Returns the host under which clients can reach the address, for use in a URL. For a wildcard address it is
 * the loopback address.
 */
function reachable(address: string, family: string): string {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1'
  return family === 'IPv6' ? `[${address}]` : address
}

function refused({ host, port, flag, hostFlag = '--host' }: PortOptions, cause: NodeJS.ErrnoException) {
  const at = host === '' ? '' : ` at ${host}`
  const remedies: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port}${at} is in use. Pass ${flag} <port>, or stop the process that listens on it.`,
    EACCES: `This user may not listen on port ${port}${at}. Pass ${flag} <port> with a port of 1024 or more.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Pass ${hostFlag} <address>.`,
    ENOTFOUND: `${host} is not an address of this machine. Pass ${hostFlag} <address>.`,
  }
  const { code = cause.message } = cause
  return fault(
    remedies[code] ?? `Port ${port}${at} cannot be bound (${code}). Pass ${flag} <port>.`,
    port,
    flag,
    cause,
  )
}

function fault(message: string, port: number, flag: string, cause?: Error): HttpError {
  return new HttpError('HTTP_PORT', message, { details: { port, flag }, ...(cause && { cause }) })
}
