import { PackageVersion } from '@firn/http'
import { Command as Commands, Program, type Values } from '@firn/options'
import * as Command from './Command.ts'
import * as Runner from './Runner.ts'
import { targets } from './registry.ts'

const registry = new URL('./registry.ts', import.meta.url).href

const fuzz = async (
  values: Values<typeof Command.OPTIONS>,
  print: (line: string) => void,
): Promise<number> => {
  const { duration, seed = Date.now() % 1_000_000_000, case: onlyCase } = values
  const chosen = Command.choose(values, targets)
  const extent = onlyCase === undefined ? `${duration / 1_000} s` : `case ${onlyCase}`
  print(`seed ${seed}, ${chosen.length} targets, ${extent}`)
  const outcomes = await Runner.run({
    registry,
    targets: chosen,
    seed,
    durationMs: duration,
    ...(onlyCase === undefined ? {} : { onlyCase }),
    onTarget: (outcome) => print(Command.format(outcome)),
  })
  const cases = outcomes.reduce((sum, outcome) => sum + outcome.cases, 0)
  const failed = outcomes.filter(({ failure }) => failure).length
  print(`${cases} cases on ${outcomes.length} targets, ${failed} failed`)
  return failed > 0 || cases === 0 ? 1 : 0
}

const COMMAND = Commands.create({
  description: 'Runs mutated bytes on every decoder and on the peer stack.',
  example: '--duration 10s',
  options: Command.OPTIONS,
  check: (values) => void Command.choose(values, targets),
  run: async (values, { terminal }) => {
    if (!values.list) return fuzz(values, terminal.print)
    for (const { name } of targets) terminal.print(name)
    return 0
  },
})

await Program.main(
  { name: 'fuzz', version: PackageVersion.read(import.meta.url), load: () => COMMAND },
  process,
)
