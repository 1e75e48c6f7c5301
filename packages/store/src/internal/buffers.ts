import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const MEGABYTE = 2 ** 20
const LEAST_MEGABYTES = 16
/** What PGlite takes on its own. */
const MOST_MEGABYTES = 128

/**
 * Megabytes that PGlite keeps of a folder's tables: as many as there are, within bounds. PGlite touches all of them when it starts,
 * so that a small database would cost as much memory as a large one.
 */
export async function megabytesFor(folder: string | undefined): Promise<number> {
  const bytes = folder === undefined ? 0 : await sizeOf(join(folder, 'base'))
  return Math.min(Math.max(Math.ceil(bytes / MEGABYTE), LEAST_MEGABYTES), MOST_MEGABYTES)
}

/** Bytes of all files under a path; 0 where there is none. */
async function sizeOf(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}
