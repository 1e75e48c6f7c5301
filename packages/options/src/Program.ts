import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isFirnError } from '@firn/codec'
import * as Arguments from './Arguments.ts'
import type { Command, Commands, Entry, Group, Operand } from './Command.ts'
import { LEVELS } from './Common.ts'
import * as Help from './Help.ts'
import * as Layers from './Layers.ts'
import type { Options, Values } from './Option.ts'
import { OptionsError } from './OptionsError.ts'
import * as Suggestion from './Suggestion.ts'
import type { Terminal } from './Terminal.ts'

/** Exit statuses of all commands. */
export const EXIT = { ok: 0, failure: 1, usage: 2, interrupted: 130, brokenPipe: 141 } as const

/** A program: one command, or several commands by name. */
export type Program = {
  /** The program's name as the user types it, such as `firn` or `firn-node`. */
  readonly name: string
  readonly version: string
} & (Pick<Entry, 'load'> | { readonly description: string; readonly commands: Commands })

/** The parts of a process that {@link run} needs. */
export interface Run extends Layers.Sources {
  /** Arguments that follow the program's name. */
  readonly argv: readonly string[]
  readonly terminal: Terminal
}

/**
 * Runs a command line and resolves to its exit status: 0, 1 for a failure, 2 for a usage error, 130 after an
 * interrupt. Errors of Firn and of the system are reported in one sentence. All other errors are bugs and are
 * rethrown.
 *
 * @throws errors that are neither Firn's nor the system's, because they are bugs
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs'
 * import { Program } from '@firn/options'
 *
 * declare const program: Program.Program
 * const status = await Program.run(program, {
 *   argv: ['--port', '9000'],
 *   environment: process.env,
 *   readFile: (path) => readFileSync(path, 'utf8'),
 *   terminal: Program.terminalOf(process),
 * })
 * ```
 */
export async function run(program: Program, { argv, terminal, ...sources }: Run): Promise<number> {
  let called = program.name
  try {
    const found = 'load' in program ? { path: [], rest: argv, entry: program } : find(program, argv)
    called = [program.name, ...found.path].join(' ')
    if ('load' in found.entry) {
      return await runCommand(called, await found.entry.load(), program.version, {
        argv: found.rest,
        terminal,
        ...sources,
      })
    }
    return listCommands(called, found.entry, program.version, found.rest, terminal)
  } catch (error) {
    return report(program.name, called, error, terminal)
  }
}

/** The parts of a process that {@link main} uses. */
export type Process = Pick<NodeJS.Process, 'argv' | 'env' | 'stdin' | 'stdout' | 'stderr' | 'on' | 'exit'> & {
  exitCode?: unknown
}

/**
 * Minimum width of a terminal for the progress display. In a narrower terminal, the display would wrap, so
 * plain lines are printed instead.
 */
const LEAST_COLUMNS = 40

/**
 * Returns the terminal of a process. Its signal is aborted by SIGINT and SIGTERM.
 *
 * @example
 * ```ts
 * import { Program } from '@firn/options'
 *
 * const terminal = Program.terminalOf(process)
 * terminal.print('ready')
 * ```
 */
export function terminalOf(process: Process): Terminal {
  const { stdin, stdout, stderr } = process
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort())
  return {
    print: (line) => void stdout.write(`${line}\n`),
    note: (line) => void stderr.write(`${line}\n`),
    isInteractive: stdin.isTTY === true && stderr.isTTY === true && stderr.columns >= LEAST_COLUMNS,
    isColored: stderr.isTTY === true && !process.env['NO_COLOR'],
    signal: controller.signal,
  }
}

/**
 * Runs the command line of a process and sets its exit status.
 *
 * @throws the errors of {@link run}
 * @example
 * ```ts
 * import { type Command, Program } from '@firn/options'
 *
 * declare const serve: Command.Command
 * await Program.main({ name: 'serve', version: '1.0.0', load: () => serve }, process)
 * ```
 */
export async function main(program: Program, process: Process): Promise<void> {
  endWithReader(process)
  const code = await run(program, {
    argv: process.argv.slice(2),
    environment: { HOME: homedir(), ...process.env },
    readFile: (path) => readFileSync(path, 'utf8'),
    terminal: terminalOf(process),
  })
  // Only a failure sets the status, because a command may resolve while its service still runs and sets its
  // own status later.
  if (code !== EXIT.ok) process.exitCode = code
}

/** Ends a process when the reader of its output has ended, such as `head`. Node.js ignores SIGPIPE, which does so elsewhere. */
function endWithReader(process: Process): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit(EXIT.brokenPipe)
    })
}

type Found = {
  readonly path: readonly string[]
  readonly rest: readonly string[]
  readonly entry: Pick<Entry, 'load'> | CommandGroup
}
type CommandGroup = { readonly text: string; readonly commands: Commands }

