import { BoundPort } from '@firn/http'
import {
  Clock,
  createIndexer,
  createMonitor,
  createSource,
  type Indexer,
  type IndexerStatus,
} from '@firn/indexer'
import { CliError } from '../CliError.ts'
import * as Meter from '../Meter.ts'
import type { Terminal } from '../Terminal.ts'
import * as Database from './Database.ts'
import type * as IndexingOptions from './IndexingOptions.ts'

/** What `firn index` may be told. */
export type Options = Database.Options &
  IndexingOptions.Options & {
    readonly from?: string
    readonly once?: boolean
    readonly metricsPort?: BoundPort.Port
    readonly metricsHost: string
  }

/** Heights and tips, the rate, and the time left, in one line. */
export const line = ({ chains, blocksPerSecond, secondsLeft, phase }: IndexerStatus): string => {
  const told = Object.entries(chains ?? {}).map(
    ([chain, { height, tip }]) => `${chain} ${height}${tip === undefined || tip === height ? '' : `/${tip}`}`,
  )
  const rate = `${Math.round(blocksPerSecond).toLocaleString('en')} blocks/s`
  if (phase !== 'behind') return [...told, phase === 'tip' ? 'at the tip' : phase].join(', ')
  return [...told, rate, ...(secondsLeft === undefined ? [] : [`${Meter.duration(secondsLeft)} left`])].join(
    ', ',
  )
}

/** How far, from 0 to 1. */
const part = ({ chains }: IndexerStatus): number => {
  const all = Object.values(chains ?? {})
  const sum = (of: (it: (typeof all)[number]) => bigint) => all.reduce((total, it) => total + of(it), 0n)
  const tip = sum((it) => it.tip ?? it.height)
  return tip === 0n ? 0 : Number((sum((it) => it.height) * 10_000n) / tip) / 10_000
}

/** What a meter shows of a status. */
export const reading = (status: IndexerStatus): Meter.Reading => ({ part: part(status), text: line(status) })

const follow = async (indexer: Indexer, terminal: Terminal): Promise<void> => {
  const meter = Meter.start(terminal, 'indexing', () => reading(indexer.status()))
  try {
    await indexer.run(terminal.signal)
    meter.stop(line({ ...indexer.status(), phase: 'stopped' }))
  } catch (error) {
    meter.fail(error instanceof Error ? error.message : String(error))
    throw error
  }
}

/** Indexes until the tip with `once` or from an archive, else until a signal comes. */
export const index = async (options: Options, terminal: Terminal): Promise<void> => {
  const { metricsPort, metricsHost: host } = options
  if (metricsPort === undefined) return run(options, terminal)
  const flags = { host, flag: '--metrics-port', hostFlag: '--metrics-host' }
  return BoundPort.use(metricsPort, flags, (port) => run({ ...options, metricsPort: port }, terminal))
}

const run = async (options: Options, terminal: Terminal): Promise<void> => {
  const { from, once = false, metricsPort, metricsHost: host, batchBlocks, pollInterval: pollMs } = options
  const source = createSource({ from, upstreams: Database.nodes(options), clock: Clock.SYSTEM })
  const { store, rules } = await Database.open(options, from, terminal)
  try {
    const log = Database.logger(terminal)
    const checkSignatures = options.checkSignatures && !source.isFixed
    const indexer = createIndexer({
      store,
      source,
      ...rules,
      once,
      batchBlocks,
      pollMs,
      checkSignatures,
      log,
    })
    const monitor =
      metricsPort === undefined ? undefined : await createMonitor(indexer, { port: metricsPort, host })
    if (monitor !== undefined) terminal.note(`metrics and health on ${monitor.url}`)
    try {
      await follow(indexer, terminal)
      terminal.print(line({ ...indexer.status(), phase: 'stopped' }))
      if (terminal.signal.aborted && (once || source.isFixed))
        throw new CliError('CLI_INTERRUPTED', 'stopped before the end; run it again to go on')
    } finally {
      await monitor?.close()
    }
  } finally {
    await source.close()
    await store.close()
  }
}
