import { posix } from 'node:path'
import type { Rule, Subject, Violation } from '../Rule.ts'
import type { Workspace } from '../Workspace.ts'

const REQUIRED = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md']

/** Returns the anchor that GitHub gives to a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const exists = ({ files }: Workspace, path: string): boolean =>
  files.includes(path) || files.some((file) => file.startsWith(`${path}/`))

const isMissing = (workspace: Workspace, from: string, target: string): boolean => {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? from : posix.join(posix.dirname(from), path)
  if (!exists(workspace, file)) return true
  if (anchor === undefined || !file.endsWith('.md')) return false
  const headings = [...workspace.read(file).matchAll(/^#+ (.+)$/gm)].map((found) => anchorOf(found[1] ?? ''))
  return !headings.includes(anchor)
}

/**
 * Returns the paths in a document that do not exist: link targets, and inline code that starts with a folder
 * of the repository.
 */
const brokenPaths = (workspace: Workspace, file: string): readonly Violation[] =>
  workspace
    .read(file)
    .split('\n')
    .flatMap((line, index) => {
      const links = [...line.matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map((found) => found[1] ?? '')
      const code = [
        ...line.matchAll(/`((?:apps|packages|services|tools|examples|\.ci|\.github)\/[\w./-]*)`/g),
      ]
        .map((found) => (found[1] ?? '').replace(/\/$/, ''))
        .filter((path) => path.includes('/'))
      return [
        ...links.filter((target) => isMissing(workspace, file, target)),
        ...code.filter((path) => !exists(workspace, path)),
      ].map((target) => ({ where: `${file}:${index + 1}`, message: `the path ${target} does not exist` }))
    })

const run = ({ workspace }: Subject) => {
  const present = REQUIRED.filter((file) => workspace.files.includes(file))
  const readme = present.includes('README.md') ? workspace.read('README.md') : ''
  const unlinked = REQUIRED.filter((file) => file !== 'README.md' && !readme.includes(`(${file})`))
  const violations = [
    ...REQUIRED.filter((file) => !present.includes(file)).map((where) => ({ where, message: 'is missing' })),
    ...unlinked.map((file) => ({ where: 'README.md', message: `the README has no link to ${file}` })),
    ...present.flatMap((file) => brokenPaths(workspace, file)),
  ]
  return { examined: `${present.length} documents`, violations }
}

/** Checks that the documents in the root folder exist, and that all paths mentioned in them exist. */
export const documents: Rule = { name: 'documents', run }
