import type { EvmBlockContents } from '@firn/evm-store'
import type { WebhookSources } from '@firn/service-store'
import type { EvmChainSource } from '../../evm/chain/EvmContext.ts'
import { contractsAt } from '../../evm/shapes/RichAddress.ts'
import { activityIn } from './activity.ts'
import type { Matcher } from './Matcher.ts'
import { transactionEvent } from './transactionEvent.ts'

/** Returns the transactions of a block that webhooks match in a change of the chain, in order. */
export function matchedEvents(
  source: EvmChainSource,
  block: EvmBlockContents.BlockContents,
  matcher: Matcher,
  sequence: bigint,
): Promise<readonly WebhookSources.MatchedEvent[]> {
  return eventsOf(source, block, matchesIn(block, matcher, sequence))
}

/**
 * Returns the transactions of a block that webhooks match only by internal calls, which were added after the change of the
 * chain that added the block.
 */
export function lateEvents(
  source: EvmChainSource,
  block: EvmBlockContents.BlockContents,
  matcher: Matcher,
  sequence: bigint,
): Promise<readonly WebhookSources.MatchedEvent[]> {
  const known = matchesIn({ ...block, calls: undefined }, matcher, sequence)
  const late = new Map<number, readonly string[]>()
  for (const [index, webhooks] of matchesIn(block, matcher, sequence)) {
    const others = webhooks.filter((id) => known.get(index)?.includes(id) !== true)
    if (others.length > 0) late.set(index, others)
  }
  return eventsOf(source, block, late)
}

/** The webhooks of each transaction of a block that any webhook matches, by its index. */
type Matches = ReadonlyMap<number, readonly string[]>

function matchesIn(block: EvmBlockContents.BlockContents, matcher: Matcher, sequence: bigint): Matches {
  const matched = new Map<number, readonly string[]>()
  for (const [index, activity] of activityIn(block)) {
    const webhooks = matcher.match(activity, sequence)
    if (webhooks.length > 0) matched.set(index, webhooks)
  }
  return matched
}

async function eventsOf(
  source: EvmChainSource,
  block: EvmBlockContents.BlockContents,
  matched: Matches,
): Promise<readonly WebhookSources.MatchedEvent[]> {
  if (matched.size === 0) return []
  const tokens = block.transfers.filter(({ transactionIndex }) => matched.has(transactionIndex))
  const contracts = await contractsAt(
    source,
    await source.store.snapshot(),
    tokens.map(({ contract }) => contract),
  )
  return block.transactions.flatMap((transaction) => {
    const webhooks = matched.get(transaction.index)
    if (webhooks === undefined) return []
    const body = JSON.stringify(transactionEvent(source.chain, block, transaction, contracts))
    return [{ position: transaction.index, height: block.height, blockHash: block.hash, body, webhooks }]
  })
}
