import { BUILT_IN } from './Arguments.ts'
import type { Command, Commands } from './Command.ts'
import { defaultOf } from './internal/defaultOf.ts'
import * as Layers from './Layers.ts'
import { kebab } from './Option.ts'
import { OptionsError } from './OptionsError.ts'
import * as Spelling from './Spelling.ts'

const WIDTH = 100
/** Maximum width of a flag whose help text is printed on the same line. */
const FLAG_WIDTH = 34
const NO_GROUP = 'Options'
const GENERAL = 'General'

/**
 * Returns the help of a command. `program` is the name that the user types, such as `firn index`.
 *
 * @example
 * ```ts
 * import { type Command, Help } from '@firn/options'
 *
 * declare const serve: Command.Command
 * console.log(Help.format('firn serve', serve))
 * ```
 */
export function format(program: string, command: Command): string {
  const { description, example, operands = [] } = command
  const names = operands.map(({ name, isOptional, isRepeated }) => {
    const text = `<${name}>${isRepeated === true ? '…' : ''}`
    return isOptional === true ? `[${text}]` : text
  })
  return [
    `Usage: ${[program, ...names, '[options]'].join(' ')}`,
    '',
    ...wrap(description, WIDTH),
    '',
    'Example:',
    `  ${program} ${example}`.trimEnd(),
    ...(operands.length === 0
      ? []
      : ['', 'Arguments:', ...operands.flatMap(({ name, help }) => row(`<${name}>`, help))]),
    ...groups(command).flatMap(([title, spellings]) => ['', `${title}:`, ...spellings.flatMap(optionRow)]),
    '',
    ...(command.isService === true
      ? wrap('Later layers take precedence: defaults, configuration file, environment, flags.', WIDTH)
      : []),
  ]
    .join('\n')
    .trimEnd()
}

/**
 * Returns the help of a group of commands, with a list of the commands.
 *
 * @example
 * ```ts
 * import { type Command, Help } from '@firn/options'
 *
 * declare const commands: Command.Commands
 * console.log(Help.formatCommands('firn', 'Runs and inspects Avalanche networks.', commands))
 * ```
 */
export function formatCommands(program: string, description: string, commands: Commands): string {
  const names = Object.keys(commands)
  const width = Math.max(...names.map((name) => name.length)) + 2
  return [
    `Usage: ${program} <command> [options]`,
    '',
    ...wrap(description, WIDTH),
    '',
    'Commands:',
    ...names.flatMap((name) => row(name, commands[name]?.summary ?? '', width)),
    '',
    `See ${program} <command> --help.`,
  ].join('\n')
}

/**
 * Returns a Markdown table of a command's options. `flags` selects the options and their order; by default
 * the table contains all options.
 * @throws OptionsError for an unknown flag
 * @example
 * ```ts
 * import { type Command, Help } from '@firn/options'
 *
 * declare const serve: Command.Command
 * const all = Help.markdownTable(serve)
 * const two = Help.markdownTable(serve, ['port', 'log-level'])
 * ```
 */
export function markdownTable(command: Command, flags?: readonly string[]): string {
  const shown = groups(command).flatMap(([, spellings]) => spellings)
  const all = shown.filter(({ flag }) => !Object.hasOwn(BUILT_IN, flag))
  const chosen = flags?.map((flag) => all.find((one) => one.flag === flag) ?? unknownFlag(flag)) ?? all
  const rows = chosen.map(({ flag, option, variables }) => [
    `\`--${flag}\``,
    variables.map((one) => `\`${one}\``).join(' '),
    defaultOf(option) ?? '',
    option.negatedHelp === undefined ? option.help : `${option.help} \`--no-${flag}\`: ${option.negatedHelp}`,
  ])
  const line = (row: readonly string[]) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [['flag', 'environment', 'default', 'meaning'], ['---', '---', '---', '---'], ...rows, []]
    .map((row) => (row.length === 0 ? '' : line(row)))
    .join('\n')
}

/**
 * Returns the flags of a command that stand below a heading in its help, without dashes.
 * @throws OptionsError for an unknown heading
 * @example
 * ```ts
 * import { type Command, Help } from '@firn/options'
 *
 * declare const serve: Command.Command
 * Help.flagsOf(serve, 'Limits') // ['max-connections', …]
 * ```
 */
export function flagsOf(command: Command, title: string): readonly string[] {
  const found = groups(command).find(([one]) => one === title)
  if (found === undefined) throw new OptionsError(`an option table names the unknown heading ${title}`)
  return found[1].map(({ flag }) => flag)
}

function unknownFlag(flag: string): never {
  throw new OptionsError(`an option table names the unknown flag --${flag}`)
}

/**
 * Returns the options grouped by their headings, in the order of declaration. The options of every command
 * come last.
 */
function groups(command: Command): readonly (readonly [string, readonly Spelling.Spelling[]])[] {
  const { options, isService = false } = command
  const general = { ...Layers.withFile({ ...command, options: {} }), ...BUILT_IN }
  const shown = Object.entries(options).filter(([, { removed }]) => removed === undefined)
  const titles = new Set(shown.map(([, { group = NO_GROUP }]) => group))
  const all = [...titles].map((title) => {
    const entries = shown.filter(([, { group = NO_GROUP }]) => group === title)
    return [title, Object.fromEntries(entries)] as const
  })
  return [...all, [GENERAL, general] as const].map(([title, members]) => {
    const spellings = Spelling.all(members, isService)
    return [
      title,
      spellings.filter(({ name }, index) => spellings.findIndex((one) => one.name === name) === index),
    ]
  })
}

function optionRow({ flag, option, type, variables }: Spelling.Spelling): readonly string[] {
  const { aliases = [], isRequired } = option
  const isOn = type.isSwitch === true && option.default === true
  const help = isOn ? (option.negatedHelp ?? option.help) : option.help
  const short = { help: '-h, ', version: '-v, ' }[flag] ?? ''
  const names = [
    `${short}--${isOn ? 'no-' : ''}${flag}`,
    ...aliases.map((alias) => `--${kebab(alias)}`),
  ].join(', ')
  const placeholder = type.isSwitch === true ? '' : ` <${type.placeholder}>`
  const facts = [
    ...(isRequired === true ? ['required'] : []),
    ...(defaultOf(option) === undefined || type.isSwitch === true ? [] : [`default: ${defaultOf(option)}`]),
    ...(Object.hasOwn(BUILT_IN, flag) ? [] : variables.map((name) => (isOn ? `${name}=false` : name))),
  ]
  return row(names + placeholder, facts.length === 0 ? help : `${help} (${facts.join('; ')})`)
}

function row(left: string, right: string, width = FLAG_WIDTH): readonly string[] {
  const indent = ' '.repeat(width + 2)
  const lines = wrap(right, WIDTH - width - 2).map((line) => indent + line)
  if (left.length + 2 > width) return [`  ${left}`, ...lines]
  return [`  ${left}`.padEnd(width + 2) + (lines[0] ?? '').trimStart(), ...lines.slice(1)]
}

/** Wraps a text at spaces to lines of at most `width` characters. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
