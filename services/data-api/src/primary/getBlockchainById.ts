import { Id } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { Blockchains } from '@firn/store'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import type { ChainGeneses } from './network/ChainGenesis.ts'
import type { DataContext } from './network/Context.ts'
import * as Names from './network/Names.ts'
import { perBlock } from './network/PrimarySnapshots.ts'
import { Blockchain, blockchain, platformChain } from './shapes/Blockchain.ts'

/** `GET /v1/networks/{network}/blockchains/{blockchainId}`: a blockchain of the network, with its genesis. */
export function getBlockchainById(context: DataContext, geneses: ChainGeneses): Endpoint {
  const { store, genesis } = context
  return define({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}',
    operationId: 'getBlockchainById',
    summary: 'A blockchain with its genesis',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: { network: Names.network(context), blockchainId: anyBlockchain(context) },
    queryParameters: {},
    response: Blockchain,
    handle: async ({ path: { blockchainId } }) => {
      const at = await store.snapshot()
      const fresh = { height: at.P.height, time: at.P.time, isFinal: true }
      if (Id.format(blockchainId) === Id.format(Networks.PRIMARY_NETWORK_ID)) {
        return { body: platformChain(genesis.platform.timestamp), ...fresh }
      }
      const found = await Blockchains.detailsById(store, at, blockchainId)
      if (found === undefined) {
        throw new DataApiError(
          'DATA_NOT_FOUND',
          `blockchainId: this network has no blockchain ${Id.format(blockchainId)}`,
        )
      }
      return { body: blockchain(found, await geneses.of(at, blockchainId), true), ...fresh }
    },
  })
}

function anyBlockchain(context: DataContext): Parameter.Parameter<Uint8Array> {
  const ids = {
    'p-chain': Networks.PRIMARY_NETWORK_ID,
    'x-chain': context.genesis.xChain.blockchainId,
    'c-chain': context.genesis.cChain.blockchainId,
  }
  const expected = `an id in cb58 or one of ${Object.keys(ids).join(', ')}`
  return Parameter.text(expected, (text) =>
    Object.hasOwn(ids, text) ? ids[text as keyof typeof ids] : Names.parseId(text),
  )
}
