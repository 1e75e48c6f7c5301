import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const MANIFEST = new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url)

/** Returns the file with a dump of an empty cluster, which the first call on a machine creates. For tests only. */
export async function emptyCluster(): Promise<string> {
  const { version } = JSON.parse(await readFile(MANIFEST, 'utf8'))
  const file = join(tmpdir(), `firn-pglite-${process.getuid?.() ?? 0}`, `${version}.tar`)
  if (existsSync(file)) return file
  const { PGlite } = await import('@electric-sql/pglite')
  const database = await PGlite.create()
  const dump = await database.dumpDataDir('none')
  await database.close()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // Other processes may do the same: the last one replaces the file atomically.
  const own = `${file}.${process.pid}`
  await writeFile(own, new Uint8Array(await dump.arrayBuffer()))
  await rename(own, file)
  return file
}

/** Lets new databases of the tests start from the dump, also in the processes that tests start. */
export async function setup(): Promise<void> {
  process.env['FIRN_EMPTY_CLUSTER'] ??= await emptyCluster()
}
