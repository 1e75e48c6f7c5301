import { EventTables, type EvmChain, EvmTraceGaps, EvmWriter } from '@firn/evm-store'
import { withAttributes } from '@firn/runtime'
import type { Lease } from '@firn/sql'
import { type Chain, setGaps } from './Chain.ts'
import { catchUp, runBackground } from './chainBackground.ts'
import { follow } from './EvmFollower.ts'
import type { FollowOptions } from './Following.ts'
import { settleChain } from './settleChain.ts'
import { withBackground } from './withBackground.ts'

/**
 * Indexes a chain until the signal is aborted or, with `once`, its head is reached.
 * @throws IndexerError; StoreError
 */
export async function indexChain(chain: Chain, lease: Lease, signal: AbortSignal): Promise<void> {
  const { options, settings, upstreams, standing } = chain
  if (chain.halted === undefined) standing.activity = 'starting'
  const settled = await settleChain(options, upstreams, standing.problems, settings.timing, signal)
  const writer = await openWriter(chain, settled, lease)
  const { firstHeight } = (await options.store.chain()) as EvmChain
  start(chain, writer)
  const tables = options.events === undefined ? [] : await EventTables.create(options.store, options.events)
  const following = (until: AbortSignal) => follow(followOptions(chain, writer, firstHeight), until)
  const background = { chain, writer, tables, hasTraces: settled.hasTraces }
  if (!settings.once)
    return withBackground(following, (aborted) => runBackground(background, aborted), signal)
  await following(signal)
  await catchUp(background, signal)
}

/** Opens the writer of a chain at the last stored block. The chain is served again. */
async function openWriter(chain: Chain, settled: EvmChain, lease: Lease): Promise<EvmWriter> {
  const { options, standing, selection } = chain
  const { store, withLogs: logs, buildsIndexesLater: defersIndexes } = options
  const writer = await EvmWriter.open(store, settled, { lease, logs, selection, defersIndexes })
  standing.missingIndexes = () => writer.missingIndexes
  standing.hasTraces = settled.hasTraces
  setGaps(chain, await EvmTraceGaps.summary(store))
  await writer.resume()
  standing.problems.clear('store')
  standing.problems.clear('chain')
  chain.halted = undefined
  return writer
}

function start({ chainId, labels, settings, standing }: Chain, { cursor }: EvmWriter): void {
  standing.activity = 'following'
  standing.cursor = cursor
  settings.log.info({ ...labels, height: `${cursor?.height ?? 'none'}` }, `following chain ${chainId}`)
  standing.measure()
}

function followOptions(chain: Chain, writer: EvmWriter, firstHeight: bigint): FollowOptions {
  const { settings, options, chainId, labels, metrics, standing, upstreams, head, contracts } = chain
  const { timing, log, once, maxReorgDepth, batchBlocks, windowBytes, concurrency, tracer } = settings
  return {
    ...{ upstreams, head, contracts, sink: writer, firstHeight, problems: standing.problems, log, ...timing },
    ...{ once, maxReorgDepth, batchBlocks, windowBytes, groups: concurrency },
    allowsFuture: options.chain.network === 'local',
    traceRetryMs: settings.traceTimeoutMs,
    tracer: tracer && withAttributes(tracer, { 'evm.chain_id': String(chainId) }),
    onCommit(blocks, at) {
      standing.cursor = writer.cursor
      standing.problems.clear('failed')
      metrics.commits.inc(labels)
      metrics.blocks.inc(labels, blocks.length)
      if (at !== undefined) metrics.latency.observe(labels, (timing.clock.now() - at.at) / 1000)
      standing.pace.count(blocks.length)
      standing.measure()
    },
    onUndo(_height, blocks) {
      standing.cursor = writer.cursor
      metrics.reorganisations.inc(labels)
      metrics.undone.inc(labels, blocks)
      standing.measure()
    },
  }
}
