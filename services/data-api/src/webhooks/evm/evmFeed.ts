import { Bytes, isFirnError } from '@firn/codec'
import { EvmBlockContents, EvmChanges, type EvmSchema } from '@firn/evm-store'
import type { Logger } from '@firn/runtime'
import type { WebhookSources } from '@firn/service-store'
import type { EvmChainSource } from '../../evm/chain/EvmContext.ts'
import type { Feed, Progress } from '../common/Feed.ts'
import { lowestOf } from '../common/Filters.ts'
import * as Source from '../common/Source.ts'
import type { EvmWebhooks } from './Matcher.ts'
import { lateEvents, matchedEvents } from './matchedEvents.ts'

/** Number of changes that are read at once. */
const BATCH = 100

/** Returns the changes of an EVM chain: added blocks, blocks that a reorg removed, and internal calls that were added later. */
export function evmFeed(
  chain: EvmChainSource,
  webhooks: EvmWebhooks,
  logger: Logger,
): Feed<EvmSchema.ChangeRow> {
  const source = Source.ofEvm(chain.chain.chainId)
  return {
    source,
    lowest: () => lowestOf([webhooks.executed, webhooks.settled]),
    tip: async () => (await chain.store.snapshot()).sequence,
    changesAfter: async (progress) => {
      try {
        return await EvmChanges.after(chain.store, progress.sequence, BATCH)
      } catch (error) {
        if (!isFirnError(error) || error.code !== 'STORE_PRUNED') throw error
        const oldest = error.details['oldest'] as bigint
        logger.warn(
          { source, after: String(progress.sequence), oldest: String(oldest) },
          'changes were removed before their events were sent',
        )
        progress.sequence = oldest
        return []
      }
    },
    compare: (change, progress) => COMPARES[change.kind](chain, change, webhooks, progress),
    onAdvance: (listener) => chain.store.onAdvance(listener),
  }
}

type Compare = (
  chain: EvmChainSource,
  change: EvmSchema.ChangeRow,
  webhooks: EvmWebhooks,
  progress: Progress,
) => Promise<WebhookSources.SourceStep | undefined>

const compareAdded: Compare = async (chain, change, webhooks, progress) => {
  const { sequence } = change
  const events: WebhookSources.MatchedEvent[] = []
  if (webhooks.executed.size > 0) {
    const block = await blockOf(chain, change)
    if (block !== undefined) events.push(...(await matchedEvents(chain, block, webhooks.executed, sequence)))
  }
  if (webhooks.settled.size > 0) events.push(...(await settledEvents(chain, change, webhooks, progress)))
  // Blocks that settle with this change share its place with its own events.
  return stepOf({ sequence, events })
}

const compareUndone: Compare = async (_chain, { sequence, height, hash }, _webhooks, progress) => {
  if (progress.settled !== undefined && progress.settled >= height) progress.settled = height - 1n
  return { sequence, removedBlock: hash }
}

/**
 * Webhooks that match a transaction without its internal calls got their messages when the block was added or settled. If
 * that change was compared after the internal calls were added, the others got theirs, too.
 */
const compareTraced: Compare = async (chain, change, { executed, settled }, progress) => {
  const { sequence, height, added } = change
  const isSettled = progress.settled !== undefined && height <= progress.settled
  const matchers = [executed, ...(isSettled ? [settled] : [])].filter(({ size }) => size > 0)
  const block = matchers.length === 0 ? undefined : await blockOf(chain, change)
  if (block === undefined) return undefined
  const events: WebhookSources.MatchedEvent[] = []
  for (const matcher of matchers) events.push(...(await lateEvents(chain, block, matcher, added ?? sequence)))
  return stepOf({ sequence, events, since: added ?? 0n })
}

/** What each kind of change means for webhooks. */
const COMPARES: { readonly [K in EvmSchema.ChangeKind]: Compare } = {
  added: compareAdded,
  undone: compareUndone,
  traced: compareTraced,
}

/** Numbers the events of a change. Returns undefined if there are none. */
function stepOf(step: WebhookSources.EventsStep): WebhookSources.SourceStep | undefined {
  if (step.events.length === 0) return undefined
  return { ...step, events: step.events.map((event, position) => ({ ...event, position })) }
}

/**
 * Returns the block of a change. Returns undefined if a reorg has replaced it meanwhile: the change that removes it follows,
 * and no webhook needs to know of it.
 */
async function blockOf(
  { store }: EvmChainSource,
  { height, hash }: EvmSchema.ChangeRow,
): Promise<EvmBlockContents.BlockContents | undefined> {
  const block = await EvmBlockContents.atHeight(store, height)
  return block !== undefined && Bytes.equals(block.hash, hash) ? block : undefined
}

/** Returns the events of the blocks that a new block declares settled. */
async function settledEvents(
  chain: EvmChainSource,
  { height, hash, sequence }: EvmSchema.ChangeRow,
  { settled }: EvmWebhooks,
  progress: Progress,
): Promise<readonly WebhookSources.MatchedEvent[]> {
  const header = await EvmBlockContents.headerAt(chain.store, height)
  if (header === undefined || !Bytes.equals(header.hash, hash)) return []
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
