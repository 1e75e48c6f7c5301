import { isFirnError } from '@firn/codec'
import type { Logger } from '@firn/runtime'
import type { WebhookSources } from '@firn/store'
import { EvmBlockContents, EvmChanges, type EvmSchema } from '@firn/store/evm'
import type { EvmChainSource } from '../../evm/EvmContext.ts'
import type { Feed, Progress } from '../Evaluator.ts'
import { lowestOf } from '../Filters.ts'
import type { EvmWebhooks, Registry } from '../Registry.ts'
import * as Source from '../Source.ts'
import { matchedEvents } from './matchedEvents.ts'

/** Number of changes that are read at once. */
const BATCH = 100

/** Returns the changes of an EVM chain: blocks that were added, and blocks that a reorg removed. */
export function evmFeed(
  chain: EvmChainSource,
  registry: Registry,
  logger: Logger,
): Feed<EvmSchema.ChangeRow> {
  const source = Source.ofEvm(chain.chain.chainId)
  return {
    source,
    lowest: () => {
      const { executed, settled } = registry.ofEvm(source)
      return lowestOf(executed, settled)
    },
    tip: async () => (await chain.store.snapshot()).sequence,
    changesAfter: async (progress) => {
      try {
        return await EvmChanges.after(chain.store, progress.sequence, BATCH)
      } catch (error) {
        if (!isFirnError(error) || error.code !== 'STORE_PRUNED') throw error
        const oldest = error.details['oldest'] as bigint
        logger.warn(
          { source, after: String(progress.sequence), oldest: String(oldest) },
          'changes were removed before webhooks were told',
        )
        progress.sequence = oldest
        return []
      }
    },
    compare: (change, progress) => compare(chain, change, registry.ofEvm(source), progress),
    onAdvance: (listener) => chain.store.onAdvance(listener),
  }
}

async function compare(
  chain: EvmChainSource,
  change: EvmSchema.ChangeRow,
  webhooks: EvmWebhooks,
  progress: Progress,
): Promise<WebhookSources.SourceStep | undefined> {
  const { sequence, height } = change
  if (change.undone) {
    if (progress.settled !== undefined && progress.settled >= height) progress.settled = height - 1n
    return { sequence, removedBlock: change.hash }
  }
  const events: WebhookSources.MatchedEvent[] = []
  if (webhooks.executed.size > 0) {
    const block = await EvmBlockContents.atHeight(chain.store, height)
    // If a reorg has replaced the block meanwhile, the change that removes it follows, and nobody needs to know of it.
    if (block !== undefined && Buffer.compare(block.hash, change.hash) === 0)
      events.push(...(await matchedEvents(chain, block, webhooks.executed, sequence)))
  }
  if (webhooks.settled.size > 0) events.push(...(await settledEvents(chain, change, webhooks, progress)))
  // Blocks that settle with this change share its place with its own events.
  return events.length === 0
    ? undefined
    : { sequence, events: events.map((event, position) => ({ ...event, position })) }
}

/** Returns the events of the blocks that a new block declares settled. */
async function settledEvents(
  chain: EvmChainSource,
  { height, hash, sequence }: EvmSchema.ChangeRow,
  { settled }: EvmWebhooks,
  progress: Progress,
): Promise<readonly WebhookSources.MatchedEvent[]> {
  const header = await EvmBlockContents.headerAt(chain.store, height)
  if (header === undefined || Buffer.compare(header.hash, hash) !== 0) return []
  // A header without a settled height contains the results of its own block.
  const until = header.settledHeight ?? height
  progress.settled ??= until < height ? until : height - 1n
  const events: WebhookSources.MatchedEvent[] = []
  for (let next = progress.settled + 1n; next <= until; next++) {
    const block = await EvmBlockContents.atHeight(chain.store, next)
    if (block === undefined) break
    events.push(...(await matchedEvents(chain, block, settled, sequence)))
    progress.settled = next
  }
  return events
}
