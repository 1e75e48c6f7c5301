import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Store } from '../Store.ts'

let template: Promise<Blob> | undefined

/** An empty PGlite in memory. Making a cluster takes seconds, a copy of one a fraction: it is kept in the system's folder for temporary files. */
export async function openPGlite(now?: () => number): Promise<Store> {
  return Store.open({ dump: await emptyCluster(), now })
}

/** A dump of an empty cluster. For tests only. */
export function emptyCluster(): Promise<Blob> {
  template ??= load()
  return template
}

const MANIFEST = new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url)

async function load(): Promise<Blob> {
  const { version } = JSON.parse(await readFile(MANIFEST, 'utf8'))
  const file = join(tmpdir(), `firn-pglite-${process.getuid?.() ?? 0}`, `${version}.tar`)
  const known = await readFile(file).catch(() => undefined)
  if (known !== undefined) return new Blob([known as Uint8Array<ArrayBuffer>])
  const database = await PGlite.create()
  const dump = await database.dumpDataDir('none')
  await database.close()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // Others may be at it too: whoever comes last replaces the file as a whole.
  const own = `${file}.${process.pid}`
  await writeFile(own, new Uint8Array(await dump.arrayBuffer()))
  await rename(own, file)
  return dump
}
