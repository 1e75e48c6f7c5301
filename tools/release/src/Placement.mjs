// Where installed packages go in one `node_modules`, so that each finds the versions of its dependencies.

/**
 * How installed packages are read. `find` returns the folder of a dependency as Node.js finds it from a folder.
 * @typedef {object} Installed
 * @property {(name: string, from: string) => string | undefined} find
 * @property {(folder: string) => { dependencies?: object, optionalDependencies?: object }} readManifest
 */

/**
 * Returns the folders of packages and of all that they need, by their path in `node_modules`. The given packages are at the
 * top, where the bundle imports them. A dependency is placed as high as possible: below the package that needs it only if
 * another version is there already.
 * @param {ReadonlyMap<string, string>} direct
 * @param {Installed} installed
 * @throws {Error} if a dependency that is not optional is not installed
 */
export const placeAll = (direct, { find, readManifest }) => {
  const placed = new Map(direct)
  /** @param {string} name @param {string} source @param {readonly string[]} parents */
  const place = (name, source, parents) => {
    const folders = parents.map((_, index) => parents.slice(0, index + 1).join('/node_modules/'))
    const paths = [name, ...folders.map((folder) => `${folder}/node_modules/${name}`)]
    const nearest = paths.findLast((path) => placed.has(path))
    if (nearest !== undefined && placed.get(nearest) === source) return
    const depth = paths.findIndex((path) => !placed.has(path))
    placed.set(/** @type {string} */ (paths[depth]), source)
    addDependencies(source, [...parents.slice(0, depth), name])
  }
  /** @param {string} source @param {readonly string[]} parents */
  const addDependencies = (source, parents) => {
    const { dependencies = {}, optionalDependencies = {} } = readManifest(source)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = find(name, source)
      if (found !== undefined) place(name, found, parents)
      else if (!(name in optionalDependencies))
        throw new Error(`${source} needs ${name}, which is not installed`)
    }
  }
  for (const [name, source] of direct) addDependencies(source, [name])
  return placed
}
