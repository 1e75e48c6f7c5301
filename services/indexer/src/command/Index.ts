import type { Ports } from '@firn/http'
import { Command, Common, group, OptionsError, option, type Terminal, Type, type Values } from '@firn/options'
import * as Meter from '@firn/options/meter'
import { systemClock } from '@firn/runtime'
import { Diagnostics } from '@firn/tracing'
import { IndexerError } from '../common/IndexerError.ts'
import { VERSION } from '../common/Version.ts'
import { ofNetwork } from '../monitor/Monitor.ts'
import { createIndexer, type Indexer } from '../primary/Indexer.ts'
import type { SourceProgress } from '../primary/Source.ts'
import type { IndexerStatus } from '../primary/Status.ts'
import { createSource } from '../primary/setup/Setup.ts'
import * as Database from './Database.ts'
import * as IndexingOptions from './IndexingOptions.ts'
import * as Monitoring from './Monitoring.ts'
import * as Sources from './Sources.ts'

const OPTIONS = {
  ...Common.NETWORK_DATABASE,
  ...Common.NETWORK,
  ...Common.FROM,
  ...Common.upstream('Nodes to follow, in order of preference.'),
  ...Common.BOOTSTRAP,
  ...IndexingOptions.OPTIONS,
  ...group('Indexing', {
    once: option(Type.flag, {
      default: false,
      help: 'End at the tip. With an archive, indexing always ends there.',
    }),
  }),
  ...Monitoring.OPTIONS,
  ...Common.LOG_LEVEL,
  ...Common.DIAGNOSTICS,
}

/** Options of `firn index`. */
export type Options = Ports.MaybeBound<Values<typeof OPTIONS>, 'metricsPort'>

export const COMMAND = Command.create({
  description:
    'Follows a node or the peers of a network, or reads an archive, and indexes it into a database that firn node can serve.',
  example: '--network fuji --once',
  options: OPTIONS,
  isService: true,
  check: (options) => {
    Sources.assertOne(options)
    if (!Sources.hasSource(options)) throw new OptionsError(`nothing to index: pass ${Sources.SOURCES}`)
  },
  run: (options, { terminal }) =>
    Diagnostics.during(options, { name: 'firn-index', version: VERSION }, Database.logger(terminal), () =>
      index(options, terminal),
    ),
})

/** Formats the progress of a source that fetches blocks before they can be indexed. */
const fetching = (progress: SourceProgress): string => {
  const { phase, fetched, total, blocksPerSecond, peers, voters } = progress
  const count = (value: bigint | number) => value.toLocaleString('en')
  if (phase === 'bootstrapping')
    return 2 * voters.connected > voters.count
      ? `asking ${peers} peers for the tip`
      : `connecting to peers: ${voters.connected} of ${voters.count} ${voters.kind}`
  const left =
    blocksPerSecond > 0 ? [`${Meter.duration(Number(total - fetched) / blocksPerSecond)} left`] : []
  const rate = `${count(Math.round(blocksPerSecond))} blocks/s from ${peers} peers`
  return [`fetched ${count(fetched)}/${count(total)}`, rate, ...left].join(', ')
}

/** Formats the progress as one line: heights and tips, rate, and remaining time. */
export const line = (status: IndexerStatus): string => {
  const { chains, vertices, blocksPerSecond, secondsLeft, phase, source } = status
  if (phase === 'starting' && source !== undefined && source.phase !== 'following') return fetching(source)
  const chainTexts = Object.entries(chains ?? {}).map(
    ([chain, { height, tip }]) => `${chain} ${height}${tip === undefined || tip === height ? '' : `/${tip}`}`,
  )
  const rate = `${Math.round(blocksPerSecond).toLocaleString('en')} blocks/s`
  if (phase === 'vertices') {
    const applied = `${(vertices?.applied ?? 0).toLocaleString('en')} vertices of the X-chain`
    const fetched =
      source?.vertices === undefined ? '' : ` of ${source.vertices.toLocaleString('en')} fetched`
    return [...chainTexts, `${applied}${fetched}`, rate].join(', ')
  }
  if (phase !== 'behind') return [...chainTexts, phase === 'tip' ? 'at the tip' : phase].join(', ')
  return [
    ...chainTexts,
    rate,
    ...(secondsLeft === undefined ? [] : [`${Meter.duration(secondsLeft)} left`]),
  ].join(', ')
}

/** Returns the fraction of the blocks that is indexed, from 0 to 1. */
const part = ({ chains, phase, source }: IndexerStatus): number => {
  if (phase === 'starting' && source !== undefined && source.total > 0n)
    return Number((source.fetched * 10_000n) / source.total) / 10_000
  const all = Object.values(chains ?? {})
  const sum = (of: (it: (typeof all)[number]) => bigint) => all.reduce((total, it) => total + of(it), 0n)
  const tip = sum((it) => it.tip ?? it.height)
  return tip === 0n ? 0 : Number((sum((it) => it.height) * 10_000n) / tip) / 10_000
}

/** Converts the indexer's status to the progress to display. */
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

/** Indexes until a signal arrives. With `once` or from an archive, only until the tip. */
export const index = (options: Options, terminal: Terminal): Promise<void> =>
  Monitoring.during(options, (port) => run({ ...options, metricsPort: port }, terminal))

const run = async (options: Options, terminal: Terminal): Promise<void> => {
  const { from, once, batchBlocks, pollInterval: pollMs } = options
  const given = Sources.isFromPeers(options)
    ? undefined
    : createSource({
        from,
        upstreams: Database.nodes(options),
        clock: systemClock,
        log: Database.logger(terminal),
      })
  const opened = await Database.open(options, from, terminal)
  const log = Database.logger(terminal)
  const { store, rules } = opened
  const source = given ?? (await Sources.peers(options, opened, options, log))
  try {
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
    const monitor = await Monitoring.start(ofNetwork(indexer), options, terminal)
    try {
      await follow(indexer, terminal)
      terminal.print(line({ ...indexer.status(), phase: 'stopped' }))
      if (terminal.signal.aborted && (once || source.isFixed))
        throw new IndexerError(
          'INDEXER_INTERRUPTED',
          'stopped before the end; run the command again to resume',
        )
    } finally {
      await monitor?.close()
    }
  } finally {
    await source.close()
    await store.close()
  }
}
