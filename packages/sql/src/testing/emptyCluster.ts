import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const MANIFEST = join(createRequire(import.meta.url).resolve('@electric-sql/pglite'), '../../package.json')

/**
 * Returns the path of a dump of an empty cluster. The first call on a machine creates the dump. Every new database
 * writes the whole dump, so the dump is kept small: it contains only one database, and its write-ahead log starts
 * with a segment of 1 MB instead of 16 MB. For tests only.
 */
export async function emptyCluster(): Promise<string> {
  const { version } = JSON.parse(await readFile(MANIFEST, 'utf8'))
  const file = join(tmpdir(), `firn-pglite-${process.getuid?.() ?? 0}`, `${version}-small.tar`)
  if (existsSync(file)) return file
  const { PGlite } = await import('@electric-sql/pglite')
  const database = await PGlite.create({ initDbStartParams: ['--wal-segsize=1'] })
  await database.exec('update pg_database set datistemplate = false')
  for (const name of ['template0', 'template1']) await database.exec(`drop database ${name}`)
  const dump = await database.dumpDataDir('none')
  await database.close()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // Several processes may create the dump at the same time. Each one replaces the file atomically.
  const own = `${file}.${process.pid}`
  await writeFile(own, new Uint8Array(await dump.arrayBuffer()))
  await rename(own, file)
  return file
}
