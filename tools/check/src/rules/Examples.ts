import * as Fences from '../Fences.ts'
import * as Modules from '../Modules.ts'
import type { Rule, Subject, Violation } from '../Rule.ts'
import type { Source } from '../Source.ts'
import * as Throwing from '../Throwing.ts'

/**
 * Packages in which some functions still lack an example or `@throws`. Remove the entry when a package is
 * finished.
 */
export const UNFINISHED: readonly string[] = []

const tagged = (doc: string, tag: string): boolean =>
  new RegExp(`^[ \\t]*\\*?[ \\t]*@${tag}\\b`, 'm').test(doc)

/**
 * Returns whether a docstring says that the function never throws. The analysis cannot detect that a check
 * before a call rules out the errors of the call.
 */
const saysNeverThrows = (doc: string): boolean => /\bnever throws?\b/i.test(doc)

/**
 * Documentation coverage of a package: the number of exported functions, the number of fully documented ones,
 * and the missing tags of the others.
 */
export type Coverage = {
  readonly folder: string
  readonly functions: number
  readonly examples: number
  readonly throwing: number
  readonly throws: number
  readonly violations: readonly Violation[]
}

/** Returns the documentation coverage of each library package. */
export const coverage = ({ workspace, sources }: Subject): readonly Coverage[] => {
  const modules = Modules.create(workspace, sources)
  const canThrow = Throwing.create(modules)
  const libraries = workspace.packages.filter(({ folder }) => folder.startsWith('packages/'))
  return libraries.map(({ folder }) => {
    const functions = Modules.publicFunctions(modules, folder)
    const throwing = functions.filter(canThrow)
    const noExample = functions.filter(({ doc, name }) => {
      const fences = tagged(doc, 'example') ? Fences.inComment(doc) : []
      return !fences.some(({ code }) => code.includes(name))
    })
    const noThrows = throwing.filter(({ doc }) => !tagged(doc, 'throws') && !saysNeverThrows(doc))
    const violation = (what: string) => (found: Modules.PublicFunction) => ({
      where: `${found.path}:${found.line}`,
      message: `${found.publicName} ${what}`,
    })
    return {
      folder,
      functions: functions.length,
      examples: functions.length - noExample.length,
      throwing: throwing.length,
      throws: throwing.length - noThrows.length,
      violations: [
        ...noExample.map(violation('has no @example with a ```ts fence that calls the function')),
        ...noThrows.map(violation('can throw, but has no @throws')),
      ],
    }
  })
}

/**
 * Formats the coverage as text: the counts of each package, then the missing tags in the packages given in
 * `named`.
 */
export const format = (found: readonly Coverage[], named: readonly string[]): string =>
  found
    .flatMap(({ folder, functions, examples, throwing, throws, violations }) => [
      `${folder.padEnd(24)} @example ${examples} of ${functions}, @throws ${throws} of ${throwing}`,
      ...(named.some((name) => folder === `packages/${name}` || folder === name) ? violations : []).map(
        ({ where, message }) => `  ${where}  ${message}`,
      ),
    ])
    .join('\n')

/** Returns the name of the function that a comment documents; undefined if it cannot be found. */
const subjectAt = ({ text }: Source, end: number): string | undefined =>
  /^\s*export (?:async )?(?:const|function\*?) (\w+)/.exec(text.slice(end))?.[1]

/** Returns the examples in the documentation comments of a source. */
export const fencesOf = (source: Source): readonly Fences.Placed[] =>
  source.comments
    .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .flatMap(({ value, start, end }) => {
      const subject = subjectAt(source, end)
      return Fences.inComment(value).map((fence) => ({
        folder: source.path.split('/').slice(0, 2).join('/'),
        file: source.path,
        fence: { ...fence, line: source.lineAt(start) + fence.line - 1 },
        ...(subject ? { subject } : {}),
      }))
    })

const run = async (subject: Subject) => {
  const found = coverage(subject)
  const fences = subject.sources.flatMap(fencesOf)
  const finished = found.filter(({ folder }) => !UNFINISHED.includes(folder))
  const complete = UNFINISHED.filter(
    (folder) => (found.find((one) => one.folder === folder)?.violations ?? []).length === 0,
  )
  return {
    examined: `${fences.length} examples, ${finished.length} of ${found.length} packages finished`,
    violations: [
      ...finished.flatMap(({ violations }) => violations),
      ...complete.map((folder) => ({
        where: 'tools/check/src/rules/Examples.ts',
        message: `${folder} is finished: remove its row from UNFINISHED`,
      })),
      ...(await Fences.compile(subject.workspace.root, 'examples', fences)),
    ],
  }
}

/** Checks that exported functions have an `@example` that compiles, and `@throws` if they can throw. */
export const examples: Rule = { name: 'code examples', run }
