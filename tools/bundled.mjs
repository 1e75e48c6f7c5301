// With this module (node --import), Node.js runs programs and worker threads from the bundle that bundle.mjs makes of
// them, because thousands of modules take a second to load. If a source has changed since, programs run from sources.
import { readFileSync, statSync } from 'node:fs'
import { registerHooks, SourceMap } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Folder of the bundles. */
export const BUNDLES = join(ROOT, 'node_modules/.firn-bundles')
/** File with the programs of the newest bundle, and with the sources that it was made of. */
export const MANIFEST = join(BUNDLES, 'manifest.json')

/** Returns the time and size of a file below the root. Every change of the file changes them. */
export const stamp = (path) => {
  const { mtimeMs, size } = statSync(join(ROOT, path), { throwIfNoEntry: false }) ?? {}
  return `${mtimeMs} ${size}`
}

const urlOf = (path) => pathToFileURL(join(ROOT, path)).href

/** Returns the URL of a program in the bundle, or undefined if the bundle lacks it or was made of other sources. */
const findProgram = (source) => {
  let manifest
  try {
    manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'))
  } catch {
    return
  }
  const program = manifest.programs.find(([path]) => urlOf(path) === source)
  // The bundle contains paths of the folder in which it was made.
  if (program === undefined || manifest.root !== ROOT) return
  if (manifest.inputs.every(([path, before]) => stamp(path) === before)) return urlOf(program[1])
}

/** Makes stack traces name sources. Node's own support reads all source maps at the start, which takes 100 ms. */
const traceSources = () => {
  const maps = new Map()
  const inSource = (site) => {
    const url = site.getFileName()
    if (!url?.startsWith(urlOf('node_modules/.firn-bundles/'))) return `${site}`
    const known = maps.get(url)?.deref()
    const map = known ?? new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')))
    // The largest map takes 20 MiB, which a process must not keep for one stack trace.
    if (known === undefined) maps.set(url, new WeakRef(map))
    const [line, column] = [site.getLineNumber(), site.getColumnNumber()]
    const { fileName, lineNumber, columnNumber } = map.findOrigin(line, column)
    if (fileName === undefined) return `${site}`
    const origin = `${new URL(fileName, url)}:${lineNumber}:${columnNumber}`
    return `${site}`.replace(`${url}:${line}:${column}`, () => origin)
  }
  Error.prepareStackTrace = (error, sites) =>
    [Error.prototype.toString.call(error), ...sites.map((site) => `    at ${inSource(site)}`)].join('\n')
}

const hooks = registerHooks({
  resolve(specifier, context, next) {
    // A program, and the first module of a thread, have no parent.
    if (context.parentURL !== undefined) return next(specifier, context)
    hooks.deregister()
    const url = findProgram(specifier)
    if (url === undefined) return next(specifier, context)
    traceSources()
    return { url, format: 'module', shortCircuit: true }
  },
})
