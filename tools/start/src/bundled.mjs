// With this module (node --import), Node.js runs programs and worker threads from the bundle that bundle.mjs makes of
// them, because thousands of modules take a second to load. If a source has changed since, programs run from sources.
import { readFileSync } from 'node:fs'
import { registerHooks, SourceMap } from 'node:module'
import { BUNDLES, findProgram, MANIFEST, toUrl } from './BundleManifest.mjs'

/**
 * Returns the URL of a program in the newest bundle, or undefined if it must run from sources.
 * @param {string} source
 */
const findBundled = (source) => {
  try {
    return findProgram(JSON.parse(readFileSync(new URL(toUrl(MANIFEST)), 'utf8')), source)
  } catch {
    return
  }
}

/** Makes stack traces name sources. Node's own support reads all source maps at the start, which takes 100 ms. */
const traceSources = () => {
  /** @type {Map<string, WeakRef<SourceMap>>} */
  const maps = new Map()
  /** @param {NodeJS.CallSite} site */
  const inSource = (site) => {
    const url = site.getFileName()
    if (!url?.startsWith(toUrl(`${BUNDLES}/`))) return `${site}`
    const known = maps.get(url)?.deref()
    const map = known ?? new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')))
    // The largest map takes 20 MiB, which a process must not keep for one stack trace.
    if (known === undefined) maps.set(url, new WeakRef(map))
    const [line, column] = [site.getLineNumber() ?? 0, site.getColumnNumber() ?? 0]
    const origin = map.findOrigin(line, column)
    if (!('fileName' in origin)) return `${site}`
    const { fileName, lineNumber, columnNumber } = origin
    const position = `${new URL(fileName, url)}:${lineNumber}:${columnNumber}`
    return `${site}`.replace(`${url}:${line}:${column}`, () => position)
  }
  Error.prepareStackTrace = (error, sites) =>
    [Error.prototype.toString.call(error), ...sites.map((site) => `    at ${inSource(site)}`)].join('\n')
}

const hooks = registerHooks({
  resolve(specifier, context, next) {
    // A program, and the first module of a thread, have no parent.
    if (context.parentURL !== undefined) return next(specifier, context)
    hooks.deregister()
    const url = findBundled(specifier)
    if (url === undefined) return next(specifier, context)
    traceSources()
    return { url, format: 'module', shortCircuit: true }
  },
})
