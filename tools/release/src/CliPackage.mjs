// What the package @firn/cli says of its sources and dependencies.
import { posix } from 'node:path'

/**
 * Replaces the location of a module by its source's location in the package. Returns the new text, and the files that the module
 * locates relative to itself, as paths from the root. Folders that contain the module are not among them.
 * @param {string} text
 * @param {string} source path of the module from the root
 * @throws {Error} if the module uses `import.meta` otherwise than by its URL
 */
export const relocate = (text, source) => {
  const located = text.matchAll(/new URL\(\s*'(\.[^']*)',\s*import\.meta\.url,?\s*\)/g)
  const files = [...located]
    .map(([, target = '']) => posix.join(posix.dirname(source), target))
    .filter((path) => !source.startsWith(`${path}/`))
  const contents = text.replaceAll(
    'import.meta.url',
    `new URL(${JSON.stringify(source.replace(/ts$/, 'js'))}, packageRoot).href`,
  )
  const other = /^(?! \*).*import\.meta/m.exec(contents)
  if (other) throw new Error(`${source}: only import.meta.url is supported, got ${other[0].trim()}`)
  return { contents, files }
}

/**
 * Returns the versions in the catalog of pnpm-workspace.yaml, by package.
 * @param {string} yaml
 * @returns {Map<string, string>}
 */
export const readCatalog = (yaml) =>
  new Map(
    [...yaml.matchAll(/^ {2}'?([^\s':]+)'?: (\S+)$/gm)].map(([, name = '', version = '']) => [name, version]),
  )

/**
 * Returns the dependencies that package.json files of the workspace declare, sorted, without packages of the workspace.
 * @param {readonly { dependencies?: Record<string, string> }[]} manifests
 * @param {ReadonlyMap<string, string>} catalog
 * @throws {Error} if the catalog lacks a version
 */
export const selectDependencies = (manifests, catalog) => {
  /** @type {[string, string][]} */
  const all = manifests
    .flatMap(({ dependencies = {} }) => Object.entries(dependencies))
    .filter(([name]) => !name.startsWith('@firn/'))
    .map(([name, version]) => {
      const range = version === 'catalog:' ? catalog.get(name) : version
      if (range === undefined) throw new Error(`the catalog has no version of ${name}`)
      return [name, range]
    })
  return Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)))
}
