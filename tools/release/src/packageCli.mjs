// Makes the package @firn/cli in tools/cli/package: one program with the code of all workspace packages, which starts
// in a third of the time of separate packages, and installs as one. Libraries of others stay dependencies.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { readCatalog, relocate, selectDependencies } from './CliPackage.mjs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CLI = 'tools/cli'
const OUTPUT = join(ROOT, CLI, 'package')

/** @param {string} folder */
const readManifest = (folder) => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))

/**
 * Returns where a path of the workspace is in the package, which has the same folders, so that a module finds its files.
 * @param {string} path
 */
const inOutput = (path) => join(OUTPUT, path)

/** Worker threads start from separate files, at the place of their source. */
const WORKERS = globSync('{packages,services,tools}/*/src/**/*.worker.ts', { cwd: ROOT }).sort()

/**
 * Replaces a module's own location by the place of its source in the package. Adds the files that it locates to `located`.
 * @param {Set<string>} located
 * @returns {import('esbuild').Plugin}
 */
const locations = (located) => ({
  name: 'locations',
  setup({ onLoad }) {
    onLoad({ filter: /\/(packages|services|tools)\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta')) return
      const { contents, files } = relocate(text, relative(ROOT, path))
      for (const file of files) located.add(file)
      return { contents, loader: 'ts' }
    })
  },
})

/**
 * The program that users run. Other Node versions fail with an error about a missing export, so it looks at the version
 * before it imports anything else.
 * @param {string} least
 */
const launcher = (least) => `#!/usr/bin/env node
import module from 'node:module'

const isLater = process.versions.node.localeCompare('${least}', 'en', { numeric: true }) >= 0
if (isLater) {
  module.enableCompileCache()
  await import('./main.js')
} else {
  console.error(\`firn needs Node ${least} or later (this is \${process.versions.node}); get one from https://nodejs.org.\`)
  process.exitCode = 1
}
`

const ROOT_PLACEHOLDER = '<path to the root of the package>'

const bundle = async () => {
  /** @type {Set<string>} */
  const located = new Set()
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [
      { in: `${CLI}/src/main.ts`, out: 'main' },
      ...WORKERS.map((path) => ({ in: path, out: path.replace(/\.ts$/, '') })),
    ],
    outdir: OUTPUT,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    conditions: ['source'],
    tsconfigRaw: { compilerOptions: { target: 'es2023', verbatimModuleSyntax: true } },
    banner: { js: `const packageRoot = new URL('${ROOT_PLACEHOLDER}', import.meta.url)` },
    plugins: [
      locations(located),
      {
        name: 'dependencies',
        setup({ onResolve }) {
          onResolve({ filter: /^[^./#]/ }, ({ kind, path }) =>
            kind === 'entry-point' || path.startsWith('@firn/') ? undefined : { path, external: true },
          )
        },
      },
    ],
    sourcemap: 'linked',
    metafile: true,
    write: false,
    logLevel: 'error',
  })
  return { outputFiles, inputs: Object.keys(metafile.inputs), located }
}

/**
 * Returns the folders of the workspace packages whose sources are in the bundle.
 * @param {readonly string[]} inputs
 */
const selectFolders = (inputs) =>
  [...new Set(inputs.map((path) => path.split('/').slice(0, 2).join('/')))].sort()

const CATALOG = readCatalog(readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8'))

/** @param {readonly string[]} folders */
const makeManifest = (folders) => {
  const {
    scripts,
    private: isPrivate,
    publishConfig,
    files,
    exports,
    devDependencies,
    ...shared
  } = readManifest(CLI)
  return {
    ...shared,
    bin: { firn: './firn.js' },
    dependencies: selectDependencies(folders.map(readManifest), CATALOG),
  }
}

/** @param {string} path @param {object} value */
const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)

/** @param {string} from */
const copy = (from, to = from) => {
  mkdirSync(dirname(inOutput(to)), { recursive: true })
  cpSync(join(ROOT, from), inOutput(to), { recursive: true })
}

execFileSync(process.execPath, ['apps/console/build.mjs'], { cwd: ROOT, stdio: 'inherit' })
const { outputFiles, inputs, located } = await bundle()
const folders = selectFolders(inputs)
rmSync(OUTPUT, { recursive: true, force: true })
for (const { path, text } of outputFiles) {
  const up = relative(dirname(path), OUTPUT)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text.replace(ROOT_PLACEHOLDER, up === '' ? './' : `${up}/`))
}
// Services read their version from their own package.json.
for (const folder of folders) {
  const { name, version, type } = readManifest(folder)
  mkdirSync(inOutput(folder), { recursive: true })
  writeJson(join(inOutput(folder), 'package.json'), { name, version, type })
}
// The console's sources are not part of the package.
for (const path of located) if (!/^(\.\.|apps\/)/.test(path) && existsSync(join(ROOT, path))) copy(path)
const manifest = makeManifest(folders)
writeJson(join(OUTPUT, 'package.json'), manifest)
writeFileSync(join(OUTPUT, 'firn.js'), launcher(manifest.engines.node.replace('>=', '')), { mode: 0o755 })
for (const name of ['README.md', 'CHANGELOG.md'])
  if (existsSync(join(ROOT, CLI, name))) copy(`${CLI}/${name}`, name)
copy('LICENSE')
const bytes = outputFiles
  .filter(({ path }) => path.endsWith('.js'))
  .reduce((sum, { contents }) => sum + contents.length, 0)
console.log(`@firn/cli: ${folders.length} packages, ${outputFiles.length} files, ${bytes} bytes of code`)
