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

const ROOT = fileURLToPath(new URL('..', import.meta.url))
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

const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Returns the folder of a dependency as Node.js finds it from the folder of a package, or undefined. */
const find = (name, from) => {
  const path = join(from, 'node_modules', name)
  if (existsSync(path)) return realpathSync(path)
  return dirname(from) === from ? undefined : find(name, dirname(from))
}

/** Folders of the packages in `node_modules` of the image, by their path there. */
const placed = new Map()

/** Places a package as high as possible: below the one that needs it only if another version is there already. */
const place = (name, source, parents) => {
  const places = parents.map((_, index) => parents.slice(0, index + 1).join('/node_modules/'))
  const at = ['', ...places].map((parent) => (parent === '' ? name : `${parent}/node_modules/${name}`))
  if (placed.get(at.findLast((path) => placed.has(path))) === source) return
  const free = at.find((path) => !placed.has(path))
  placed.set(free, source)
  addDependencies(source, [...parents.slice(0, at.indexOf(free)), name])
}

const addDependencies = (source, parents) => {
  const { dependencies = {}, optionalDependencies = {} } = readManifest(source)
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const found = find(name, source)
    if (found !== undefined) place(name, found, parents)
    else if (!(name in optionalDependencies))
      throw new Error(`${source} needs ${name}, which is not installed`)
  }
}

/** Returns the installed folder of a dependency of the bundle. All workspace packages have the same version of it. */
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
  return [...found][0]
}

const files = (folder) =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

execFileSync(process.execPath, ['tools/package-cli.mjs'], { cwd: ROOT, stdio: 'inherit' })
rmSync(OUTPUT, { recursive: true, force: true })
mkdirSync(OUTPUT, { recursive: true })
cpSync(PACKAGE, OUTPUT, { recursive: true })
const direct = Object.keys(readManifest(PACKAGE).dependencies).filter((name) => !LEFT_OUT.includes(name))
// Direct dependencies are at the top: the bundle imports them from there.
for (const name of direct) placed.set(name, installed(name))
for (const name of direct) addDependencies(placed.get(name), [name])
for (const [path, source] of placed) {
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
