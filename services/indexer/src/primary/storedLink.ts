import type { ChainAlias } from '@firn/codec'
import { LedgerState } from '@firn/ledger'
import { Blocks } from '@firn/store'
import type * as DecodedBlock from './DecodedBlock.ts'
import type { FollowOptions } from './FollowOptions.ts'
import { firstEvmBlock } from './firstEvmBlock.ts'

/**
 * Returns the link to a chain's last block, which the next block must follow. The container's id is read from
 * the database.
 */
export async function storedLink(
  { store, genesis, constants }: FollowOptions,
  state: LedgerState.LedgerState,
  chain: ChainAlias,
): Promise<DecodedBlock.Link> {
  const { height, blockId } = LedgerState.tip(state, chain)
  if (height === 0n) {
    // The parent of the first container is block 0, and block 0 has no container.
    const first = chain === 'C' ? firstEvmBlock(genesis, constants) : blockId
    return { height, blockId: first, containerId: first }
  }
  const ids = await Blocks.idsAt(store, chain, height)
  return { height, blockId, containerId: ids?.containerId ?? undefined }
}
