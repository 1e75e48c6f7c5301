// Runs the contests of one bench file: a process each, so that one file's heap and compiled code don't weigh on the next.
import { pathToFileURL } from 'node:url'
import type { Benchmarks } from './Contest.ts'
import * as Contest from './Contest.ts'
import * as Table from './Table.ts'

const [path = ''] = process.argv.slice(2)
const { benchmarks } = (await import(pathToFileURL(path).href)) as { benchmarks?: Benchmarks }
if (benchmarks === undefined || Object.keys(benchmarks).length === 0) {
  console.error(`${path} exports no benchmarks`)
  process.exit(1)
}
for (const [title, contenders] of Object.entries(benchmarks)) {
  const rows = (await Contest.run(contenders)).map(({ name, wall, cpu, ratio }) => [
    name,
    Table.formatTime(wall),
    Table.formatTime(cpu),
    `${ratio.toFixed(2)}×`,
  ])
  console.log(`\n${title}\n${Table.format(['', 'wall', 'cpu', 'cpu ratio'], rows)}`)
}
