import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Installed } from './Consumer.ts'
import type { Violation } from './Rule.ts'

const FOR_TESTS = /\.(test|bench|test-d)\.|(^|\/)fixtures\//

const named = (paths: readonly string[], message: (first: string, count: number) => string) => {
  const [first] = paths
  return first === undefined ? [] : [message(first, paths.length)]
}

/** Returns messages for files that only tests use. `testing/` is allowed in packages that export it. */
const misplaced = ({ manifest, files }: Installed): readonly string[] => {
  const exportsTesting = './testing' in (manifest.exports ?? {})
  const wrong = files.filter(
    (file) => FOR_TESTS.test(file) || (!exportsTesting && /(^|\/)testing\//.test(file)),
  )
  return named(
    wrong,
    (first, count) => `the tarball has ${count} test files, such as ${first}; exclude them in "files"`,
  )
}

const MODULE = /^dist\/(.+)\.js$/

/** Returns messages for files that users need and that the tarball lacks. */
const missing = ({ manifest, files }: Installed): readonly string[] => {
  const all = new Set(files)
  const built = files.flatMap((file) => MODULE.exec(file)?.[1] ?? [])
  const besideModules = built.flatMap((name) =>
    ['d.ts', 'js.map', 'd.ts.map'].map((extension) => `dist/${name}.${extension}`),
  )
  // A package of programs without exports needs no types.
  const expected = [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    ...(manifest.exports === undefined ? [] : besideModules),
  ]
  return [
    ...(manifest.exports !== undefined && built.length === 0
      ? ['the tarball has no JavaScript in dist']
      : []),
    ...named(
      expected.filter((file) => !all.has(file)),
      (first, count) => `the tarball lacks ${count} files, such as ${first}`,
    ),
  ]
}

/** Returns messages for source maps that name a file outside the tarball. */
const unresolved = ({ files }: Installed, read: (file: string) => string): readonly string[] => {
  const all = new Set(files)
  const wrong = files
    .filter((file) => file.endsWith('.map'))
    .flatMap((file) => {
      const { sources, sourcesContent } = JSON.parse(read(file)) as {
        readonly sources: readonly string[]
        readonly sourcesContent?: readonly unknown[]
      }
      if (sourcesContent !== undefined) return []
      const paths = sources.map((source) => posix.join(posix.dirname(file), source))
      return paths.filter((path) => !all.has(path)).map((path) => `${file} names ${path}`)
    })
  return named(wrong, (first, count) => `${count} sources of maps are not in the tarball: ${first}`)
}

/** Ranges that accept later compatible versions. */
const RANGE = /^(\^|>=|~)/

/** Returns messages for fields of the packed package.json that concern only the repository, and for exact versions. */
const fields = ({ manifest }: Installed): readonly string[] => {
  const ranges = { ...manifest.dependencies, ...manifest.peerDependencies }
  const exact = Object.entries(ranges).filter(([, range]) => !RANGE.test(range))
  return [
    ...named(
      exact.map(([name, range]) => `${name} ${range}`),
      (first) => `the dependency ${first} is not a range such as ^1.2.3, so users install it twice`,
    ),
    ...['devDependencies', 'scripts']
      .filter((name) => name in manifest)
      .map((name) => `package.json in the tarball has ${name}; .pnpmfile.cjs should remove it`),
    ...(JSON.stringify([manifest.exports, manifest.imports] as const).includes('"source":')
      ? ['package.json in the tarball has the condition source; .pnpmfile.cjs should remove it']
      : []),
  ]
}

/** Returns violations of the rules on the contents of a tarball. `read` returns the text of one of its files. */
export const problems = (
  installed: Installed,
  read = (file: string): string => readFileSync(join(installed.folder, file), 'utf8'),
): readonly Violation[] =>
  [...misplaced(installed), ...missing(installed), ...unresolved(installed, read), ...fields(installed)].map(
    (message) => ({ where: `${installed.owner.folder}/package.json`, message }),
  )
