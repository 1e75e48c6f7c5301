import { EvmRetention, type EvmWriter, type PruneOptions } from '@firn/evm-store'
import { MAX_BEHIND } from './background/BalanceChecker.ts'
import { readContinuously, readDue } from './background/ContractRereader.ts'
import { decodeNext, followEvents } from './background/EventFollower.ts'
import { buildIndexesWhenDue } from './background/IndexBuilder.ts'
import { pruneContinuously } from './background/Pruner.ts'
import { fillContinuously } from './background/TraceFiller.ts'
import { type Chain, setGaps } from './Chain.ts'

/** A chain whose blocks are being written. */
export interface Background {
  readonly chain: Chain
  readonly writer: EvmWriter
  /** Names of the tables of events. */
  readonly tables: readonly string[]
  /** Whether blocks are stored with traces. */
  readonly hasTraces: boolean
}

/** Number of newest blocks that are never pruned, because balances that changed in them may not be checked yet. */
const MIN_KEPT_BLOCKS = MAX_BEHIND

/** Does once what {@link runBackground} does continuously, except filling in traces. @throws IndexerError; StoreError */
export async function catchUp(background: Background, signal: AbortSignal): Promise<void> {
  const { chain, writer, tables } = background
  const { store } = chain.options
  const rereading = { store, writer, contracts: chain.contracts }
  const retention = retentionOf(background)
  await writer.buildIndexes(signal)
  while (!signal.aborted && (await decodeNext(store, tables)));
  if (checksBalances(chain)) await chain.checker.catchUp(writer, signal)
  while (!signal.aborted && (await readDue(rereading, signal)));
  while (!signal.aborted && (await writer.refreshDigests()));
  while (!signal.aborted && (await writer.prune(retention)));
}

/**
 * Works on stored blocks until the signal is aborted: builds indexes, then checks balances, decodes events and reads
 * contracts again; besides, removes old data and fills in missing traces.
 */
export async function runBackground(background: Background, signal: AbortSignal): Promise<void> {
  const { chain, writer, hasTraces } = background
  const { options, settings, upstreams, contracts } = chain
  const { log, timing, traceTimeoutMs } = settings
  const onPruned = () => measureSizes(chain)
  const pruning = {
    writer,
    ...retentionOf(background),
    onPruned,
    log,
    ...timing,
    report: report(chain, 'pruning'),
  }
  const onGaps = (gaps: Parameters<typeof setGaps>[1]) => setGaps(chain, gaps)
  const filling = {
    store: options.store,
    writer,
    contracts,
    upstreams,
    traceTimeoutMs,
    onGaps,
    log,
    ...timing,
  }
  await Promise.all([
    pruneContinuously(pruning, signal),
    hasTraces ? fillContinuously(filling, signal) : undefined,
    buildThenRead(background, signal),
  ])
}

/** Builds the missing indexes. Then reads the stored blocks, which needs the indexes. */
async function buildThenRead({ chain, writer, tables }: Background, signal: AbortSignal): Promise<void> {
  const { chainId, options, settings, head, contracts, checker, standing } = chain
  const { store } = options
  const loop = { log: settings.log, ...settings.timing }
  const isDue = () => options.buildsIndexesLater !== true || isNear(chain, writer)
  const building = { chainId, writer, isDue, onBuilt: standing.measure, report: report(chain, 'indexes') }
  await buildIndexesWhenDue({ ...building, ...loop }, signal)
  standing.measure()
  await Promise.all([
    checksBalances(chain) ? checker.run(writer, signal) : undefined,
    followEvents({ store, tables, ...loop, report: report(chain, 'events') }, signal),
    readContinuously({ store, writer, contracts, head: () => head.best()?.height, ...loop }, signal),
  ])
}

function checksBalances({ options }: Chain): boolean {
  return !options.isEventsOnly && (options.checksBalances ?? true)
}

function retentionOf({ chain, tables }: Background): PruneOptions {
  return { keep: chain.options.keep ?? {}, depth: keptBlocks(chain), eventTables: tables }
}

/** Returns the number of newest blocks that are never pruned. */
function keptBlocks({ settings }: Chain): bigint {
  return BigInt(settings.maxReorgDepth) + MIN_KEPT_BLOCKS
}

/** Returns whether the stored blocks are near the head. */
function isNear(chain: Chain, { cursor }: EvmWriter): boolean {
  const best = chain.head.best()?.height
  return best !== undefined && cursor !== undefined && best - cursor.height <= keptBlocks(chain)
}

async function measureSizes({ options, labels, metrics }: Chain): Promise<void> {
  for (const { kind, bytes } of await EvmRetention.sizes(options.store))
    metrics.diskBytes.set({ ...labels, kind }, Number(bytes))
}

function report({ standing: { problems } }: Chain, name: string) {
  return (problem: string | undefined) =>
    problem === undefined ? problems.clear(name) : problems.set(name, problem)
}
