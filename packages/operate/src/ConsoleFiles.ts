import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AcceptEncoding, StaticFile } from '@firn/http'

/** All files of the console. */
export interface ConsoleFiles {
  readonly page: StaticFile.StaticFile
  /** Assets by file name. The names contain a hash of the content. */
  readonly assets: ReadonlyMap<string, StaticFile.StaticFile>
}

const FOLDER = new URL('../console/', import.meta.url)
/** Writes the files into the folder. It exists in a checkout of the repository only. */
const BUILD = new URL('../../../apps/console/build.mjs', import.meta.url)

const SUFFIXES: Readonly<Record<AcceptEncoding.Encoding, string>> = { br: '.br', gzip: '.gz' }
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

let files: Promise<ConsoleFiles | undefined> | undefined

/**
 * Returns the files of the console, or undefined if this installation has none. In a checkout of the repository,
 * the first call builds them if a source has changed. If they cannot be read, the next call reads them again.
 */
export function load(): Promise<ConsoleFiles | undefined> {
  files ??= open().catch((error: unknown) => {
    files = undefined
    throw error
  })
  return files
}

async function open(): Promise<ConsoleFiles | undefined> {
  if (existsSync(fileURLToPath(BUILD))) {
    try {
      const { build } = (await import(BUILD.href)) as { build: () => Promise<void> }
      await build()
    } catch (error) {
      // A checkout without development dependencies cannot build; the previous files may exist.
      console.warn(`cannot build the console: ${(error as Error).message}`)
    }
  }
  const names: readonly string[] = await readdir(FOLDER).catch(() => [])
  if (!names.includes('index.html')) return undefined
  const originals = names.filter((name) => Object.hasOwn(TYPES, extname(name)))
  const read = originals.map(async (name) => [name, await readConsoleFile(name, names)] as const)
  const { 'index.html': page, ...assets } = Object.fromEntries(await Promise.all(read))
  return page && { page, assets: new Map(Object.entries(assets)) }
}

async function readConsoleFile(name: string, names: readonly string[]): Promise<StaticFile.StaticFile> {
  const encoded = AcceptEncoding.ENCODINGS.map(async (encoding) => {
    const other = name + SUFFIXES[encoding]
    return names.includes(other) ? [[encoding, await readFile(new URL(other, FOLDER))]] : []
  })
  const forms: StaticFile.Encoded = Object.fromEntries((await Promise.all(encoded)).flat())
  return StaticFile.create(TYPES[extname(name)] ?? '', await readFile(new URL(name, FOLDER)), forms)
}
