import { option, Type, type Values } from '@firn/options'
import { FuzzError } from './FuzzError.ts'
import type { Failure, Outcome } from './Runner.ts'
import type { Target } from './Target.ts'

const NAMES: Type.Type<readonly string[]> = Type.create({
  placeholder: 'name',
  expected: 'the name of a target',
  parse: (text): readonly string[] => [text],
  combine: (before, next) => [...before, ...next],
})

/** Options of the command line. */
export const OPTIONS = {
  duration: option(Type.duration({ leastMs: 1 }), {
    default: 60_000,
    help: 'Time for all targets together.',
    former: { seconds: Type.duration({ bare: 's' }) },
  }),
  seed: option(Type.integer(0, 9_999_999_999), {
    defaultText: 'the clock',
    help: 'Seed of the inputs, which depend only on seed, target and case.',
  }),
  target: option(NAMES, { help: 'Run only this target. Repeat the flag for more targets.' }),
  case: option(Type.integer(0, 9_999_999_999), { help: 'Run only this case, to reproduce a failure.' }),
  list: option(Type.flag, { default: false, help: 'Print the names of the targets.' }),
}

/**
 * Returns the targets with the given names, or all targets if `names` is empty.
 * @throws FuzzError `FUZZ_USAGE` if a name is unknown
 */
export const choose = (
  { target: names }: Pick<Values<typeof OPTIONS>, 'target'>,
  all: readonly Target[],
): readonly Target[] => {
  const unknown = names?.find((name) => !all.some((target) => target.name === name))
  if (unknown === undefined) return names ? all.filter(({ name }) => names.includes(name)) : all
  throw new FuzzError('FUZZ_USAGE', `unknown target ${JSON.stringify(unknown)}; pass --list to see the names`)
}

const replay = (target: string, { seed, index }: Failure): string =>
  `npm run fuzz -- --seed ${seed} --target ${JSON.stringify(target)} --case ${index}`

/** Returns the lines that report the outcome of one target. */
export const format = ({ target, cases, grownBytes, failure }: Outcome): string => {
  const counted = `${target.padEnd(28)} ${String(cases).padStart(9)} cases, memory +${(grownBytes / (1 << 20)).toFixed(1)} MiB`
  if (!failure) return `ok    ${counted}`
  const problem = failure.problem.split('\n').slice(0, 8).join('\n        ')
  return `FAIL  ${counted}\n      ${failure.kind} in case ${failure.index}: ${problem}\n      reproduce with: ${replay(target, failure)}`
}
