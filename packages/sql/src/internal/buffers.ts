import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const MEGABYTE = 2 ** 20
const LEAST_MEGABYTES = 16
/** Maximum buffer size in MiB, which is also PGlite's default. */
const MOST_MEGABYTES = 128

/**
 * Returns the buffer size in MiB for a database folder: the size of its tables, within bounds. PGlite touches
 * all buffers at startup, so a small database would otherwise use as much memory as a large one.
 */
export async function megabytesFor(folder: string | undefined): Promise<number> {
  const bytes = folder === undefined ? 0 : await sizeOf(join(folder, 'base'))
  return Math.min(Math.max(Math.ceil(bytes / MEGABYTE), LEAST_MEGABYTES), MOST_MEGABYTES)
}

/** Returns the size in bytes of all files under a path, or 0 if the path doesn't exist. */
async function sizeOf(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}
