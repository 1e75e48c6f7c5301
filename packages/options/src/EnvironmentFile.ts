import type { Command } from './Command.ts'
import { defaultOf } from './internal/defaultOf.ts'
import * as Layers from './Layers.ts'
import type { Settings } from './Option.ts'
import * as Spelling from './Spelling.ts'

/** What one or several commands say about a variable. */
interface Meaning {
  readonly help: string
  readonly fallback: string | undefined
  readonly commands: string[]
}

const WIDTH = 118

/**
 * Returns an environment file with every variable of the given services as a comment, in alphabetical order: what it
 * means, which commands read it, and its default. Variables of other programs that are read too are left out.
 *
 * @example
 * ```ts
 * import { Command, EnvironmentFile, option, Type } from '@firn/options'
 *
 * const port = option(Type.port, { default: 8080, help: 'Port to listen on.' })
 * const options = { port }
 * const serve = Command.create({ description: 'Serves.', example: '', options, isService: true, run: async () => {} })
 * const text = EnvironmentFile.format(new Map([['firn serve', serve]]))
 * console.log(text.includes('#FIRN_PORT=8080')) // true
 * ```
 */
export function format(commands: ReadonlyMap<string, Command>): string {
  const variables = new Map<string, Meaning[]>()
  for (const [command, declared] of commands) {
    const spellings = Spelling.all(Layers.withFile(declared), declared.isService === true)
    for (const { name, flag, option, variables: names } of spellings) {
      const [variable] = names
      if (variable === undefined || option.removed !== undefined || isFormer(name, flag)) continue
      add(variables, variable, { help: helpOf(option), fallback: defaultOf(option), commands: [command] })
    }
  }
  return [...variables]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([variable, meanings]) => entry(variable, meanings))
    .join('\n')
}

/** Returns the help of an option, and what its variable does if it turns off what is on by default. */
const helpOf = ({ help, negatedHelp }: Settings): string =>
  negatedHelp === undefined ? help : `${help} With false: ${negatedHelp}`

const isFormer = (name: string, flag: string): boolean => name.toLowerCase() !== flag.replaceAll('-', '')

const add = (variables: Map<string, Meaning[]>, variable: string, meaning: Meaning): void => {
  const known = variables.get(variable) ?? []
  const same = known.find(({ help, fallback }) => help === meaning.help && fallback === meaning.fallback)
  if (same === undefined) known.push(meaning)
  else same.commands.push(...meaning.commands)
  variables.set(variable, known)
}

const entry = (variable: string, meanings: readonly Meaning[]): string => {
  const texts = meanings.flatMap(({ help, fallback, commands }) => [
    ...comment(help),
    ...comment(`  ${commands.join(', ')}${fallback === undefined ? '' : `; default: ${fallback}`}`),
  ])
  const fallbacks = new Set(meanings.map(({ fallback }) => fallback))
  const [first] = fallbacks
  const isPlain = fallbacks.size === 1 && first !== undefined && /^[\w./:*,-]+$/.test(first)
  return [...texts, `#${variable}=${isPlain ? first : ''}`, ''].join('\n')
}

/** Returns lines of comments. Words are wrapped at the width of the documents. */
const comment = (text: string): readonly string[] => {
  const indent = /^ */.exec(text)?.[0] ?? ''
  const lines: string[] = []
  for (const word of text.trim().split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= WIDTH)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`# ${indent}${word}`)
  }
  return lines
}
