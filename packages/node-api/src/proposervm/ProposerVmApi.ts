import type { ChainAlias } from '@firn/codec'
import { ProposerVmMethods } from '@firn/rpc'
import { Blocks, type Snapshot } from '@firn/store'
import { Container, Epoch } from '@firn/txs'
import type { FreshnessTable, NodeContext } from '../Context.ts'
import * as CChain from '../internal/CChain.ts'
import * as ProposedHeight from '../platform/ProposedHeight.ts'
import type { Handlers } from '../Service.ts'

/** How long results may be cached. Both results depend on the clock. */
export const FRESHNESS: FreshnessTable<typeof ProposerVmMethods> = {
  'proposervm.getProposedHeight': 'second',
  'proposervm.getCurrentEpoch': 'second',
}

/**
 * Returns the handlers of the proposervm's API on one chain. The API reports the values that the next block's
 * container will have. Source: avalanchego `vms/proposervm`, 1cf1fc3d17.
 */
export function handlers(context: NodeContext, chain: ChainAlias): Handlers<typeof ProposerVmMethods> {
  if (chain === 'C' && !context.followsCChain)
    return CChain.rejecting(ProposerVmMethods, "the C-chain's last container is")
  const { constants, now } = context
  return {
    'proposervm.getProposedHeight': async () => {
      const at = await context.snapshot()
      const [{ leastHeight }, proposed] = await Promise.all([
        lastView(context, at, chain),
        ProposedHeight.at(context, at),
      ])
      if (proposed < leastHeight) return { height: leastHeight }
      return { height: proposed }
    },
    'proposervm.getCurrentEpoch': async () => {
      const { pChainHeight, epoch, time } = await lastView(context, await context.snapshot(), chain)
      const seconds = BigInt(Math.floor(now() / 1000))
      return Epoch.newEpoch({
        graniteTime: constants.upgrades.granite,
        epochDurationSeconds: Number(constants.upgrades.graniteEpochDuration) / 1e9,
        parentPChainHeight: pChainHeight,
        parentEpoch: epoch,
        parentTimestamp: time,
        childTimestamp: seconds < time ? time : seconds,
      })
    },
  }
}

/** The P-chain data of the last container. */
interface View {
  readonly pChainHeight: bigint
  /** Minimum P-chain height of the next container. */
  readonly leastHeight: bigint
  readonly epoch: Epoch.Epoch
  /** Time of the last block in Unix seconds. */
  readonly time: bigint
}

/**
 * Returns the P-chain data of the last container. An option block has the data of its parent, on which it decides. A
 * block from before the proposervm was activated has no data.
 */
async function lastView({ store, constants }: NodeContext, at: Snapshot, chain: ChainAlias): Promise<View> {
  const { height, time } = at[chain]
  const containers = await Blocks.containers(store, at, chain, height > 0n ? height - 1n : 0n, height)
  const opened = containers.map(({ bytes }) => Container.open(bytes)).reverse()
  const proposed = opened.find((block) => block.kind === 'preFork' || block.container.type !== 'Option')
  if (proposed?.kind !== 'postFork' || proposed.container.type === 'Option') {
    const leastHeight = constants.upgrades.apricotPhase4MinPChainHeight
    return { pChainHeight: 0n, leastHeight, epoch: Epoch.NONE, time }
  }
  const { pChainHeight, timestamp } = proposed.container
  return {
    pChainHeight,
    leastHeight: pChainHeight,
    epoch: Container.epoch(proposed.container),
    time: timestamp,
  }
}
