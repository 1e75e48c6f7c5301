import { parseArgs } from 'node:util'

/** The arguments of the command line. */
export interface Arguments {
  /** Folders such as `packages/codec`. */
  readonly packages: readonly string[]
  /** Mutates only files whose path contains this text. */
  readonly file: string | undefined
  /** Maximum number of mutants per package. */
  readonly max: number
  /** Selects the mutants to try if there are more than the maximum. */
  readonly seed: number
}

/** Text of `--help`. */
export const HELP = `Changes the sources of a package, one expression at a time, and prints the changes that no test notices.

  npm run mutants -- --package codec [--file Cb58] [--max 50] [--seed 1]

  --package NAME  a package or service; may be given several times
  --file TEXT     only files whose path contains TEXT
  --max N         most mutants of each package (default 50)
  --seed N        chooses the mutants when there are more than --max (default 1)

Sources are not changed on disk. Code that runs in a process or thread of its own is not mutated there, so its mutants survive.`

const OPTIONS = {
  package: { type: 'string', multiple: true },
  file: { type: 'string' },
  max: { type: 'string', default: '50' },
  seed: { type: 'string', default: '1' },
  help: { type: 'boolean' },
} as const

/**
 * Returns the arguments of a command line, or a text to print instead.
 * @param find returns the folder of a package by its name, or undefined
 * @throws RangeError for an invalid argument, TypeError for an unknown one
 */
export function parse(
  argv: readonly string[],
  find: (name: string) => string | undefined,
): Arguments | string {
  const { values } = parseArgs({ args: [...argv], options: OPTIONS })
  if (values.help) return HELP
  if (values.package === undefined) throw new RangeError('--package is missing; see --help')
  const packages = values.package.map((name) => {
    const folder = find(name)
    if (folder === undefined) throw new RangeError(`no package ${JSON.stringify(name)}; see --help`)
    return folder
  })
  return { packages, file: values.file, max: whole('max', values.max), seed: whole('seed', values.seed) }
}

function whole(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new RangeError(`--${name} must be a whole number, got ${JSON.stringify(text)}; see --help`)
}
