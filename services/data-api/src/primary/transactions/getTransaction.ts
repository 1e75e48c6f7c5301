import { Id } from '@firn/codec'
import { Transactions } from '@firn/store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import { define, type Endpoint } from '../../http/endpoint/Endpoint.ts'
import type { DataContext } from '../network/Context.ts'
import { forClient, perClient } from '../network/clientTypes.ts'
import * as Names from '../network/Names.ts'
import { perBlock } from '../network/PrimarySnapshots.ts'
import { PrimaryNetworkTransaction } from '../shapes/PrimaryNetworkTransaction.ts'
import type { AllShapes } from './listTransactions.ts'

/**
 * `GET /v1/networks/{network}/blockchains/{blockchainId}/transactions/{txHash}`: a transaction of the P-, X-
 * or C-chain.
 */
export function getTransaction(context: DataContext, all: AllShapes): Endpoint {
  return define({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/transactions/{txHash}',
    operationId: 'getTxByHash',
    summary: 'A transaction of the P-, X- or C-chain',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    ...perClient(perBlock(context)),
    pathParameters: {
      network: Names.network(context),
      blockchainId: Names.primaryBlockchain(context),
      txHash: Names.id,
    },
    queryParameters: {},
    response: PrimaryNetworkTransaction,
    handle: async ({ path: { blockchainId, txHash }, userAgent }) => {
      const at = await context.store.snapshot()
      const found = await Transactions.detailsByIds(context.store, at, Names.LETTER[blockchainId], [txHash])
      if (found.length === 0) {
        const message = `txHash: the ${blockchainId} has no transaction ${Id.format(txHash)}`
        throw new DataApiError('DATA_NOT_FOUND', message)
      }
      const [body = null] = forClient(await all[blockchainId].shapes(at, found), userAgent)
      return { body, height: at.P.height, time: at.P.time }
    },
  })
}
