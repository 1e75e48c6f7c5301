import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Manifest, Package, Workspace } from './Workspace.ts'

/** A package in the form in which users install it: its unpacked tarball. */
export type Installed = {
  readonly owner: Package
  /** Path of the unpacked tarball. */
  readonly folder: string
  /** Path of the tarball. */
  readonly tarball: string
  readonly manifest: Manifest
  /** Files of the tarball, as paths with `/` relative to the package's root. */
  readonly files: readonly string[]
}

/** A project outside the repository in which the tarballs of all public packages are installed. */
export type Consumer = { readonly folder: string; readonly installed: readonly Installed[] }

const run = promisify(execFile)

const link = (from: string, dependency: string, at: string): void => {
  const path = join(at, 'node_modules', dependency)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(realpathSync(join(from, 'node_modules', dependency)), path, 'dir')
}

const isForeign = (name: string): boolean => !name.startsWith('@firn/')

const unpack = async (root: string, folder: string, owner: Package, tarball: string): Promise<Installed> => {
  const at = join(folder, 'node_modules', owner.name)
  mkdirSync(at, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', at, '--strip-components=1'])
  const files = readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(at.length + 1)
        .replaceAll('\\', '/'),
    )
  const manifest = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as Manifest
  if (manifest.exports === undefined) return { owner, folder: at, tarball, manifest, files }
  // Only the dependencies that the tarball declares are linked. A type that comes from a development
  // dependency therefore fails to compile, as it does for users.
  for (const name of Object.keys(manifest.dependencies ?? {}).filter(isForeign))
    link(join(root, owner.folder), name, at)
  return { owner, folder: at, tarball, manifest, files }
}

/** Packs every public package and installs the tarballs in a new temporary folder. */
export const create = async ({ root, packages }: Workspace): Promise<Consumer> => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'firn-consumer-'))
  const tarballs = join(folder, 'tarballs')
  const owners = packages.filter(({ manifest }) => manifest.private !== true)
  const filters = owners.flatMap(({ name }) => ['--filter', name])
  const pnpm = join(root, 'node_modules/.bin/pnpm')
  await run(pnpm, ['--recursive', ...filters, 'pack', '--pack-destination', tarballs], { cwd: root })
  const packed = readdirSync(tarballs)
  const installed: Installed[] = []
  for (const owner of owners) {
    const prefix = `${owner.name.replace('@', '').replace('/', '-')}-`
    const tarball = packed.find((name) => name.startsWith(prefix) && /^\d/.test(name.slice(prefix.length)))
    if (tarball) installed.push(await unpack(root, folder, owner, join(tarballs, tarball)))
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  link(root, '@types/node', folder)
  return { folder, installed }
}

/** Returns the names under which users import a package. */
export const entryPoints = ({ owner, manifest }: Installed): readonly string[] =>
  Object.keys(manifest.exports ?? {})
    // The test helpers import test libraries, which users may not have installed.
    .filter((subpath) => subpath !== './testing')
    .map((subpath) => `${owner.name}${subpath.slice(1)}`)

/** A program that imports its arguments, and prints the names and errors of those that cannot be imported. */
export const LOAD = `const failures = []
for (const name of process.argv.slice(2))
  await import(name).catch((error) => failures.push([name, String(error)]))
console.log(JSON.stringify(failures))
process.exit()
`

/**
 * Links the libraries that a package uses, including those that only its tests use, into the folder `at`, so
 * that the package's examples can import them there.
 */
export const linkForExamples = (root: string, { folder, manifest }: Package, at: string): void => {
  const names = [...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.devDependencies ?? {})]
  for (const name of new Set(names.filter(isForeign))) link(join(root, folder), name, at)
}

/**
 * Returns the script path and the version of the TypeScript compiler that is installed under the dependency
 * name `alias`.
 */
export const compiler = (alias: string): { readonly script: string; readonly version: string } => {
  const manifest = createRequire(import.meta.url).resolve(`${alias}/package.json`)
  const { version, bin } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly version: string
    readonly bin: { readonly tsc: string }
  }
  return { script: join(dirname(manifest), bin.tsc), version }
}
