// What was bundled, from which sources. Reading it must be fast, because every program does so when it starts.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * The newest bundle. `root` is the folder in which it was made, `programs` maps a source to its file in the bundle, and
 * `inputs` maps each file on which the bundle depends to its stamp.
 * @typedef {{ root: string, programs: [string, string][], inputs: [string, string][] }} BundleManifest
 */

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Path of the folder of bundles, from the root. */
export const BUNDLES = 'node_modules/.firn-bundles'

/** Path of the file that contains the manifest of the newest bundle, from the root. */
export const MANIFEST = `${BUNDLES}/manifest.json`

/** Files that change a bundle although esbuild does not read them: the versions of dependencies, and the bundler. */
const ALWAYS = ['pnpm-lock.yaml', 'tools/start/src/bundle.mjs']

/**
 * Returns the time and size of a file below the root. Every change of the file changes them.
 * @param {string} path
 */
export const stamp = (path) => {
  const { mtimeMs, size } = statSync(join(ROOT, path), { throwIfNoEntry: false }) ?? {}
  return `${mtimeMs} ${size}`
}

/**
 * Returns the files whose change makes a bundle stale, given those that esbuild read. Dependencies change only with the
 * lockfile, so their thousands of files are left out.
 * @param {readonly string[]} read
 */
export const inputs = (read) => [...ALWAYS, ...read.filter((path) => !path.includes('node_modules/'))]

/**
 * Returns the URL of a file below the root.
 * @param {string} path
 */
export const toUrl = (path) => pathToFileURL(join(ROOT, path)).href

/**
 * Returns the URL of the program in the bundle that was made from the source at a URL, or undefined if there is none, if an
 * input has changed, or if the bundle was made in another folder, whose paths it contains.
 * @param {BundleManifest} manifest
 * @param {string} source
 * @param {(path: string) => string} [stampOf]
 * @returns {string | undefined}
 */
export const findProgram = ({ root, programs, inputs: before }, source, stampOf = stamp) => {
  const program = programs.find(([path]) => toUrl(path) === source)
  if (program === undefined || root !== ROOT) return
  return before.every(([path, old]) => stampOf(path) === old) ? toUrl(program[1]) : undefined
}
