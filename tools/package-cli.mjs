// Makes the package @firn/cli in tools/cli/package: one program with the code of all workspace packages, which starts
// in a third of the time of separate packages, and installs as one. Libraries of others stay dependencies.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { build as buildConsole } from '../apps/console/build.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CLI = 'tools/cli'
const OUTPUT = join(ROOT, CLI, 'package')

const readManifest = (folder) => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))

/** The package is a copy of the workspace's folders, so that a module finds its files beside its former place. */
const inOutput = (path) => join(OUTPUT, path)

/** Worker threads start from files of their own, at the place of their source. */
const WORKERS = globSync('{packages,services,tools}/*/src/**/*.worker.ts', { cwd: ROOT }).sort()

/** Replaces a module's own location by the place of its source in the package. Collects files that it locates. */
const locations = (located) => ({
  name: 'locations',
  setup({ onLoad }) {
    onLoad({ filter: /\/(packages|services|tools)\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta')) return
      const source = relative(ROOT, path)
      for (const [, target] of text.matchAll(/new URL\(\s*'(\.[^']*)',\s*import\.meta\.url,?\s*\)/g))
        located.add(posix.join(posix.dirname(source), target))
      const contents = text.replaceAll(
        'import.meta.url',
        `new URL(${JSON.stringify(source.replace(/ts$/, 'js'))}, packageRoot).href`,
      )
      const other = /^(?! \*).*import\.meta/m.exec(contents)
      if (other) throw new Error(`${source}: only import.meta.url is supported, got ${other[0].trim()}`)
      return { contents, loader: 'ts' }
    })
  },
})

/**
 * The program that users run. Other Node versions fail with an error about a missing export, so it looks at the version
 * before it imports anything else.
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

/** Returns the folders of the workspace packages whose sources are in the bundle. */
const foldersOf = (inputs) => [...new Set(inputs.map((path) => path.split('/').slice(0, 2).join('/')))].sort()

const CATALOG = new Map(
  [...readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8').matchAll(/^ {2}'?([^\s':]+)'?: (\S+)$/gm)].map(
    ([, name, version]) => [name, version],
  ),
)

const rangeOf = (name, version) => {
  const range = version === 'catalog:' ? CATALOG.get(name) : version
  if (range === undefined) throw new Error(`the catalog has no version of ${name}`)
  return range
}

/** Returns the dependencies that the bundled packages declare, except for packages of the workspace. */
const dependenciesOf = (folders) => {
  const all = folders
    .flatMap((folder) => Object.entries(readManifest(folder).dependencies ?? {}))
    .filter(([name]) => !name.startsWith('@firn/'))
    .map(([name, version]) => [name, rangeOf(name, version)])
  return Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)))
}

const manifestOf = (folders) => {
  const {
    scripts,
    private: isPrivate,
    publishConfig,
    files,
    exports,
    devDependencies,
    ...shared
  } = readManifest(CLI)
  return { ...shared, bin: { firn: './firn.js' }, dependencies: dependenciesOf(folders) }
}

const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)

const copy = (from, to = from) => {
  mkdirSync(dirname(inOutput(to)), { recursive: true })
  cpSync(join(ROOT, from), inOutput(to), { recursive: true })
}

await buildConsole()
const { outputFiles, inputs, located } = await bundle()
const folders = foldersOf(inputs)
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
const manifest = manifestOf(folders)
writeJson(join(OUTPUT, 'package.json'), manifest)
writeFileSync(join(OUTPUT, 'firn.js'), launcher(manifest.engines.node.replace('>=', '')), { mode: 0o755 })
for (const name of ['README.md', 'CHANGELOG.md'])
  if (existsSync(join(ROOT, CLI, name))) copy(`${CLI}/${name}`, name)
copy('LICENSE')
const bytes = outputFiles
  .filter(({ path }) => path.endsWith('.js'))
  .reduce((sum, { contents }) => sum + contents.length, 0)
console.log(`@firn/cli: ${folders.length} packages, ${outputFiles.length} files, ${bytes} bytes of code`)
