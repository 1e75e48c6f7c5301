// Bundles the programs that users and tests start often. bundled.mjs runs them.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import * as BundleManifest from './BundleManifest.mjs'
import { ROOT, stamp } from './BundleManifest.mjs'

const BUNDLES = join(ROOT, BundleManifest.BUNDLES)
const MANIFEST = join(ROOT, BundleManifest.MANIFEST)

/** Sources of programs and worker threads. */
const PROGRAMS = [
  'tools/cli/src/main.ts',
  'tools/cli/src/testing/growingNode.ts',
  'tools/conformance/src/bin.ts',
  'tools/devnet/src/bin.ts',
  'tools/devnet/src/internal/addressSignatures.worker.ts',
  'tools/fuzz/src/main.ts',
  'tools/fuzz/src/worker.ts',
  'examples/relayer/src/main.ts',
  'services/aggregator/src/bin.ts',
  'services/aggregator/src/workers/bls.worker.ts',
  'services/data-api/src/bin.ts',
  'services/gateway/src/bin.ts',
  'services/gateway/src/testing/gatewayProcess.ts',
  'services/indexer/src/bin.ts',
  'services/indexer/src/primary/peers/containers.worker.ts',
  'services/indexer/src/testing/crashChild.ts',
  'services/indexer/src/testing/evmChild.ts',
  'services/indexer/src/testing/growingEvmNode.ts',
  'services/node/src/testing/printIdentity.ts',
  'packages/store/src/testing/attachedChild.ts',
  'packages/store/src/testing/storeAll.ts',
]

/** Packages that are not bundled: native addons, optional ones, and large ones that few programs need. */
const EXTERNAL =
  /^(@chainsafe\/blst|@opentelemetry\/[^/]+|@scalar\/fastify-api-reference|pg-native|solc|vite|vitest)(\/|$)/

/** Files that may use their own location: all sources, and files of these packages. */
const LOCATED =
  /\/(packages|services|tools|examples)\/.*\.ts$|\/node_modules\/(@electric-sql\/pglite|@fastify\/swagger|ioredis|pino|thread-stream)\/.*\.m?js$/

/**
 * Replaces a module's own location by constants with the location of its source.
 * @type {Record<string, [string, (path: string) => string]>}
 */
const LOCATIONS = {
  'import.meta.url': ['sourceUrl', (path) => pathToFileURL(path).href],
  'import.meta.dirname': ['sourceDirname', dirname],
  'import.meta.filename': ['sourceFilename', (path) => path],
  __dirname: ['sourceDirname', dirname],
  __filename: ['sourceFilename', (path) => path],
}

/** @type {import('esbuild').Plugin} */
const locations = {
  name: 'locations',
  setup({ onLoad }) {
    onLoad({ filter: LOCATED }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const used = Object.entries(LOCATIONS).filter(([name]) => text.includes(name))
      if (used.length === 0) return
      const constants = new Map(used.map(([, [constant, of]]) => [constant, JSON.stringify(of(path))]))
      const head = [...constants].map(([constant, value]) => `const ${constant}=${value};`).join('')
      const body = used.reduce((result, [name, [constant]]) => result.replaceAll(name, constant), text)
      return { contents: head + body, loader: path.endsWith('.ts') ? 'ts' : 'js' }
    })
  },
}

/** @type {import('esbuild').Plugin} */
const externals = {
  name: 'externals',
  setup({ onResolve, resolve }) {
    onResolve({ filter: EXTERNAL }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === externals) return
      const found = await resolve(path, { kind, resolveDir, pluginData: externals })
      if (found.path === '') return { path, external: true }
      return { path: kind === 'require-call' ? found.path : pathToFileURL(found.path).href, external: true }
    })
  },
}

/** `require` of Node's modules by CommonJS packages. */
const BANNER =
  "import{createRequire as bundleRequire}from'node:module';const require=bundleRequire(import.meta.url);"

const bundle = () => {
  // By default, esbuild spends a quarter of its time on garbage collection.
  process.env['GOGC'] ??= '800'
  return build({
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS,
    outdir: BUNDLES,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    conditions: ['source'],
    tsconfigRaw: { compilerOptions: { target: 'es2023', verbatimModuleSyntax: true } },
    banner: { js: BANNER },
    plugins: [locations, externals],
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'error',
  })
}

/** @param {string} sentence */
const fail = (sentence) => {
  console.error(`bundle: ${sentence}`)
  process.exit(1)
}

/** @param {import('esbuild').OutputFile} file */
const assertLocations = ({ path, text }) => {
  const code = text.replace(BANNER, '')
  const name = ['import.meta', '__dirname', '__filename'].find((one) => code.includes(one))
  if (name === undefined || path.endsWith('.map')) return
  const index = code.indexOf(name)
  fail(
    `${name} would be the location of the bundle; add its file to LOCATED: ${code.slice(index - 100, index + 60)}`,
  )
}

/**
 * Writes the files into a folder with their hash as its name, and returns the folder.
 * @param {readonly import('esbuild').OutputFile[]} files
 */
const write = (files) => {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file.path} ${file.hash} `)
  const folder = join(BUNDLES, hash.digest('hex').slice(0, 16))
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.${process.pid}`
  for (const { path, contents } of files) {
    const file = join(unfinished, relative(BUNDLES, path))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, contents)
  }
  renameSync(unfinished, folder)
  return folder
}

const DAY_MS = 86_400_000

/**
 * Removes other bundles. Programs may still run from a bundle that was made within the last day.
 * @param {string} kept
 */
const removeOld = (kept) => {
  for (const { name } of readdirSync(BUNDLES, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )) {
    const folder = join(BUNDLES, name)
    if (folder !== kept && statSync(folder).mtimeMs < Date.now() - DAY_MS)
      rmSync(folder, { recursive: true, force: true })
  }
}

const { outputFiles, metafile } = await bundle()
outputFiles.forEach(assertLocations)
const inputs = BundleManifest.inputs(Object.keys(metafile.inputs)).map((path) => [path, stamp(path)])
const folder = write(outputFiles)
const programs = PROGRAMS.map((path) => [path, relative(ROOT, join(folder, path.replace(/ts$/, 'mjs')))])
const unfinished = `${MANIFEST}.${process.pid}`
writeFileSync(unfinished, JSON.stringify({ root: ROOT, programs, inputs }))
renameSync(unfinished, MANIFEST)
removeOld(folder)
