import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
import { BUNDLES, type Bundle } from '../Bundles.ts'
import { BROWSER_SAFE } from '../Directions.ts'
import type { Rule, Subject, Violation } from '../Rule.ts'

export type Measured = { readonly bytes: number; readonly problems: readonly string[] }

const BUILTIN = new Set(builtinModules)

/** Matches a native add-on. A bundler would omit it without an error, and a browser could not run it. */
const NATIVE = /\/node_modules\/@chainsafe\/blst/

const nodeOnly = (metafile: Metafile): readonly string[] => {
  const external = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.filter((found) => found.external === true).map(({ path }) => path),
  )
  const builtin = [...new Set(external)].filter((path) => path.startsWith('node:') || BUILTIN.has(path))
  const native = Object.keys(metafile.inputs).filter((path) => NATIVE.test(`/${path}`))
  return [...builtin, ...native].map((path) => `the browser's bundle loads ${path}`)
}

/**
 * Bundles a module for the browser. Returns the gzipped size in bytes, and the imports that a browser could
 * not load.
 */
export const measure = async (
  root: string,
  { code, from }: Pick<Bundle, 'code' | 'from'>,
): Promise<Measured> => {
  try {
    const { outputFiles, metafile } = await build({
      stdin: { contents: code, resolveDir: join(root, from), sourcefile: 'entry.ts', loader: 'ts' },
      absWorkingDir: root,
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      conditions: ['source', 'browser', 'import'],
      external: ['node:*'],
      logLevel: 'silent',
    })
    const bytes = gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length
    return { bytes, problems: nodeOnly(metafile) }
  } catch (cause) {
    const { errors = [] } = cause as { errors?: readonly { text: string }[] }
    return { bytes: 0, problems: errors.map(({ text }) => text) }
  }
}

/**
 * Returns one bundle without a size limit per browser-safe package. The bundle only needs to build and to
 * load.
 */
const wholePackages = ({ workspace }: Subject): readonly Bundle[] =>
  workspace.packages
    .filter(({ folder }) => BROWSER_SAFE.includes(folder))
    .map(({ folder, name }) => ({
      name: `${folder.split('/')[1]}: whole package`,
      from: folder,
      code: `export * from '${name}'`,
      limit: Number.POSITIVE_INFINITY,
    }))

const check = async (subject: Subject, limited: readonly Bundle[]) => {
  const stated = new Set(limited.map(({ name }) => name))
  const bundles = [...limited, ...wholePackages(subject).filter(({ name }) => !stated.has(name))]
  const violations: Violation[] = []
  const notes: string[] = []
  for (const bundle of bundles) {
    const { bytes, problems } = await measure(subject.workspace.root, bundle)
    notes.push(`${bundle.name.padEnd(36)} ${String(bytes).padStart(7)} B gzipped, limit ${bundle.limit}`)
    violations.push(...problems.map((message) => ({ where: bundle.name, message })))
    if (!Number.isFinite(bundle.limit)) {
      violations.push({
        where: bundle.name,
        message: `the bundle has no limit; add it to tools/check/src/Bundles.ts (now ${bytes} B)`,
      })
    }
    if (bytes > bundle.limit) {
      violations.push({
        where: bundle.name,
        message: `${bytes} B gzipped, above the limit of ${bundle.limit} B`,
      })
    }
  }
  return { examined: `${bundles.length} bundles`, violations, notes }
}

/** Creates the bundle size rule for the given bundles and their limits. */
export const withLimits = (bundles: readonly Bundle[]): Rule => ({
  name: 'bundle sizes',
  run: (subject) => check(subject, bundles),
})

/**
 * Checks that every browser-safe package can be bundled for the browser, and that bundles of common single
 * imports stay below their limits.
 */
export const bundleSizes: Rule = withLimits(BUNDLES)
