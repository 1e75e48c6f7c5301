import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const MEGABYTE = 2 ** 20
const LEAST_MEGABYTES = 16
/** PGlite's own default. */
const MOST_MEGABYTES = 128

/**
 * Returns the megabytes of buffers for a folder's tables: their size, within bounds. PGlite touches all
 * buffers at startup, so a small database would otherwise use as much memory as a large one.
 */
export async function megabytesFor(folder: string | undefined): Promise<number> {
  const bytes = folder === undefined ? 0 : await sizeOf(join(folder, 'base'))
  return Math.min(Math.max(Math.ceil(bytes / MEGABYTE), LEAST_MEGABYTES), MOST_MEGABYTES)
}

/** Returns the size in bytes of all files under a path; 0 where there is none. */
async function sizeOf(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}
