import {
  EvmCreations,
  EvmRetention,
  type EvmSnapshot,
  EvmTransactionLogs,
  EvmTransactions,
} from '@firn/evm-store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import { type Body, define, type Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { type Currency, currency } from '../../metadata/Currency.ts'
import { Money, money } from '../../metadata/Money.ts'
import { chainOf, type EvmChainSource, type EvmContext } from '../chain/EvmContext.ts'
import { steady } from '../chain/evmSnapshots.ts'
import { ofChain } from '../chain/inChain.ts'
import { address, hash } from '../chain/parameters.ts'
import { decoderFor } from '../decoding/decode.ts'
import { TransactionMessage, transactionMessage } from '../icm/transactionMessage.ts'
import { NetworkToken, networkToken, networkTokenPrice, networkTokenPriceId } from '../shapes/ChainInfo.ts'
import { TransactionLog, transactionLog } from '../shapes/EventLog.ts'
import { FullNativeTransaction, fullNativeTransaction } from '../shapes/NativeTransaction.ts'
import { partsOf, transactionParts } from './transactionParts.ts'

/** Maximum number of logs of a transaction. */
const MOST_LOGS = 200
/** Approximate number of rows that are read to decode a transaction: its logs, and upgrades of proxies. */
const ROWS_TO_DECODE = 5_000

const queryParameters = { currency, decode: Parameter.flag(false) }
type Query = Parameter.Values<typeof queryParameters>

const rows = ({ query }: { readonly query: Query }) => (query.decode ? ROWS_TO_DECODE : undefined)

const Transaction = Schema.object(
  'GetTransactionResponse',
  'A transaction with its token transfers and internal calls',
  {
    nativeTransaction: FullNativeTransaction,
    logs: Schema.optional(
      Schema.list(
        TransactionLog,
        `Logs, at most ${MOST_LOGS}; present with \`decode=true\` if the logs of the block are stored`,
      ),
    ),
    hasMoreLogs: Schema.optional(
      Schema.flag('Whether the transaction has more logs than `logs` contains; see `/logs`', false),
    ),
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
    queryParameters,
    rows,
    response: Transaction,
    handle: ({ path, query, signal }) => {
      const source = chainOf(context, path.chainId)
      return steady(source.store, signal, async (at) => {
        const found = await EvmTransactions.byHash(source.store, at, path.txHash)
        if (found === undefined) {
          const first = await EvmRetention.keptFrom(source.store, 'transactions')
          const kept =
            first === undefined ? '' : `, or it is not kept: transactions are kept from block ${first} on`
          throw new DataApiError('DATA_NOT_FOUND', `txHash: this chain has no such transaction${kept}`)
        }
        return transaction(context, source, at, found, query)
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
    queryParameters,
    rows,
    response: Transaction,
    handle: ({ path, query, signal }) => {
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
        return transaction(context, source, at, found, query)
      })
    },
  })
}

async function transaction(
  context: EvmContext,
  source: EvmChainSource,
  at: EvmSnapshot,
  found: EvmTransactions.FullTransaction,
  { currency, decode }: Query,
): Promise<Body> {
  const parts = await partsOf(source, at, [found])
  const { currentPrice, historicalPrice } = pricesOf(source, found.time, currency, context.now())
  const { call, ...logs } = decode ? await decoded(source, at, found) : {}
  return {
    nativeTransaction: fullNativeTransaction(source.chain, at, found, parts.contracts, call),
    ...logs,
    ...parts.of(found),
    networkTokenDetails: { networkToken: networkToken(source), currentPrice, historicalPrice },
    teleporterMessageInfo: await transactionMessage(context, source, found),
  }
}

/** Decodes the call and the logs of a transaction. */
async function decoded(source: EvmChainSource, at: EvmSnapshot, found: EvmTransactions.FullTransaction) {
  const { height, index: transactionIndex, recipient: to, input } = found
  const calls = to === null || input.length === 0 ? [] : [{ to, input, height, transactionIndex }]
  const stored = await EvmTransactionLogs.first(source.store, found, MOST_LOGS)
  const logs = stored?.logs.map((log) => ({ ...log, height, transactionIndex }))
  const decoder = await decoderFor(source, at, calls, logs ?? [])
  const [call] = calls.map(decoder.call)
  return {
    call,
    logs: logs?.map((log) => transactionLog(log, decoder.log(log))),
    hasMoreLogs: stored?.hasMore,
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
