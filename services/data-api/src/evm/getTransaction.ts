import { EvmCreations, EvmRetention, type EvmSnapshot, EvmTransactions } from '@firn/store/evm'
import { DataApiError } from '../DataApiError.ts'
import { type Body, define, type Endpoint } from '../front/Endpoint.ts'
import * as Schema from '../front/Schema.ts'
import { TransactionMessage, transactionMessage } from '../icm/transactionMessage.ts'
import { type Currency, currency } from '../metadata/Currency.ts'
import { Money, money } from '../metadata/Money.ts'
import { chainOf, type EvmChainSource, type EvmContext } from './EvmContext.ts'
import { steady } from './evmSnapshots.ts'
import { ofChain } from './inChain.ts'
import { address, hash } from './parameters.ts'
import { NetworkToken, networkToken, networkTokenPrice, networkTokenPriceId } from './shapes/ChainInfo.ts'
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
      currentPrice: Schema.optional(Schema.as(Money, 'Current price of the token')),
      historicalPrice: Schema.optional(
        Schema.as(Money, 'Price at the time of the transaction, if it is more than a day old'),
      ),
    }),
    teleporterMessageInfo: Schema.optional(
      Schema.as(TransactionMessage, 'First message that the transaction sent to another chain, or received'),
    ),
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
    queryParameters: { currency },
    response: Transaction,
    handle: ({ path, query: { currency }, signal }) => {
      const source = chainOf(context, path.chainId)
      return steady(source.store, signal, async (at) => {
        const found = await EvmTransactions.byHash(source.store, at, path.txHash)
        if (found === undefined) {
          const first = await EvmRetention.keptFrom(source.store, 'transactions')
          const kept =
            first === undefined ? '' : `, or it is not kept: transactions are kept from block ${first} on`
          throw new DataApiError('DATA_NOT_FOUND', `txHash: this chain has no such transaction${kept}`)
        }
        return transaction(context, source, at, found, { currency, now: context.now() })
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
    handle: ({ path, query: { currency }, signal }) => {
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
        return transaction(context, source, at, found, { currency, now: context.now() })
      })
    },
  })
}

async function transaction(
  context: EvmContext,
  source: EvmChainSource,
  at: EvmSnapshot,
  found: EvmTransactions.FullTransaction,
  { currency, now }: { readonly currency: Currency; readonly now: number },
): Promise<Body> {
  const parts = await partsOf(source, at, [found])
  const { currentPrice, historicalPrice } = pricesOf(source, found.time, currency, now)
  return {
    nativeTransaction: fullNativeTransaction(source.chain, at, found, parts.contracts),
    ...parts.of(found),
    networkTokenDetails: { networkToken: networkToken(source), currentPrice, historicalPrice },
    teleporterMessageInfo: await transactionMessage(context, source, found),
  }
}

/** Time after which the price at the time of a transaction is shown, in seconds. */
const HISTORICAL_AFTER = 86_400n

function pricesOf(source: EvmChainSource, time: bigint, currency: Currency, now: number) {
  const isOld = BigInt(Math.floor(now / 1_000)) - time > HISTORICAL_AFTER
  const former = isOld ? source.metadata?.priceAt(networkTokenPriceId(source), currency, time) : undefined
  return {
    currentPrice: money(currency, networkTokenPrice(source, currency)),
    historicalPrice: money(currency, former),
  }
}
