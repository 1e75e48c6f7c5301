import type { TSchema } from 'typebox'
import { Configuration, defaultOf, GO_OPTIONS, OPTION_NAMES, type OptionName } from './Configuration.ts'
import { kebab, upperSnake } from './internal/names.ts'

/** The text of `--help`: each option with its default, generated from the schema. */
export function text(): string {
  const rows = [
    [
      '--config-file <path>',
      'JSON file with options; the keys of the Go signature-aggregator are understood (default: none)',
    ],
    ...OPTION_NAMES.map((name) => [
      `--${kebab(name)}${placeholder(name)}`,
      `${describe(name)} (default: ${fallback(name)})`,
    ]),
    ['--help', 'print this text'],
    ['--version', 'print the version'],
  ] as const
  return [
    'Usage: firn-aggregator [options]',
    '',
    'Collects BLS signatures of Avalanche validators and answers with signed Warp messages.',
    'Options count in this order, later ones win: default, file, environment (FIRN_<NAME>, such as FIRN_API_PORT), flag.',
    '',
    ...rows.map(([flag, description]) => `  ${flag}\n        ${description}`),
    '',
  ].join('\n')
}

/** The table of `docs/configuration.md`. */
export function markdownTable(): string {
  const rows = OPTION_NAMES.map((name) => {
    const variables = [`FIRN_${upperSnake(name)}`, ...(GO_OPTIONS.has(name) ? [upperSnake(name)] : [])]
    const cells = [
      `\`${kebab(name)}\``,
      variables.map((one) => `\`${one}\``).join(' '),
      fallback(name),
      describe(name),
    ]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  return [
    '| flag and file key | environment | default | meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

interface Option {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly description?: string
}

function option(name: OptionName): Option {
  return Configuration.properties[name] as TSchema & Option
}

function describe(name: OptionName): string {
  return option(name).description ?? ''
}

function placeholder(name: OptionName): string {
  const { type, enum: choices } = option(name)
  if (choices !== undefined) return ` <${choices.join('|')}>`
  if (type === 'boolean') return ''
  if (type === 'integer') return ' <number>'
  return type === 'array' ? ' <value>…' : ' <text>'
}

function fallback(name: OptionName): string {
  const value = defaultOf(name)
  return Array.isArray(value) || value === '' ? 'none' : String(value)
}
