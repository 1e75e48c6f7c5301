import type { Declared } from './Layers.ts'
import type { Options, Values } from './Option.ts'
import type { Terminal } from './Terminal.ts'

/** A positional argument of a command. */
export interface Operand {
  /** Placeholder of the operand in help texts, such as `transaction`. */
  readonly name: string
  readonly help: string
  readonly isOptional?: boolean
  /** Whether the operand may be given any number of times. Allowed only for the last operand. */
  readonly isRepeated?: boolean
}

/** The input of a command in addition to its option values. */
export interface Context {
  readonly operands: readonly string[]
  readonly terminal: Terminal
}

/** A command: its options, operands and implementation. */
export interface Command<O extends Options = Options> extends Declared<O> {
  /** Description of the command for its help, in one or more sentences. */
  readonly description: string
  /** An example command line without the program name: `--upstream http://127.0.0.1:9650`. */
  readonly example: string
  readonly operands?: readonly Operand[]
  /** Throws if values conflict; the error is reported as a usage error. */
  check?(values: Values<O>): void
  /** Runs the command. Resolves to the exit status, or to nothing if the status is 0. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return nothing
  run(values: Values<O>, context: Context): Promise<number | void>
}

/** An entry in the list of commands: a summary, and a function that loads the command. */
export interface Entry {
  readonly summary: string
  readonly load: () => Promise<Command> | Command
}

/** Commands under a common name, such as `firn tx`. */
export interface Group {
  readonly summary: string
  readonly commands: Commands
}

/** Commands by name. */
export type Commands = Readonly<Record<string, Entry | Group>>

/**
 * Returns the command with its type widened to `Command`, so that commands with different options fit into
 * one list.
 *
 * @example
 * ```ts
 * import { Command, option, Type } from '@firn/options'
 *
 * const wait = Command.create({
 *   description: 'Waits.',
 *   example: '--time 10s',
 *   options: { time: option(Type.duration(), { default: 1_000, help: 'Time to wait.' }) },
 *   run: ({ time }) => new Promise((resolve) => setTimeout(resolve, time)),
 * })
 * ```
 */
export function create<const O extends Options>(command: Command<O>): Command {
  return command as Command
}
