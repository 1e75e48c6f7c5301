import type { WebhookSources } from '@firn/store'
import type { EvmBlockContents } from '@firn/store/evm'
import type { EvmChainSource } from '../../evm/EvmContext.ts'
import { contractsAt } from '../../evm/shapes/RichAddress.ts'
import { activityIn } from './activity.ts'
import type { Matcher } from './Matcher.ts'
import { transactionEvent } from './transactionEvent.ts'

/** Returns the transactions of a block that webhooks match in a change of the chain, in order. */
export async function matchedEvents(
  source: EvmChainSource,
  block: EvmBlockContents.BlockContents,
  matcher: Matcher,
  sequence: bigint,
): Promise<readonly WebhookSources.MatchedEvent[]> {
  const matched = new Map<number, readonly string[]>()
  for (const [index, activity] of activityIn(block)) {
    const webhooks = matcher.match(activity, sequence)
    if (webhooks.length > 0) matched.set(index, webhooks)
  }
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
