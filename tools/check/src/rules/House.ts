import type { Rule, Subject, Violation } from '../Rule.ts'
import type { Node, Source } from '../Source.ts'
import { isTest } from '../Workspace.ts'

const MAX_LINES = 500
const BARE_ERRORS = new Set(['Error', 'TypeError', 'RangeError'])
const TEST_FUNCTIONS = new Set(['describe', 'it', 'test', 'suite', 'bench'])
const TEST_MARKS = new Set(['only', 'skip', 'todo'])

const nameOf = (node: unknown): string => String((node as Node | undefined)?.['name'] ?? '')

const isBareThrow = (node: Node): boolean => {
  const thrown = node['argument'] as Node | undefined
  return (
    node.type === 'ThrowStatement' &&
    thrown?.type === 'NewExpression' &&
    BARE_ERRORS.has(nameOf(thrown['callee']))
  )
}

const isMarkedTest = (node: Node): boolean =>
  node.type === 'MemberExpression' &&
  TEST_FUNCTIONS.has(nameOf(node['object'])) &&
  TEST_MARKS.has(nameOf(node['property']))

const unfinished = new RegExp(`\\b(${['TO', 'DO|FIX', 'ME|XX', 'X'].join('')})\\b`)

const breaches = (source: Source): readonly Violation[] => {
  const { path, text, nodes, comments } = source
  const at = (position: number, message: string) => ({ where: `${path}:${source.lineAt(position)}`, message })
  const lines = text.trimEnd().split('\n').length
  const isLibrary = /^(packages|services)\//.test(path) && !isTest(path)
  return [
    ...(lines > MAX_LINES
      ? [{ where: path, message: `${lines} lines, but a file may have at most ${MAX_LINES}; split the file` }]
      : []),
    ...nodes
      .filter((node) => isLibrary && isBareThrow(node))
      .map((node) =>
        at(node.start, "a bare error is thrown; throw the package's own error class, with a code"),
      ),
    ...nodes
      .filter((node) => isTest(path) && isMarkedTest(node))
      .map((node) => at(node.start, `a test is marked .${nameOf(node['property'])}; remove the mark`)),
    ...comments
      .filter(({ value }) => unfinished.test(value))
      .map(({ start }) => at(start, 'unfinished-work mark in a comment; finish the work or open an issue')),
  ]
}

const run = ({ sources }: Subject) => ({
  examined: `${sources.length} sources`,
  violations: sources.flatMap(breaches),
})

/**
 * Checks that files are short, errors are typed, no test is focused or unconditionally skipped, and no
 * comment marks unfinished work.
 */
export const house: Rule = { name: 'house rules', run }
