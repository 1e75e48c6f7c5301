import { isFirnError } from '@firn/codec'
import * as Command from './Command.ts'
import * as Runner from './Runner.ts'
import { targets } from './registry.ts'

const registry = new URL('./registry.ts', import.meta.url).href

const fuzz = async ({ seconds, seed, targets: chosen, onlyCase }: Command.Arguments): Promise<void> => {
  console.log(
    `seed ${seed}, ${chosen.length} targets, ${onlyCase === undefined ? `${seconds} s` : `case ${onlyCase}`}`,
  )
  const outcomes = await Runner.run({
    registry,
    targets: chosen,
    seed,
    durationMs: seconds * 1_000,
    ...(onlyCase === undefined ? {} : { onlyCase }),
    onTarget: (outcome) => console.log(Command.format(outcome)),
  })
  const cases = outcomes.reduce((sum, outcome) => sum + outcome.cases, 0)
  const failed = outcomes.filter(({ failure }) => failure).length
  console.log(`${cases} cases over ${outcomes.length} targets, ${failed} failed`)
  process.exitCode = failed > 0 || cases === 0 ? 1 : 0
}

try {
  const args = Command.parse(process.argv.slice(2), targets, Date.now())
  if (typeof args === 'string') console.log(args)
  else await fuzz(args)
} catch (error) {
  if (!isFirnError(error)) throw error
  console.error(`fuzz: ${error.message}`)
  process.exitCode = 2
}
