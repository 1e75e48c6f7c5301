import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMMAND as AGGREGATOR } from '@firn/aggregator'
import { type Command, Documents } from '@firn/options'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const COMMANDS: ReadonlyMap<string, Command.Command> = new Map([['firn aggregator', AGGREGATOR]])

/** A document with tables of options, as it is and as it should be. */
export type Document = { readonly path: string; readonly text: string; readonly expected: string }

/** Returns every Markdown file of the repository that has tables of options. */
export const documents = (): readonly Document[] => {
  const listed = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  return listed.split('\n').flatMap((name) => {
    const path = join(ROOT, name)
    const text = name === '' ? '' : readFileSync(path, 'utf8')
    if (!text.includes('<!-- options:')) return []
    return [{ path, text, expected: Documents.rewriteTables(text, COMMANDS) }]
  })
}
