import { get, kebab, NAMES, type OptionName, variables } from './Options.ts'

/** The text of `--help`: each option with its default. `program` is what was typed. */
export function text(program: string): string {
  const rows = NAMES.map((name): [string, string] => [
    `--${kebab(name)}${get(name).isSwitch ? '[=true|false]' : ' <value>'}`,
    `${get(name).description} (default: ${fallback(name)})`,
  ])
  const own: readonly [string, string][] = [
    ['--config-file <path>', 'JSON file with options; --config-file-content gives it in base64'],
    ['--help', 'print this text'],
    ['--version', 'print the version'],
  ]
  return [
    `Usage: ${program} [options]`,
    '',
    'Answers as an Avalanche node would, from a ledger in SQL.',
    'Options count in this order, later ones win: default, file, environment (AVAGO_<NAME> or FIRN_<NAME>), flag.',
    '',
    ...[...rows, ...own].map(([flag, description]) => `  ${flag}\n        ${description}`),
    '',
  ].join('\n')
}

/** The table of the documents. */
export function markdownTable(): string {
  const rows = NAMES.map((name) => {
    const names = variables(name).map((one) => `\`${one}\``)
    const cells = [`\`${kebab(name)}\``, names.join(' '), fallback(name), get(name).description]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  return [
    '| flag and file key | environment | default | meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

function fallback(name: OptionName): string {
  const value = get(name).fallback
  if (get(name).expected.startsWith('a duration')) return `${Number(value) / 1000}s`
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(',')
  if (name === 'logLevel') return String(value).toLowerCase()
  return value === '' || value === undefined ? 'none' : String(value)
}
