import { createHash } from 'node:crypto'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StoreError } from '../StoreError.ts'

/** How much of a path's hash names its socket: socket paths may be no longer than about 100 bytes. */
const NAME_LENGTH = 24

/**
 * Takes a folder for this process, since PGlite itself doesn't notice two that write to one. The lock is a socket that is listened
 * on: whatever ends a process ends it, too.
 * @throws StoreError `STORE_IN_USE`
 */
export async function take(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  const path = socketOf(await realpath(folder))
  if (await isAnswered(path)) throw inUse(folder)
  if (process.platform !== 'win32') await rm(path, { force: true })
  const server = await listen(path, folder)
  server.unref()
  return () => new Promise((resolve) => server.close(() => resolve()))
}

function socketOf(folder: string): string {
  const name = `firn-${createHash('sha256').update(folder).digest('hex').slice(0, NAME_LENGTH)}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function listen(path: string, folder: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', () => reject(inUse(folder)))
    server.listen(path, () => resolve(server))
  })
}

function inUse(folder: string): StoreError {
  return new StoreError('STORE_IN_USE', `expected a folder that no other process has open, got ${folder}`, {
    details: { folder },
  })
}
