import { parseArgs } from 'node:util'

/** Parsed arguments of the command line. */
export interface Arguments {
  /** Folders such as `packages/codec`. */
  readonly packages: readonly string[]
  /** Substring of the paths of the files to mutate; undefined to mutate all files. */
  readonly file: string | undefined
  /** Maximum number of mutants per package. */
  readonly max: number
  /** Seed that selects mutants if there are more than `max`. */
  readonly seed: number
}

/** Text of `--help`. */
export const HELP = `Changes the sources of a package, one expression at a time, and prints each change after which no test fails.

  npm run mutants -- --package codec [--file Cb58] [--max 50] [--seed 1]

  --package NAME  a package or service; may be given several times
  --file TEXT     only files whose path contains TEXT
  --max N         maximum number of mutants per package (default 50)
  --seed N        selects the mutants if there are more than --max (default 1)

The files on disk are not changed. Code that runs in a separate process or thread is not mutated, so its mutants survive.`

const OPTIONS = {
  package: { type: 'string', multiple: true },
  file: { type: 'string' },
  max: { type: 'string', default: '50' },
  seed: { type: 'string', default: '1' },
  help: { type: 'boolean' },
} as const

/**
 * Parses a command line. Returns the arguments, or a text to print instead.
 * @param find returns the folder of a package by its name, or undefined
 * @throws RangeError for an invalid argument, TypeError for an unknown argument
 */
export function parse(
  argv: readonly string[],
  find: (name: string) => string | undefined,
): Arguments | string {
  const { values } = parseArgs({ args: [...argv], options: OPTIONS })
  if (values.help) return HELP
  if (values.package === undefined) throw new RangeError('--package is missing; pass --help to see the usage')
  const packages = values.package.map((name) => {
    const folder = find(name)
    if (folder === undefined)
      throw new RangeError(`no package ${JSON.stringify(name)}: pass the folder name of a package or service`)
    return folder
  })
  return { packages, file: values.file, max: whole('max', values.max), seed: whole('seed', values.seed) }
}

function whole(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new RangeError(`--${name}: expected a whole number, got ${JSON.stringify(text)}`)
}
