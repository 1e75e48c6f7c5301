// Adapts the package.json of tarballs. In the repository, packages resolve to their sources under the condition
// `source`; users get only what was built, and their own tools may use a condition of that name.

const withoutSources = (conditions) =>
  typeof conditions !== 'object'
    ? conditions
    : Object.fromEntries(
        Object.entries(conditions)
          .filter(([name]) => name !== 'source')
          .map(([name, target]) => [name, withoutSources(target)]),
      )

/** Returns whether the tarball lacks the files of an export. */
const isLeftOut = (subpath, files = []) => subpath === './testing' && files.includes('!**/testing')

const beforePacking = ({ devDependencies, scripts, ...manifest }) => ({
  ...manifest,
  ...(manifest.imports && { imports: withoutSources(manifest.imports) }),
  ...(manifest.exports && {
    exports: Object.fromEntries(
      Object.entries(manifest.exports)
        .filter(([subpath]) => !isLeftOut(subpath, manifest.files))
        .map(([subpath, target]) => [subpath, withoutSources(target)]),
    ),
  }),
})

module.exports = { hooks: { beforePacking } }
