import { describe, expect, it } from 'vitest'
import * as Command from './Command.ts'
import * as Documents from './Documents.ts'
import * as Help from './Help.ts'
import { group, option, removed } from './Option.ts'
import { OptionsError } from './OptionsError.ts'
import * as Type from './Type.ts'

const WORDS = Array.from({ length: 30 }, (_, i) => `word${i + 10}`).join(' ')

const command = Command.create({
  description: WORDS,
  example: '',
  operands: [
    { name: 'from', help: 'Source.' },
    { name: 'to', help: 'Targets.', isOptional: true, isRepeated: true },
  ],
  options: {
    port: option(Type.port, { default: 80, help: 'Port | socket.', aliases: ['httpPort'] }),
    name: option(Type.text, { default: '', help: 'Name.' }),
    at: option(Type.json('JSON', String), { isRequired: true, help: 'Place.' }),
    limits: option(Type.flag, { default: true, help: 'Limits.', negatedHelp: 'Sets no limits.' }),
    folder: option(Type.path, { defaultText: 'a new folder', help: WORDS }),
    old: removed(Type.text, 'It was removed.'),
    ...group('Keys', { aVeryLongNameOfAnOption: option(Type.text, { help: 'Key.' }) }),
  },
  isService: true,
  run: async () => undefined,
})

describe('Help.markdownTable', () => {
  it('lists the flags in the given order, with variables, defaults and escaped help', () => {
    expect(Help.markdownTable(command, ['name', 'port', 'limits', 'folder'])).toBe(
      [
        '| flag | environment | default | meaning |',
        '| --- | --- | --- | --- |',
        '| `--name` | `FIRN_NAME` |  | Name. |',
        '| `--port` | `FIRN_PORT` | 80 | Port \\| socket. |',
        '| `--limits` | `FIRN_LIMITS` | true | Limits. `--no-limits`: Sets no limits. |',
        `| \`--folder\` | \`FIRN_FOLDER\` | a new folder | ${WORDS} |`,
        '',
      ].join('\n'),
    )
  })

  it('lists all options by default, except removed options and options that every command has', () => {
    const flags = [...Help.markdownTable(command).matchAll(/^\| `--([\w-]+)`/gm)].map(([, flag]) => flag)
    const own = ['port', 'name', 'at', 'limits', 'folder', 'a-very-long-name-of-an-option']
    expect(flags).toEqual([...own, 'config-file', 'config-file-content'])
  })

  it('rejects an unknown flag', () => {
    expect(() => Help.markdownTable(command, ['nme'])).toThrow(OptionsError)
  })
})

describe('Help.flagsOf', () => {
  it('returns the flags below a heading', () => {
    expect(Help.flagsOf(command, 'Keys')).toEqual(['a-very-long-name-of-an-option'])
  })

  it('rejects an unknown heading', () => {
    expect(() => Help.flagsOf(command, 'Kys')).toThrow(OptionsError)
  })
})

describe('Documents.rewriteTables', () => {
  it('writes a table of the options below a heading', () => {
    const [begin, end] = ['<!-- options: p x: group Keys -->', '<!-- /options -->']
    const text = Documents.rewriteTables(`${begin}\nold\n${end}`, new Map([['p x', command]]))
    expect(text).toBe(`${begin}\n\n${Help.markdownTable(command, ['a-very-long-name-of-an-option'])}\n${end}`)
  })
})

describe('Help.format', () => {
  const lines = Help.format('p x', command).split('\n')

  it.each([
    'Usage: p x <from> [<to>…] [options]',
    '  p x',
    '  <to>                              Targets.',
    '  --port, --http-port <port>        Port | socket. (default: 80; FIRN_PORT)',
    '  --name <text>                     Name. (FIRN_NAME)',
    '  --at <json>                       Place. (required; FIRN_AT)',
    '  --no-limits                       Sets no limits. (FIRN_LIMITS=false)',
    'Keys:',
    '  -h, --help                        Print this help.',
    'Later layers take precedence: defaults, configuration file, environment, flags.',
  ])('contains the line: %s', (line) => expect(lines).toContain(line))

  it('prints the help of a long flag on the next line', () => {
    const at = lines.indexOf('  --a-very-long-name-of-an-option <text>')
    expect(lines[at + 1]).toBe(`${' '.repeat(36)}Key. (FIRN_A_VERY_LONG_NAME_OF_AN_OPTION)`)
  })

  it('wraps lines at 100 characters', () => {
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
    const longest = `${'a'.repeat(49)} ${'b'.repeat(50)}`
    expect(Help.format('p', { ...command, description: `${longest} c` })).toContain(`\n${longest}\nc\n`)
    expect(Help.format('p', { ...command, description: `${longest}b` })).not.toContain(longest)
    const words = WORDS.split(' ')
    expect(lines).toContain(words.slice(0, 14).join(' '))
    const folder = lines.findIndex((line) => line.startsWith('  --folder'))
    expect(lines.slice(folder, folder + 2)).toEqual([
      `  --folder <path>${' '.repeat(19)}${words.slice(0, 9).join(' ')}`,
      ' '.repeat(36) + words.slice(9, 18).join(' '),
    ])
  })

  it('omits removed options', () => expect(lines.join('\n')).not.toContain('--old'))
})

describe('Help.formatCommands', () => {
  it('aligns the summaries with the longest name', () => {
    const entry = (summary: string) => ({ summary, load: () => command })
    expect(Help.formatCommands('p', 'Does things.', { a: entry('one'), long: entry('two') })).toBe(
      `Usage: p <command> [options]

Does things.

Commands:
  a     one
  long  two

See p <command> --help.`,
    )
  })
})
