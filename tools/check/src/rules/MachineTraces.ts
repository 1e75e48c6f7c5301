import type { Rule, Subject, Violation } from '../Rule.ts'

// The pattern is assembled from parts, so that this file does not violate its own rule.
const folders = ['work', 'root', 'home', 'Users', 'private', 'mnt'].join('|')
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`(?<![\\w./@$}*-])/(${folders})/[\\w.-]+`), "a path on a developer's machine"],
  [new RegExp(`(?<![\\w./@$}*-])/t${'mp'}/[\\w.-]+`), "a path on a developer's machine"],
  [/(?<![\w])[A-Z]:\\\\?[Uu]sers\\/, "a path on a developer's machine"],
  [/https?:\/\/[\w.-]*(registry|artifactory|nexus|verdaccio|jfrog)[\w.-]*/, 'the host of a package registry'],
]

const TEXT =
  /\.(ts|mjs|js|json|jsonl|md|yaml|yml|proto|sh|toml|txt)$|(^|\/)(\.npmrc|\.gitignore|run|LICENSE)$/

const breachesOf = (path: string, text: string): readonly Violation[] =>
  text.split('\n').flatMap((line, index) =>
    PATTERNS.flatMap(([pattern, what]) => {
      const found = pattern.exec(line)
      return found ? [{ where: `${path}:${index + 1}`, message: `${what}: ${found[0]}` }] : []
    }),
  )

const run = ({ workspace }: Subject) => {
  const files = workspace.files.filter((path) => TEXT.test(path) && !path.includes('/vectors/'))
  return {
    examined: `${files.length} files`,
    violations: files.flatMap((path) => breachesOf(path, workspace.read(path))),
  }
}

/**
 * Checks that no tracked file contains a folder path of a developer's machine or the host of a package
 * registry.
 */
export const machineTraces: Rule = { name: 'machine traces', run }
