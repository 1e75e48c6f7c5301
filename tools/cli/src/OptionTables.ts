import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Command, Documents } from '@firn/options'
import { PROGRAM } from './Program.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Returns all commands by their full names, such as `firn keys create`. */
export const commands = async (
  found: Command.Commands = PROGRAM.commands,
  prefix = PROGRAM.name,
): Promise<ReadonlyMap<string, Command.Command>> => {
  const entries = Object.entries(found).map(async ([name, one]) =>
    'load' in one
      ? [[`${prefix} ${name}`, await one.load()] as const]
      : [...(await commands(one.commands, `${prefix} ${name}`))],
  )
  return new Map((await Promise.all(entries)).flat())
}

/** A document with option tables: its current text and the expected text. */
export type Document = { readonly path: string; readonly text: string; readonly expected: string }

/** Returns all Markdown files of the repository that contain option tables. */
export const documents = async (): Promise<readonly Document[]> => {
  const all = await commands()
  const listed = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  return listed.split('\n').flatMap((name) => {
    const path = join(ROOT, name)
    const text = name === '' ? '' : readFileSync(path, 'utf8')
    if (!text.includes('<!-- options:')) return []
    return [{ path, text, expected: Documents.rewriteTables(text, all) }]
  })
}
