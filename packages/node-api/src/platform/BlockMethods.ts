import { Id } from '@firn/codec'
import type { PlatformMethods } from '@firn/rpc'
import { Blocks } from '@firn/store'
import type { Freshness, NodeContext } from '../Context.ts'
import { type Handlers, methodError } from '../Service.ts'
import * as ProposedHeight from './ProposedHeight.ts'
import * as Rendering from './Rendering.ts'

/** How long results may be cached. The proposed height depends on the clock. */
export const FRESHNESS = {
  'platform.getHeight': 'snapshot',
  'platform.getProposedHeight': 'second',
  'platform.getTimestamp': 'snapshot',
  'platform.getBlock': 'forever',
  'platform.getBlockByHeight': 'forever',
} as const satisfies Readonly<Record<string, Freshness>>

/** Returns the handlers for the P-chain's blocks and height. */
export function handlers(
  context: NodeContext,
): Pick<Handlers<typeof PlatformMethods>, keyof typeof FRESHNESS> {
  const { store, snapshot } = context
  return {
    'platform.getHeight': async () => ({ height: (await snapshot()).P.height }),
    'platform.getProposedHeight': async () => ({
      height: await ProposedHeight.at(context, await snapshot()),
    }),
    'platform.getTimestamp': async () => ({ timestamp: Rendering.time((await snapshot()).P.time) }),
    'platform.getBlock': async ({ blockID: blockId, encoding = 'hex' }) => {
      const block = await Blocks.byId(store, await snapshot(), 'P', blockId)
      if (block === undefined)
        throw methodError(`couldn't get block with id ${Id.format(blockId)}: not found`)
      return { block: Rendering.block(context, block.bytes, encoding), encoding }
    },
    'platform.getBlockByHeight': async ({ height, encoding = 'hex' }) => {
      const block = await Blocks.byHeight(store, await snapshot(), 'P', height)
      if (block === undefined) throw methodError(`couldn't get block at height ${height}: not found`)
      return { block: Rendering.block(context, block.bytes, encoding), encoding }
    },
  }
}
