import { EvmCreations, EvmRetention, type EvmSnapshot, EvmTransactions } from '@firn/store/evm'
import { DataApiError } from '../DataApiError.ts'
import { type Body, define, type Endpoint } from '../front/Endpoint.ts'
import * as Schema from '../front/Schema.ts'
import { chainOf, type EvmChainSource, type EvmContext } from './EvmContext.ts'
import { steady } from './evmSnapshots.ts'
import { ofChain } from './inChain.ts'
import { address, currency, hash } from './parameters.ts'
import { NetworkToken } from './shapes/ChainInfo.ts'
import { FullNativeTransaction, fullNativeTransaction } from './shapes/NativeTransaction.ts'
import { partsOf, transactionParts } from './transactionParts.ts'

const Transaction = Schema.object(
  'GetTransactionResponse',
  'A transaction with its token transfers and internal calls',
  {
    nativeTransaction: FullNativeTransaction,
    ...transactionParts,
    networkTokenDetails: Schema.object('NetworkTokenDetails', 'The native token of the chain', {
      networkToken: NetworkToken,
    }),
  },
)

/** `GET …/transactions/{txHash}`: a transaction with its token transfers and internal calls. */
export function getTransaction(context: EvmContext): Endpoint {
  return define({
    method: 'GET',
    path: '/v1/chains/{chainId}/transactions/{txHash}',
    operationId: 'getTransaction',
    summary: 'A transaction with its token transfers and internal calls',
    tag: 'EVM',
    scope: 'data',
    units: 20,
    pathParameters: { ...ofChain(context), txHash: hash },
    queryParameters: {},
    response: Transaction,
    handle: ({ path, signal }) => {
      const source = chainOf(context, path.chainId)
      return steady(source.store, signal, async (at) => {
        const found = await EvmTransactions.byHash(source.store, at, path.txHash)
        if (found === undefined) {
          const first = await EvmRetention.keptFrom(source.store, 'transactions')
          const kept =
            first === undefined ? '' : `, or it is not kept: transactions are kept from block ${first} on`
          throw new DataApiError('DATA_NOT_FOUND', `txHash: this chain has no such transaction${kept}`)
        }
        return transaction(source, at, found)
      })
    },
  })
}

/** `GET …/contracts/{address}/transactions:getDeployment`: the transaction that created a contract. */
export function getDeployment(context: EvmContext): Endpoint {
  return define({
    method: 'GET',
    path: '/v1/chains/{chainId}/contracts/{address}/transactions:getDeployment',
    operationId: 'getDeploymentTransaction',
    summary: 'The transaction that created a contract',
    tag: 'EVM',
    scope: 'data',
    units: 20,
    pathParameters: { ...ofChain(context), address },
    queryParameters: { currency },
    response: Transaction,
    handle: ({ path, signal }) => {
      const source = chainOf(context, path.chainId)
      return steady(source.store, signal, async (at) => {
        const creation = await EvmCreations.ofContract(source.store, at, path.address)
        const place = creation && { height: creation.height, index: creation.transactionIndex }
        const found = place && (await EvmTransactions.atPlace(source.store, place))
        if (found === undefined) {
          throw new DataApiError(
            'DATA_NOT_FOUND',
            'address: no known transaction created a contract at this address',
          )
        }
        return transaction(source, at, found)
      })
    },
  })
}

async function transaction(
  source: EvmChainSource,
  at: EvmSnapshot,
  found: EvmTransactions.FullTransaction,
): Promise<Body> {
  const parts = await partsOf(source, at, [found])
  const { name, symbol, decimals } = source.chain.token
  return {
    nativeTransaction: fullNativeTransaction(source.chain, at, found, parts.contracts),
    ...parts.of(found),
    networkTokenDetails: { networkToken: { name, symbol, decimals } },
  }
}
