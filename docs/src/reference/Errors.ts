import { DocsError } from '../DocsError.ts'
import type { Page } from '../Page.ts'
import type { Repository } from '../Repository.ts'

/** An error code with the sentence that describes it. */
interface Code {
  readonly code: string
  readonly meaning: string
}

/** The declared codes of one class of errors. */
interface Declaration {
  /** Name of the class, such as `WarpError`. */
  readonly name: string
  /** Folder of the package, such as `packages/warp`. */
  readonly folder: string
  readonly codes: readonly Code[]
}

const DECLARATION =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport type (\w+)ErrorCode =\s*((?:\|?\s*'[A-Z0-9_]+'\s*)+)/g

const sentenceOf = (meaning: string): string => {
  const plain = meaning
    .replaceAll(/\{@link ([\w.]+)\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return plain === '' ? '' : plain.charAt(0).toUpperCase() + plain.slice(1).replace(/\.?$/, '.')
}

/**
 * Returns what a comment says about each code, in items such as `- ``CODE``, ``OTHER``: meaning.`, or in rows of a table
 * such as `| ``CODE`` | meaning |`.
 */
const meanings = (comment: string): ReadonlyMap<string, string> => {
  const text = comment.replaceAll(/\n\s*\*( ?)/g, '\n')
  const rows = [...text.matchAll(/^\| (`[A-Z0-9_]+`) \| (.+) \|$/gm)].map(([, code, meaning]) => [
    code,
    meaning,
  ])
  const items = text
    .split(/^- (?=`[A-Z])/m)
    .slice(1)
    .map(
      (item) => /^((?:`[A-Z0-9_]+`(?:,\s+| and )?)+):?\s+([\s\S]*?)(?:\n\s*\n|$)/.exec(item)?.slice(1) ?? [],
    )
  return new Map(
    [...rows, ...items].flatMap(([codes = '', meaning = '']) =>
      [...codes.matchAll(/`([A-Z0-9_]+)`/g)].map(([, code = '']) => [code, sentenceOf(meaning)] as const),
    ),
  )
}

const declarations = (repository: Repository): readonly Declaration[] =>
  repository.code
    .filter((file) => /^(packages|services)\/.*Error\.ts$/.test(file))
    .flatMap((file) => {
      const folder = file.split('/').slice(0, 2).join('/')
      return [...repository.read(file).matchAll(DECLARATION)].map(
        ([, comment = '', name = '', list = '']) => {
          const described = meanings(comment)
          const codes = [...list.matchAll(/'([A-Z0-9_]+)'/g)].map(([, code = '']) => {
            const meaning = described.get(code) ?? ''
            if (meaning !== '') return { code, meaning }
            throw new DocsError(
              'DOCS_REFERENCE',
              `${file}: the comment of ${name}ErrorCode does not describe ${code}; add the item "- \`${code}\`: …".`,
            )
          })
          return { name: `${name}Error`, folder, codes }
        },
      )
    })

const section = ({ name, folder, codes }: Declaration): string => {
  const rows = codes.map(({ code, meaning }) => `| \`${code}\` | ${meaning.replaceAll('|', '\\|')} |`)
  return [`## ${name}`, '', `Of \`${folder}\`.`, '', '| code | meaning |', '| --- | --- |', ...rows, ''].join(
    '\n',
  )
}

/**
 * Returns the page with the codes of all errors of packages and services, from the comments of their types.
 * @throws DocsError `DOCS_REFERENCE` if no codes are found, or a code is not described
 */
export const page = (repository: Repository): Page => {
  const found = declarations(repository)
  if (found.length === 0) throw new DocsError('DOCS_REFERENCE', 'No error codes were found in the sources.')
  const text = [
    '---\noutline: [2, 2]\n---\n',
    '# Errors by code',
    '',
    'Every error has a stable `code` and a message that says what happened and what to do. Compare codes, not messages.',
    'The HTTP statuses of the signature aggregator are in its [list of errors](../guides/aggregator-errors.md).',
    '',
    ...found.map(section),
  ].join('\n')
  return { path: 'reference/errors.md', text }
}
