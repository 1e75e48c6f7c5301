// Makes what the container image contains, in build/image: the program of @firn/cli, and its dependencies as installed
// from the lockfile, without types, source maps and what only demonstrations need.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { placeAll } from './Placement.mjs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PACKAGE = join(ROOT, 'tools/cli/package')
const OUTPUT = join(ROOT, 'build/image')

/**
 * Maximum bytes of the files that the image adds to its base, gcr.io/distroless/nodejs24-debian12, which has about
 * 150 MB: the image stays below 250 MB.
 */
const MAX_BYTES = 90_000_000

/** Packages that only `firn demo`, `firn evm --demo` and a devnet that builds blocks need. */
const LEFT_OUT = ['@foundry-rs/anvil', 'viem']

/** Files that a running program does not read. */
const UNUSED = /\.(d\.[cm]?ts|map|md|markdown|tsbuildinfo)$/i

/** @param {string} folder */
const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/**
 * Returns the folder of a dependency as Node.js finds it from the folder of a package, or undefined.
 * @param {string} name
 * @param {string} from
 * @returns {string | undefined}
 */
const find = (name, from) => {
  const path = join(from, 'node_modules', name)
  if (existsSync(path)) return realpathSync(path)
  return dirname(from) === from ? undefined : find(name, dirname(from))
}

/**
 * Returns the installed folder of a dependency of the bundle. All workspace packages have the same version of it.
 * @param {string} name
 * @returns {string}
 */
const installed = (name) => {
  const owners = globSync('{packages,services,tools}/*', { cwd: ROOT }).map((folder) => join(ROOT, folder))
  const found = new Set(
    owners
      .map((folder) => join(folder, 'node_modules', name))
      .filter(existsSync)
      .map((path) => realpathSync(path)),
  )
  if (found.size !== 1)
    throw new Error(`expected one version of ${name}, got ${[...found].join(', ') || 'none'}`)
  return /** @type {string} */ ([...found][0])
}

/** @param {string} folder */
const files = (folder) =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

execFileSync(process.execPath, ['tools/release/src/packageCli.mjs'], { cwd: ROOT, stdio: 'inherit' })
rmSync(OUTPUT, { recursive: true, force: true })
mkdirSync(OUTPUT, { recursive: true })
cpSync(PACKAGE, OUTPUT, { recursive: true })
const direct = Object.keys(readManifest(PACKAGE).dependencies).filter((name) => !LEFT_OUT.includes(name))
const placed = placeAll(new Map(direct.map((name) => [name, installed(name)])), { find, readManifest })
for (const [path, source] of placed) {
  /** @param {string} file */
  const filter = (file) => !file.slice(source.length).includes('/node_modules') && !UNUSED.test(file)
  cpSync(source, join(OUTPUT, 'node_modules', path), { recursive: true, filter })
}
for (const path of files(OUTPUT)) if (UNUSED.test(path)) rmSync(path)

const bytes = files(OUTPUT).reduce((sum, path) => sum + statSync(path).size, 0)
console.log(`image: ${placed.size} dependencies, ${bytes} bytes in ${OUTPUT}`)
if (bytes > MAX_BYTES) {
  console.error(`image: at most ${MAX_BYTES} bytes are allowed; remove a dependency or raise MAX_BYTES.`)
  process.exitCode = 1
}
