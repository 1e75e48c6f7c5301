// Runs one bench file in a separate process, so that its heap and compiled code do not affect other bench
// files.
import { pathToFileURL } from 'node:url'
import type { Benchmarks } from './Contest.ts'
import * as Contest from './Contest.ts'
import * as RoundTrip from './RoundTrip.ts'
import * as Table from './Table.ts'

/**
 * Exports of a bench file. It exports one of: benchmarks, inputs with engines, or a function that runs a
 * larger measurement and prints a report.
 */
interface BenchFile {
  readonly benchmarks?: Benchmarks
  readonly roundTrips?: Readonly<Record<string, RoundTrip.RoundTrip>>
  readonly report?: (print: (text: string) => void) => Promise<void>
}

async function run(path: string): Promise<number> {
  const file = (await import(pathToFileURL(path).href)) as BenchFile
  const { benchmarks = {}, roundTrips = {}, report } = file
  const contests = Object.entries(roundTrips).map(([title, trip]) => RoundTrip.contests(title, trip))
  const all: Benchmarks = Object.assign({}, benchmarks, ...contests)
  if (report === undefined && Object.keys(all).length === 0) {
    console.error(`${path} must export benchmarks, round trips or a report function`)
    return 1
  }
  for (const [title, contenders] of Object.entries(all)) {
    const rows = (await Contest.run(contenders)).map(({ name, wall, cpu, ratio }) => [
      name,
      Table.formatTime(wall),
      Table.formatTime(cpu),
      `${ratio.toFixed(2)}×`,
    ])
    console.log(`\n${title}\n${Table.format(['', 'wall', 'cpu', 'cpu ratio'], rows)}`)
  }
  await report?.((text) => console.log(`\n${text}`))
  return 0
}

void run(process.argv[2] ?? '').then((code) => {
  process.exitCode = code
})
