import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Fields of a package.json that the rules read. */
export type Manifest = {
  readonly name?: string
  readonly version?: string
  readonly description?: string
  readonly keywords?: readonly string[]
  readonly private?: boolean
  readonly license?: string
  readonly homepage?: string
  readonly repository?: { readonly type: string; readonly url: string; readonly directory?: string }
  readonly bugs?: string
  readonly engines?: Readonly<Record<string, string>>
  readonly files?: readonly string[]
  readonly publishConfig?: { readonly directory?: string }
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, unknown>>
  readonly imports?: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** A package of the workspace. `folder` is its path from the root, such as `packages/codec`. */
export type Package = { readonly folder: string; readonly name: string; readonly manifest: Manifest }

/** The files that the rules check. Paths use `/` and are relative to the root. */
export type Workspace = {
  readonly root: string
  readonly files: readonly string[]
  readonly packages: readonly Package[]
  /** Returns the text of a file. */
  read(path: string): string
  /** Returns the size of a file in bytes. */
  size(path: string): number
}

const MANIFEST = /^((?:apps|packages|services|tools|examples)\/[^/]+|docs)\/package\.json$/

const packagesOf = (files: readonly string[], read: (path: string) => string): readonly Package[] =>
  files.flatMap((file) => {
    const folder = MANIFEST.exec(file)?.[1]
    if (folder === undefined) return []
    const manifest = JSON.parse(read(file)) as Manifest
    return [{ folder, name: manifest.name ?? folder, manifest }]
  })

/** Opens the workspace at `root`: all files that git tracks, and untracked files that git does not ignore. */
export const open = (root: string): Workspace => {
  const listing = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  const exists = (file: string) => statSync(join(root, file), { throwIfNoEntry: false })?.isFile() === true
  const files = [...new Set(listing.split('\0'))].filter((file) => file !== '' && exists(file)).sort()
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  return {
    root,
    files,
    packages: packagesOf(files, read),
    read,
    size: (path) => statSync(join(root, path)).size,
  }
}

/** Creates a workspace of texts in memory. Rules that run other tools find their files below `root`. */
export const fromTexts = (texts: Readonly<Record<string, string>>, root = ''): Workspace => {
  const files = Object.keys(texts).sort()
  const read = (path: string) => texts[path] ?? ''
  return {
    root,
    files,
    packages: packagesOf(files, read),
    read,
    size: (path) => Buffer.byteLength(read(path)),
  }
}

/** Returns whether a path is hand-written TypeScript of a package: below `src/` and not generated. */
export const isSource = (path: string): boolean =>
  /^((apps|packages|services|tools|examples)\/[^/]+|docs)\/src\/.*\.tsx?$/.test(path) &&
  !path.includes('/gen/')

/** Returns whether a path belongs to tests, benches, or their helper code. */
export const isTest = (path: string): boolean =>
  /\.(test|prop\.test|bench|test-d)\.ts$|\/(testing|fixtures)\//.test(path)

/** Returns the folder of the package that contains a path, such as `packages/codec` or `docs`. */
export const folderOf = (path: string): string =>
  path.startsWith('docs/') ? 'docs' : path.split('/').slice(0, 2).join('/')