/** Resolves the command names at the start of a command line. */
function find(
  program: { readonly description: string; readonly commands: Commands },
  argv: readonly string[],
): Found {
  let group: CommandGroup = { text: program.description, commands: program.commands }
  for (const [index, word] of argv.entries()) {
    const next: Entry | Group | undefined = Object.hasOwn(group.commands, word)
      ? group.commands[word]
      : undefined
    if (next === undefined) return { path: argv.slice(0, index), rest: argv.slice(index), entry: group }
    if ('load' in next) return { path: argv.slice(0, index + 1), rest: argv.slice(index + 1), entry: next }
    group = { text: next.summary, commands: next.commands }
  }
  return { path: argv, rest: [], entry: group }
}

function listCommands(
  called: string,
  group: CommandGroup,
  version: string,
  rest: readonly string[],
  terminal: Terminal,
): number {
  // Options after an unknown command are not parsed, so that the error concerns the command and not the
  // options.
  const isCommand = rest[0]?.startsWith('-') === false
  const { flags, operands } = Arguments.parse(isCommand ? rest.slice(0, 1) : rest, {})
  const [unknown] = operands
  if (unknown !== undefined) {
    const likely = Suggestion.nearest(unknown, Object.keys(group.commands))
    throw new OptionsError(
      `unknown command ${JSON.stringify(unknown)}${likely === undefined ? '' : `; did you mean ${likely}?`}`,
    )
  }
  if (flags.has('version')) terminal.print(version)
  else if (flags.has('help')) terminal.print(Help.formatCommands(called, group.text, group.commands))
  else throw new OptionsError(`expected a command: ${Object.keys(group.commands).join(', ')}`)
  return EXIT.ok
}

/** Result of parsing a command line. */
export type Parsed<O extends Options> =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly values: Values<O>; readonly operands: readonly string[] }

/**
 * Parses the command line of one command. Combines it with environment, configuration file and defaults.
 * @throws OptionsError
 * @example
 * ```ts
 * import { option, Program, Type } from '@firn/options'
 *
 * const options = { port: option(Type.port, { default: 8080, help: 'Port to listen on.' }) }
 * const sources = { environment: {}, readFile: () => '' }
 * const parsed = Program.parse({ options }, { argv: ['--port', '9000'], ...sources })
 * if (parsed.kind === 'run') console.log(parsed.values.port) // 9000
 * ```
 */
export function parse<O extends Options>(
  command: Pick<Command<O>, 'options' | 'operands' | 'isService' | 'otherPrefix' | 'otherKeys' | 'check'>,
  { argv, ...sources }: Omit<Run, 'terminal'>,
): Parsed<O> {
  const { flags, operands } = Arguments.parse(argv, Layers.withFile(command))
  if (flags.has('help')) return { kind: 'help' }
  if (flags.has('version')) return { kind: 'version' }
  checkOperands(operands, command.operands ?? [])
  const values = Layers.resolve(command, { flags }, sources)
  try {
    command.check?.(values)
  } catch (cause) {
    throw new OptionsError((cause as Error).message, { cause })
  }
  return { kind: 'run', values, operands }
}

async function runCommand(
  called: string,
  command: Command,
  version: string,
  { terminal, ...line }: Run,
): Promise<number> {
  const parsed = parse(command, { note: terminal.note, ...line })
  if (parsed.kind === 'help') terminal.print(Help.format(called, command))
  if (parsed.kind === 'version') terminal.print(version)
  if (parsed.kind !== 'run') return EXIT.ok
  const logLevel = LEVELS.find((level) => level === parsed.values['logLevel'])
  const own = logLevel === undefined ? terminal : { ...terminal, logLevel }
  return (await command.run(parsed.values, { operands: parsed.operands, terminal: own })) ?? EXIT.ok
}

function checkOperands(given: readonly string[], expected: readonly Operand[]): void {
  const missing = expected.find(({ isOptional }, index) => given[index] === undefined && isOptional !== true)
  if (missing !== undefined) throw new OptionsError(`<${missing.name}> is missing`)
  const extra = given[expected.length]
  if (extra === undefined || expected.at(-1)?.isRepeated === true) return
  throw new OptionsError(`unexpected argument ${JSON.stringify(extra)}`)
}

/** Returns whether an error comes from the operating system, such as a port in use or an unreadable file. */
const isSystemError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error

/**
 * Reports an error and returns the exit status. A code that ends with `_USAGE` means a usage error in every
 * package.
 */
function report(name: string, called: string, error: unknown, terminal: Terminal): number {
  if (isFirnError(error) && error.code.endsWith('_USAGE')) {
    terminal.note(
      `${called}: ${error.message.replace(/\.$/, '')}${error.message.endsWith('?') ? '' : '.'} See ${called} --help.`,
    )
    return EXIT.usage
  }
  if (terminal.signal.aborted) return EXIT.interrupted
  if (!isFirnError(error) && !isSystemError(error)) throw error
  terminal.note(`${name}: ${error.message}`)
  return EXIT.failure
}
