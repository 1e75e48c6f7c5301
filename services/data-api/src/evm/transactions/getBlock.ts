import { EvmBlocks, EvmRetention, type EvmSnapshot, type EvmStore } from '@firn/evm-store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import { define, type Endpoint } from '../../http/endpoint/Endpoint.ts'
import { chainOf, type EvmContext } from '../chain/EvmContext.ts'
import { steady } from '../chain/evmSnapshots.ts'
import { ofChain, perBlock } from '../chain/inChain.ts'
import { blockId } from '../chain/parameters.ts'
import { EvmBlock, evmBlock } from '../shapes/EvmBlock.ts'

/** `GET …/blocks/{blockId}`: a block, by number or hash. */
export function getBlock(context: EvmContext): Endpoint {
  return define({
    method: 'GET',
    path: '/v1/chains/{chainId}/blocks/{blockId}',
    operationId: 'getBlock',
    summary: 'A block, by number or hash',
    tag: 'EVM',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: { ...ofChain(context), blockId },
    queryParameters: {},
    response: EvmBlock,
    handle: ({ path, signal }) => {
      const { chain, store } = chainOf(context, path.chainId)
      return steady(store, signal, async (at) => evmBlock(chain, at, await blockOf(store, at, path.blockId)))
    },
  })
}

/**
 * Returns the block with the given number or hash.
 * @throws DataApiError `DATA_NOT_FOUND`
 */
export async function blockOf(
  store: EvmStore,
  at: EvmSnapshot,
  blockId: bigint | Uint8Array,
): Promise<EvmBlocks.Block> {
  const found =
    typeof blockId === 'bigint'
      ? await EvmBlocks.byHeight(store, at, blockId)
      : await EvmBlocks.byHash(store, at, blockId)
  if (found !== undefined) return found
  const first = await EvmRetention.keptFrom(store, 'blocks')
  const kept =
    first === undefined ? '' : `, or its header is not kept: headers are kept from block ${first} on`
  throw new DataApiError('DATA_NOT_FOUND', `blockId: this chain has no such block${kept}`)
}
