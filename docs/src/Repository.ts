import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A package of the folder `packages`. */
export interface Package {
  /** Name of its folder, such as `warp`. */
  readonly folder: string
  /** Name of the package, such as `@firn/warp`. */
  readonly name: string
  readonly description: string
  /** Public entry points: their names, such as `@firn/bls/noble`, and source files relative to the repository. */
  readonly entryPoints: readonly { readonly name: string; readonly file: string }[]
}

/** The files of the repository that the site is made of. Paths are relative to `root` and use `/`. */
export interface Repository {
  readonly root: string
  /** All TypeScript files. */
  readonly code: readonly string[]
  /** All Markdown files. */
  readonly documents: readonly string[]
  readonly packages: readonly Package[]
  read(file: string): string
}

interface Manifest {
  readonly name: string
  readonly description: string
  readonly exports: Readonly<Record<string, { readonly source?: string }>>
}

const packageOf = (folder: string, manifest: Manifest): Package => ({
  folder,
  name: manifest.name,
  description: manifest.description,
  entryPoints: Object.entries(manifest.exports).flatMap(([key, { source }]) =>
    source === undefined || key === './testing'
      ? []
      : [{ name: manifest.name + key.slice(1), file: `packages/${folder}/${source.slice(2)}` }],
  ),
})

/** Opens the repository that contains this file. Files that git ignores are left out. */
export function open(): Repository {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const listing = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  const files = [...new Set(listing.split('\0'))]
    .filter((file) => file !== '' && existsSync(join(root, file)))
    .sort()
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const packages = files.flatMap((file) => {
    const folder = /^packages\/([^/]+)\/package\.json$/.exec(file)?.[1]
    return folder === undefined ? [] : [packageOf(folder, JSON.parse(read(file)) as Manifest)]
  })
  return {
    root,
    code: files.filter((file) => file.endsWith('.ts')),
    documents: files.filter((file) => file.endsWith('.md')),
    packages,
    read,
  }
}
