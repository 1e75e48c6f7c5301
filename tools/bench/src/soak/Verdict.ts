import * as Quantiles from '../Quantiles.ts'
import * as Table from '../Table.ts'
import type { Injected } from './Faults.ts'
import type * as Load from './Load.ts'
import * as Samples from './Samples.ts'

/** Everything that a soak has recorded. Times are in milliseconds of `performance.now()`. */
export interface Record {
  readonly begin: number
  readonly end: number
  readonly injected: readonly Injected[]
  readonly tallies: ReadonlyMap<Load.Target, Tally>
  /** Samples of each process that ran from the beginning to the end. */
  readonly samples: ReadonlyMap<string, readonly Samples.Sample[]>
  /** Size of the database and of the files of all services in MiB, with the time. */
  readonly disk: readonly { readonly at: number; readonly database: number; readonly files: number }[]
  /** Faults of the services themselves, such as the unexpected end of a process. */
  readonly failures: readonly string[]
}

/** Counts and times of the requests to one target. */
export interface Tally {
  /** Milliseconds of the successful requests outside of faults and during faults. */
  readonly calm: number[]
  readonly faulty: number[]
  /** Number of failed requests by code that a fault explains, and descriptions of all others. */
  readonly explained: Map<string, number>
  readonly unexplained: Map<string, number>
}

/** Part of the time that is not used to measure growth, and its maximum. */
const WARM_UP = 0.25
const MAX_WARM_UP_MS = 15 * 60_000
/** Shortest time after the warm-up from which growth is judged. */
const SHORTEST_MS = 20 * 60_000

/** Returns the tables of a soak, and what is wrong. */
export function judge(record: Record): { readonly text: string; readonly problems: readonly string[] } {
  const { begin, end } = record
  const warm = begin + Math.min(MAX_WARM_UP_MS, (end - begin) * WARM_UP)
  const problems = [...record.failures]
  for (const [target, { unexplained }] of record.tallies)
    for (const [words, count] of unexplained) problems.push(`${count} × ${target}: ${words}`)
  const isLong = end - warm >= SHORTEST_MS
  const rows = [...record.samples].map(([name, all]) => {
    const samples = all.filter(({ at }) => at >= warm)
    const cells = Samples.ALL.flatMap((gauge) => {
      const numbers = samples.map(({ values }) => values[gauge])
      const grown = Samples.growth(samples, gauge)
      const limit = Samples.GAUGES[gauge].growth
      if (isLong && limit !== undefined && !(grown <= limit))
        problems.push(`${gauge} of ${name} grows by ${grown.toFixed(1)} per hour, more than ${limit}`)
      const level = format(Quantiles.at(numbers, 0.5))
      return limit === undefined
        ? [level, format(Math.max(...numbers))]
        : [level, isLong ? `${grown >= 0 ? '+' : ''}${grown.toFixed(1)}` : '-']
    })
    return [name, ...cells]
  })
  const head = [
    'process',
    ...Samples.ALL.flatMap((gauge) => [gauge, Samples.GAUGES[gauge].growth === undefined ? 'max' : 'per h']),
  ]
  const minutes = ((end - begin) / 60_000).toFixed(1)
  const parts = [
    `${minutes} minutes, growth measured over the last ${((end - warm) / 60_000).toFixed(1)}`,
    faults(record.injected),
    requests(record.tallies),
    Table.format(head, rows),
    disk(record.disk),
  ]
  return { text: parts.join('\n\n'), problems }
}

const format = (value: number): string => value.toFixed(value < 10 ? 1 : 0)

function faults(injected: readonly Injected[]): string {
  const counts = Map.groupBy(injected, ({ fault }) => fault.name)
  const rows = [...counts].map(([name, all]) => {
    const longest = Math.max(...all.map(({ from, until }) => until - from))
    return [name, String(all.length), Table.formatTime(longest)]
  })
  return Table.format(['fault', 'times', 'longest'], rows)
}

function requests(tallies: Record['tallies']): string {
  const rows = [...tallies].map(([target, { calm, faulty, explained, unexplained }]) => {
    const time = (numbers: readonly number[], q: number) =>
      numbers.length === 0 ? '-' : Table.formatTime(Quantiles.at(numbers, q))
    const times = [time(calm, 0.5), time(calm, 0.99), time(faulty, 0.5), time(faulty, 0.99)]
    const codes = [...explained].map(([code, count]) => `${count} × ${code}`).join(', ')
    return [target, String(calm.length + faulty.length), ...times, codes || '0', String(sum(unexplained))]
  })
  const head = [
    'requests',
    'answered',
    'p50',
    'p99',
    'p50 in faults',
    'p99 in faults',
    'failed by a fault',
    'failed',
  ]
  return Table.format(head, rows)
}

function disk(samples: Record['disk']): string {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) return 'disk was not measured'
  const part = (name: 'database' | 'files') => `${first[name].toFixed(1)} to ${last[name].toFixed(1)} MiB`
  return `disk: database ${part('database')}, files of the services ${part('files')}`
}

const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((total, count) => total + count, 0)
