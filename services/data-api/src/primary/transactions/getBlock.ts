import { Hex } from '@firn/codec'
import { Blocks } from '@firn/store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import { define, type Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import type { DataContext } from '../network/Context.ts'
import * as Names from '../network/Names.ts'
import { perBlock } from '../network/PrimarySnapshots.ts'
import { Block } from '../shapes/Block.ts'
import { blockShapes } from './listBlocks.ts'

/**
 * `GET …/{blockchainId}/blocks/{blockId}`: a block, selected by number, block id or container id, or on the
 * C-chain by hash.
 */
export function getBlock(context: DataContext): Endpoint {
  const { store } = context
  return define({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/blocks/{blockId}',
    operationId: 'getBlockById',
    summary: 'A block of the P-, X- or C-chain',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: {
      network: Names.network(context),
      blockchainId: Names.primaryBlockchain(context),
      blockId,
    },
    queryParameters: {},
    response: Block,
    handle: async ({ path: { blockchainId, blockId: selector } }) => {
      const at = await store.snapshot()
      const chain = Names.LETTER[blockchainId]
      const found =
        typeof selector === 'bigint'
          ? await Blocks.detailsByHeight(store, at, chain, selector)
          : await Blocks.detailsById(store, at, chain, selector)
      if (found === undefined) {
        throw new DataApiError('DATA_NOT_FOUND', `blockId: the ${blockchainId} has no such block`)
      }
      const [body = null] = await blockShapes(context, at, chain, [found])
      return { body, height: at.P.height, time: at.P.time, isFinal: true }
    },
  })
}

const blockId = Parameter.text<bigint | Uint8Array>(
  'a block number, an id in cb58 or a hash in hex',
  (text) => {
    if (/^[0-9]{1,18}$/.test(text)) return BigInt(text)
    if (/^0x[0-9a-fA-F]{64}$/.test(text)) return Hex.decode(text.toLowerCase())
    return Names.parseId(text)
  },
)
