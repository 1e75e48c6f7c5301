import { PassThrough } from 'node:stream'
import { FirnError } from '@firn/codec'
import { expect, test } from 'vitest'
import * as Command from './Command.ts'
import { option } from './Option.ts'
import * as Program from './Program.ts'
import * as Type from './Type.ts'

const send = Command.create({
  description: 'Sends an amount.',
  example: 'x --amount 3',
  operands: [{ name: 'address', help: 'Who gets it.' }],
  options: { amount: option(Type.integer(1, 9), { default: 1, help: 'How much.' }) },
  check: ({ amount }) => {
    if (amount === 4) throw new Error('4 is not allowed')
  },
  run: async ({ amount }, { operands, terminal }) => {
    if (amount === 5) throw new FirnError('X_FAILED', 'It failed.')
    if (amount === 6) throw new FirnError('X_USAGE', 'It was used wrongly.')
    if (amount === 7) throw new TypeError('a bug')
    terminal.print(`${amount} to ${operands.join(' ')}`)
    return amount === 8 ? 8 : undefined
  },
})
const program: Program.Program = {
  name: 'p',
  version: '1.2.3',
  description: 'Does things.',
  commands: {
    send: { summary: 'sends', load: () => send },
    more: { summary: 'more things', commands: { send: { summary: 'sends too', load: async () => send } } },
  },
}

const run = async (...argv: readonly string[]) => {
  const [printed, noted]: [string[], string[]] = [[], []]
  const terminal = {
    print: (line: string) => void printed.push(line),
    note: (line: string) => void noted.push(line),
    isInteractive: false,
    signal: new AbortController().signal,
  }
  const code = await Program.run(program, { argv, environment: {}, readFile: () => '', terminal })
  return { code, out: printed.join('\n'), notes: noted.join('\n') }
}

test.each<[readonly string[], number, string, string]>([
  [['send', 'me'], 0, '1 to me', ''],
  [['more', 'send', 'me', '--amount', '2'], 0, '2 to me', ''],
  [['send', 'me', '--amount=8'], 8, '8 to me', ''],
  [['--version'], 0, '1.2.3', ''],
  [['send', '-v'], 0, '1.2.3', ''],
  [['send', 'me', '--amount=5'], 1, '', 'p: It failed.'],
  [['send', 'me', '--amount=6'], 2, '', 'p send: It was used wrongly. See p send --help.'],
  [['send', 'me', '--amount=4'], 2, '', 'p send: 4 is not allowed. See p send --help.'],
  [
    ['send', 'me', '--amont=1'],
    2,
    '',
    'p send: unknown option --amont; did you mean --amount? See p send --help.',
  ],
  [['send'], 2, '', 'p send: <address> is missing. See p send --help.'],
  [['send', 'me', 'you'], 2, '', 'p send: unexpected argument "you". See p send --help.'],
  [['sned'], 2, '', 'p: unknown command "sned"; did you mean send? See p --help.'],
  [['sned', '--amount=1'], 2, '', 'p: unknown command "sned"; did you mean send? See p --help.'],
  [[], 2, '', 'p: expected a command: send, more. See p --help.'],
  [['more'], 2, '', 'p more: expected a command: send. See p more --help.'],
])('runs the command line %j with exit status %i', async (argv, code, out, notes) =>
  expect(await run(...argv)).toEqual({ code, out, notes }),
)

test('does not set an exit status if a command succeeds', async () => {
  const written: string[] = []
  const write = (text: string) => written.push(text) > 0
  const process: unknown = {
    ...{ argv: ['node', 'p'], env: {}, on: () => undefined },
    ...{ stdin: {}, stdout: { write, on: () => undefined }, stderr: { write, on: () => undefined } },
  }
  const hello = Command.create({
    description: 'Greets.',
    example: '',
    operands: [],
    options: {},
    run: async (_values, { terminal }) => terminal.print('hello'),
  })
  await Program.main({ name: 'p', version: '1.2.3', load: async () => hello }, process as Program.Process)
  expect([written, (process as Program.Process).exitCode]).toEqual([['hello\n'], undefined])
})

test('ends a process whose reader has ended, and reports other errors of its output', async () => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const statuses: number[] = []
  const process: unknown = {
    ...{ argv: ['node', 'p', '--version'], env: {}, on: () => undefined },
    ...{ stdin: {}, stdout, stderr, exit: (status: number) => statuses.push(status) },
  }
  const load = async () => send
  await Program.main({ name: 'p', version: '1.2.3', load }, process as Program.Process)
  stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
  expect(statuses).toEqual([141])
  expect(() => stderr.emit('error', new Error('no space'))).toThrow('no space')
})

test('rethrows unexpected errors', async () => {
  await expect(run('send', 'me', '--amount=7')).rejects.toThrow('a bug')
})

test('prints all commands in the help of a program, and options with an example in the help of a command', async () => {
  expect((await run('--help')).out).toContain('  send  sends')
  expect((await run('more', '--help')).out).toContain('Usage: p more <command> [options]')
  expect((await run('send', '--help')).out).toBe(`Usage: p send <address> [options]

Sends an amount.

Example:
  p send x --amount 3

Arguments:
  <address>                         Who gets it.

Options:
  --amount <number>                 How much. (default: 1)

General:
  -h, --help                        Print this help.
  -v, --version                     Print the version.`)
})
