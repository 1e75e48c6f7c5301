import { parseArgs } from 'node:util'
import { FuzzError } from './FuzzError.ts'
import type { Failure, Outcome } from './Runner.ts'
import type { Target } from './Target.ts'

/** The parsed command line. */
export type Arguments = {
  readonly seconds: number
  readonly seed: number
  readonly targets: readonly Target[]
  readonly onlyCase?: number
}

export const HELP = `Throws mutated bytes at every decoder and at the peer stack.

  npm run fuzz -- [--seconds 60] [--seed N] [--target name] [--case K] [--list]

  --seconds N    time for all targets together (default 60)
  --seed N       inputs are a function of seed, target and case (default: the clock)
  --target name  only this target; may be given several times
  --case K       only this case, to see a failure again
  --list         names of the targets`

const count = (text: string | undefined, name: string, fallback: number): number => {
  if (text === undefined) return fallback
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw new FuzzError('FUZZ_USAGE', `--${name} must be a whole number, got ${JSON.stringify(text)}`)
}

const choose = (names: readonly string[] | undefined, all: readonly Target[]): readonly Target[] => {
  const unknown = names?.find((name) => !all.some((target) => target.name === name))
  if (unknown === undefined) return names ? all.filter(({ name }) => names.includes(name)) : all
  throw new FuzzError('FUZZ_USAGE', `unknown target ${JSON.stringify(unknown)}; --list names them`)
}

const OPTIONS = {
  seconds: { type: 'string' },
  seed: { type: 'string' },
  target: { type: 'string', multiple: true },
  case: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const readOptions = (argv: readonly string[]) => {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS }).values
  } catch (cause) {
    throw new FuzzError('FUZZ_USAGE', cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/**
 * Returns the arguments of a command line, or the text that it requests (`--help`, `--list`).
 * @throws FuzzError `FUZZ_USAGE`
 */
export const parse = (argv: readonly string[], all: readonly Target[], now: number): Arguments | string => {
  const values = readOptions(argv)
  if (values.help) return HELP
  if (values.list) return all.map(({ name }) => name).join('\n')
  const targets = choose(values.target, all)
  const seconds = count(values.seconds, 'seconds', 60)
  const seed = count(values.seed, 'seed', now % 1_000_000_000)
  if (values.case === undefined) return { seconds, seed, targets }
  return { seconds, seed, targets, onlyCase: count(values.case, 'case', 0) }
}

const replay = (target: string, { seed, index }: Failure): string =>
  `npm run fuzz -- --seed ${seed} --target ${JSON.stringify(target)} --case ${index}`

/** Returns the lines that report the outcome of one target. */
export const format = ({ target, cases, grownBytes, failure }: Outcome): string => {
  const counted = `${target.padEnd(28)} ${String(cases).padStart(9)} cases, memory +${(grownBytes / (1 << 20)).toFixed(1)} MiB`
  if (!failure) return `ok    ${counted}`
  const problem = failure.problem.split('\n').slice(0, 8).join('\n        ')
  return `FAIL  ${counted}\n      ${failure.kind} in case ${failure.index}: ${problem}\n      again: ${replay(target, failure)}`
}
