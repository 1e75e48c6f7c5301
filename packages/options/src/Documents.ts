import type { Command } from './Command.ts'
import * as Help from './Help.ts'
import { OptionsError } from './OptionsError.ts'

const TABLE = /(<!-- options: (?<name>[\w -]+?)(?:: (?<flags>[\w -]+))? -->\n)[\s\S]*?(<!-- \/options -->)/g

/**
 * Returns a Markdown text in which every table of options is generated from the declared options. A table is placed
 * between `<!-- options: firn index -->` and `<!-- /options -->`. A table that starts with `<!-- options: firn index:
 * once from -->` contains only the flags `--once` and `--from`, and one that starts with `<!-- options: firn index: group
 * Limits -->` those with this heading.
 * @throws OptionsError for a table of an unknown command, flag or heading
 *
 * @example
 * ```ts
 * import { Documents } from '@firn/options'
 *
 * Documents.rewriteTables('# No options', new Map()) // '# No options'
 * ```
 */
export function rewriteTables(markdown: string, commands: ReadonlyMap<string, Command>): string {
  return markdown.replace(
    TABLE,
    (_whole, begin: string, name: string, flags: string | undefined, end: string) => {
      const command = commands.get(name)
      if (command === undefined) throw new OptionsError(`an option table names the unknown command ${name}`)
      const [, title] = /^group (.+)$/.exec(flags ?? '') ?? []
      const chosen = title === undefined ? flags?.split(' ') : Help.flagsOf(command, title)
      return `${begin}\n${Help.markdownTable(command, chosen)}\n${end}`
    },
  )
}
