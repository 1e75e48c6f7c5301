import { chmod, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { StoreError } from '../../StoreError.ts'
import { receive, send } from './Frames.ts'
import type { Hello, Welcome } from './Messages.ts'

/** Path of the owner's socket in the database folder. PostgreSQL ignores folders that it doesn't know. */
const PLACE = join('.owner', 'socket')
/** Maximum length in bytes of a socket path that every system accepts. The lowest limit is 103 bytes, on macOS. */
const PATH_LENGTH = 100
/**
 * Maximum time in milliseconds that an owner may take to identify itself. A suspended process never responds.
 */
const PATIENCE = 20_000
/** Named pipes can't be protected from other users on Windows, so a database is not shared there. */
const IS_SHARED = process.platform !== 'win32'

/** A connected process that uses the database. */
export interface Client {
  readonly socket: Socket
  readonly schema: string
  readonly requests: AsyncGenerator<unknown, void, undefined>
}

/** Exclusive ownership of a folder by this process. */
export interface FolderLock {
  /**
   * Ends the connections of all clients and accepts no more connections. Resolves when no client uses the
   * database.
   */
  dismiss(): Promise<void>
  /** Releases the folder for other processes. */
  release(): Promise<void>
}

/** A connection to the process that has a folder open. */
export interface Attached {
  readonly socket: Socket
  readonly answers: AsyncGenerator<unknown, void, undefined>
}

/**
 * Locks a folder for this process, because PGlite itself doesn't detect two writers. The lock is a listening
 * socket, so it is released when the process ends, even after a crash. Only the user of this process may
 * connect to the socket.
 * @param serve called with each client
 * @throws StoreError `STORE_IN_USE`
 */
export async function take(folder: string, serve: (client: Client) => Promise<void>): Promise<FolderLock> {
  await mkdir(folder, { recursive: true })
  const path = await pathOf(folder)
  const owner = await hail(path.short, { isAttaching: false, schema: '' })
  owner?.socket.destroy()
  if (owner !== undefined) {
    await path.remove()
    throw inUse(folder, owner.welcome)
  }
  await rm(path.short, { force: true })
  const clients = new Map<Socket, Promise<void>>()
  let isShared = IS_SHARED
  const server = await listen(path.short, (socket) => {
    const served = admit(socket, () => isShared, serve).catch(() => undefined)
    clients.set(
      socket,
      served.then(() => {
        clients.delete(socket)
        socket.end()
      }),
    )
  }).catch(async () => {
    await path.remove()
    throw inUse(folder, undefined)
  })
  server.unref()
  const dismiss = async () => {
    isShared = false
    for (const socket of clients.keys()) socket.destroy()
    await Promise.all(clients.values())
  }
  return {
    dismiss,
    async release() {
      const closed = new Promise((resolve) => server.close(resolve))
      await dismiss()
      await closed
      await path.remove()
    },
  }
}

/**
 * Connects to the process that has a folder open. Returns undefined if no process has it open.
 * @throws StoreError `STORE_IN_USE` if that process doesn't share its database or doesn't respond
 */
export async function attach(folder: string, schema: string): Promise<Attached | undefined> {
  const path = await pathOf(folder)
  const owner = await hail(path.short, { isAttaching: true, schema }).finally(path.remove)
  if (owner === undefined) return undefined
  const { socket, answers, welcome } = owner
  if (welcome?.isShared === true) return { socket, answers }
  socket.destroy()
  throw inUse(folder, welcome)
}

interface Path {
  /** A path of the socket that is short enough for the system. */
  readonly short: string
  readonly remove: () => Promise<void>
}

async function pathOf(folder: string): Promise<Path> {
  const real = await realpath(folder).catch(() => folder)
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\${real.replaceAll('\\', '/')}` : join(real, PLACE)
  if (process.platform === 'win32') return { short: path, remove: async () => undefined }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await chmod(dirname(path), 0o700)
  if (Buffer.byteLength(path) <= PATH_LENGTH) return { short: path, remove: async () => undefined }
  const link = await mkdtemp(join(tmpdir(), 'firn-'))
  await symlink(dirname(path), join(link, 'owner'))
  return {
    short: join(link, 'owner', basename(path)),
    remove: () => rm(link, { recursive: true, force: true }),
  }
}

interface Owner extends Attached {
  /** Response of the owner; undefined if it doesn't respond in time. */
  readonly welcome: Welcome | undefined
}

/** Asks the process that listens on a socket to identify itself. Returns undefined if no process listens. */
async function hail(path: string, hello: Hello): Promise<Owner | undefined> {
  const socket = connect(path).on('error', () => undefined)
  const isThere = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    // EACCES means that a process of another user listens on the socket.
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EACCES'))
  })
  if (!isThere) return undefined
  const answers = receive(socket)
  if (socket.destroyed) return { socket, answers, welcome: undefined }
  send(socket, hello)
  const late = new AbortController()
  const welcome = await Promise.race([
    answers.next().then(({ value }) => value as Welcome | undefined),
    setTimeout(PATIENCE, undefined, { signal: late.signal }),
  ]).catch(() => undefined)
  late.abort()
  return { socket, answers, welcome }
}

function listen(path: string, onConnection: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(onConnection)
    server.once('error', reject)
    server.listen(path, () => {
      if (IS_SHARED) chmod(path, 0o600).then(() => resolve(server), reject)
      else resolve(server)
    })
  })
}

async function admit(
  socket: Socket,
  isShared: () => boolean,
  serve: (client: Client) => Promise<void>,
): Promise<void> {
  socket.on('error', () => undefined)
  const requests = receive(socket)
  const { value } = await requests.next()
  const hello = value as Hello | undefined
  if (hello === undefined) return
  const welcome: Welcome = { pid: process.pid, isShared: isShared() }
  send(socket, welcome)
  if (hello.isAttaching && welcome.isShared) await serve({ socket, schema: hello.schema, requests })
}

function inUse(folder: string, owner: Welcome | undefined): StoreError {
  const who = owner === undefined ? 'another process' : `another process (pid ${owner.pid})`
  const message = `${folder} is in use by ${who}; stop it, or set FIRN_DATABASE_URL`
  return new StoreError('STORE_IN_USE', message, {
    details: owner === undefined ? { folder } : { folder, pid: owner.pid },
  })
}
