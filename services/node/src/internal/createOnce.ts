import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { NodeError } from '@firn/node-api'

/** Options of {@link createOnce}. */
export interface CreateOnceOptions {
  /** Returns the contents of the new file. */
  readonly create: () => string | Uint8Array
  /** Returns the reason why the file must not be created; undefined if it may be created. */
  readonly refuse?: () => Promise<string | undefined>
}

/**
 * Returns the contents of a file. If the file is missing, creates it first. Creation is atomic and done by
 * one process only, so all concurrent callers get the same bytes. Only the owner may read and write the file
 * (0600).
 * @throws (rejects) file system errors; NodeError `NODE_CONFIGURATION` if `refuse` returns a reason
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

/** Writes a folder's entries to disk. Otherwise a new file name might not survive a power loss. */
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
