import type { Declared } from './Layers.ts'
import type { Options, Values } from './Option.ts'
import type { Terminal } from './Terminal.ts'

/** An argument that is not an option. */
export interface Operand {
  /** What stands for it in help, such as `transaction`. */
  readonly name: string
  readonly help: string
  readonly isOptional?: boolean
  /** Any number of them; only the last operand may be. */
  readonly isRepeated?: boolean
}

/** What a command gets beside its options. */
export interface Context {
  readonly operands: readonly string[]
  readonly terminal: Terminal
}

/** A command: what it takes and what it does. */
export interface Command<O extends Options = Options> extends Declared<O> {
  /** What it does, for its help: one or more sentences. */
  readonly description: string
  /** One command line, without the name of the program: `--upstream http://127.0.0.1:9650`. */
  readonly example: string
  readonly operands?: readonly Operand[]
  /** Rejects values that do not go together; what it throws is a usage error. */
  check?(values: Values<O>): void
  /** Does the work; resolves to the exit status if that is not 0. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return nothing
  run(values: Values<O>, context: Context): Promise<number | void>
}

/** A command by its name: its summary for the list of commands, and how it is loaded once it is called. */
export interface Entry {
  readonly summary: string
  readonly load: () => Promise<Command> | Command
}

/** Commands under one name, such as `firn tx`. */
export interface Group {
  readonly summary: string
  readonly commands: Commands
}

/** Commands by their names. */
export type Commands = Readonly<Record<string, Entry | Group>>

/** Returns a command of options as a command of any options. */
export function create<const O extends Options>(command: Command<O>): Command {
  return command as unknown as Command
}
