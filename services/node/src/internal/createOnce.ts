import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { NodeError } from '@firn/node-api'

/** How {@link createOnce} makes a file. */
export interface CreateOnceOptions {
  /** What the file holds if there is none yet. */
  readonly create: () => string | Uint8Array
  /** Says why it must not be made, if it must not. */
  readonly refuse?: () => Promise<string | undefined>
}

/**
 * The contents of a file, which is made first if it is missing: whole or not at all, and by one process only. All that ask at the
 * same time get the same bytes. Only the owner may read and write it (0600).
 * @throws (rejects) the file system's errors; NodeError `NODE_CONFIGURATION` when `refuse` gives a reason
 */
export async function createOnce(path: string, { create, refuse }: CreateOnceOptions): Promise<Buffer> {
  const present = await readIfThere(path)
  if (present !== undefined) return present
  const reason = await refuse?.()
  if (reason !== undefined) throw new NodeError('NODE_CONFIGURATION', reason)
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}`
  try {
    await writeSynced(draft, create())
    await link(draft, path).catch(ignore('EEXIST'))
  } finally {
    await unlink(draft).catch(ignore('ENOENT'))
  }
  await syncFolder(folder)
  return readFile(path)
}

function readIfThere(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(ignore('ENOENT'))
}

async function writeSynced(path: string, contents: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(contents)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A new name survives a loss of power only once its folder is on the disk. */
async function syncFolder(folder: string): Promise<void> {
  const file = await open(folder, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

function ignore(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error
  }
}
