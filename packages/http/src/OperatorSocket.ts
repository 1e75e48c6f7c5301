import { chmod, lstat, unlink } from 'node:fs/promises'
import type { Server as HttpServer } from 'node:http'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { HttpError } from './HttpError.ts'

/** A Unix socket on which a service admits operators without a credential, because only its user can connect. */
export interface OperatorSocket {
  /** Stops listening, removes the file and closes all connections. */
  close(): Promise<void>
}

/** Longest path in bytes. Linux allows 107 and macOS 103, and longer ones would be cut without an error. */
const MAX_PATH = 103
/** Mode of the file: only the owner may connect. */
const MODE = 0o600
/** Keeps others from connecting between the creation of the file and the change of its mode. */
const UMASK = 0o177

const SOCKETS = new WeakSet<object>()

/**
 * Returns whether a connection came in on an operator socket.
 * @example
 * ```ts
 * import { Socket } from 'node:net'
 * import { OperatorSocket } from '@firn/http'
 *
 * OperatorSocket.has(new Socket()) // false
 * ```
 */
export function has(socket: object): boolean {
  return SOCKETS.has(socket)
}

/**
 * Listens on a Unix socket with the mode 0600, and passes its connections to `accept`. A file that a process has left
 * behind is replaced.
 * @throws HttpError `HTTP_SOCKET`: the path is too long, in use, or not writable
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { OperatorSocket } from '@firn/http'
 *
 * const server = createServer()
 * const accept = (socket: object) => void server.emit('connection', socket)
 * const operators = await OperatorSocket.listen('/run/firn/operator.sock', accept)
 * await operators.close()
 * ```
 */
export async function listen(path: string, accept: (socket: Socket) => void): Promise<OperatorSocket> {
  const bytes = Buffer.byteLength(path)
  if (bytes > MAX_PATH) {
    throw refused(
      path,
      `the path has ${bytes} bytes, and at most ${MAX_PATH} are possible; choose a shorter one`,
    )
  }
  await removeStale(path)
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    SOCKETS.add(socket)
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    accept(socket)
  })
  await bind(server, path)
  await chmod(path, MODE)
  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/**
 * Lets an HTTP server answer on an operator socket, if a path is given.
 * @throws HttpError `HTTP_SOCKET`
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { OperatorSocket } from '@firn/http'
 *
 * const server = createServer()
 * const operators = await OperatorSocket.serve(server, undefined) // undefined
 * ```
 */
export async function serve(
  server: Pick<HttpServer, 'emit'>,
  path: string | undefined,
): Promise<OperatorSocket | undefined> {
  return path === undefined ? undefined : listen(path, (socket) => void server.emit('connection', socket))
}

function bind(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reasons: Readonly<Record<string, string>> = {
        EADDRINUSE: 'another process uses it; stop that process, or choose another path',
        // Also for a folder that does not exist.
        EACCES:
          'its folder does not exist, or this user may not write it; create the folder, or choose another path',
      }
      reject(refused(path, reasons[cause.code ?? ''] ?? `it cannot be created (${cause.code})`, cause))
    })
    // The file is created before `listen` returns.
    const before = process.umask(UMASK)
    try {
      server.listen(path, resolve)
    } finally {
      process.umask(before)
    }
  })
}

/** Removes the socket of a process that has ended. @throws HttpError `HTTP_SOCKET` if something else is there */
async function removeStale(path: string): Promise<void> {
  const facts = await lstat(path).catch(() => undefined)
  if (facts === undefined) return
  if (!facts.isSocket()) throw refused(path, 'the file is not a socket; choose another path')
  if (await isAnswered(path)) {
    throw refused(path, 'another process uses it; stop that process, or choose another path')
  }
  await unlink(path)
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path)
    const end = (isOpen: boolean) => {
      probe.destroy()
      resolve(isOpen)
    }
    probe.once('connect', () => end(true))
    // Any other error, such as EACCES, does not show that the process has ended.
    probe.once('error', ({ code }: NodeJS.ErrnoException) =>
      end(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    )
  })
}

function refused(path: string, reason: string, cause?: Error): HttpError {
  const message = `--operator-socket ${path}: ${reason}`
  return new HttpError('HTTP_SOCKET', message, cause === undefined ? {} : { cause })
}
