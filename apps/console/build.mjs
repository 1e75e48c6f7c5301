// Builds the console into packages/operate/console, from where every service serves it. File names contain a hash of the
// content, and each file is stored in compressed form too.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const OUTPUT = join(ROOT, 'packages/operate/console')
/** The sources of the built files, with their time and size. */
const STAMPS = join(OUTPUT, '.sources.json')
const ALWAYS = ['pnpm-lock.yaml', 'apps/console/build.mjs', 'apps/console/index.html']

const stamp = (path) => {
  const { mtimeMs, size } = statSync(join(ROOT, path), { throwIfNoEntry: false }) ?? {}
  return `${mtimeMs} ${size}`
}

/** Returns whether the files are built from the sources as they are now. */
const isCurrent = () => {
  try {
    const stamps = JSON.parse(readFileSync(STAMPS, 'utf8'))
    return stamps.every(([path, before]) => stamp(path) === before)
  } catch {
    return false
  }
}

/**
 * Bundles the sources. Returns the files by name, the names of the modules that the first view loads, and the
 * paths of all sources.
 */
export const bundle = async () => {
  const { build: run } = await import('esbuild')
  const { outputFiles, metafile } = await run({
    absWorkingDir: ROOT,
    entryPoints: [
      { in: 'apps/console/src/main.tsx', out: 'main' },
      { in: 'apps/console/src/styles/index.css', out: 'style' },
      { in: 'apps/console/src/icon.svg', out: 'icon' },
    ],
    outdir: OUTPUT,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    loader: { '.svg': 'copy' },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    conditions: ['source', 'browser', 'import'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: {
      compilerOptions: {
        target: 'es2022',
        verbatimModuleSyntax: true,
        jsx: 'react-jsx',
        jsxImportSource: 'preact',
      },
    },
    metafile: true,
    write: false,
    logLevel: 'error',
  })
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]))
  const page = ['main.js', 'main.css', 'icon.svg'].reduce(
    (text, name) => {
      const [stem, type] = (name === 'main.css' ? 'style.css' : name).split('.')
      const actual = [...files.keys()].find(
        (file) => file.startsWith(`${stem}-`) && file.endsWith(`.${type}`),
      )
      return text.replace(`console/${name}`, `console/${actual}`)
    },
    readFileSync(join(ROOT, 'apps/console/index.html'), 'utf8'),
  )
  const preloads = firstModules(metafile)
  const links = preloads.map((name) => `    <link rel="modulepreload" href="console/${name}">\n`).join('')
  files.set('index.html', Buffer.from(page.replace('  </head>', `${links}  </head>`)))
  return { files, sources: Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules/')) }
}

/** Returns the names of the modules that the main module imports statically. */
const firstModules = ({ outputs }) => {
  const [main] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('main.tsx')) ?? []
  const found = new Set()
  const visit = (path) =>
    outputs[path].imports
      .filter(({ kind, path: next }) => kind === 'import-statement' && !found.has(next))
      .forEach(({ path: next }) => {
        found.add(next)
        visit(next)
      })
  visit(main)
  return [...found].map((path) => basename(path))
}

/** Writes a file so that readers see the whole old or the whole new content. */
const write = (name, contents) => {
  const unfinished = join(OUTPUT, `.${name}.${process.pid}`)
  writeFileSync(unfinished, contents)
  renameSync(unfinished, join(OUTPUT, name))
}

const brotli = (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })

/** Builds the files unless they are current. */
export const build = async () => {
  if (isCurrent()) return
  const { files, sources } = await bundle()
  const stamps = [...ALWAYS, ...sources].map((path) => [path, stamp(path)])
  mkdirSync(OUTPUT, { recursive: true })
  const old = readdirSync(OUTPUT)
  // The page is written last, because it names the others.
  const names = [...files.keys()].sort((one, other) => (one === 'index.html') - (other === 'index.html'))
  for (const name of names) {
    write(`${name}.br`, brotli(files.get(name)))
    write(`${name}.gz`, gzipSync(files.get(name), { level: 9 }))
    write(name, files.get(name))
  }
  const isKept = (name) => files.has(name.replace(/\.(br|gz)$/, ''))
  for (const name of old.filter((one) => !isKept(one))) rmSync(join(OUTPUT, name), { force: true })
  write(basename(STAMPS), JSON.stringify(stamps))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build()
