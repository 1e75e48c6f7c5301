import { Hex } from '@firn/codec'
import { EvmDoctor, EvmIcm, EvmLogs, EvmRetention } from '@firn/evm-store'
import { anyChainOf, chainId, type EvmContext } from '../evm/chain/EvmContext.ts'
import { keptFromBlock, tracedTo, tracedToBlock } from '../evm/chain/parameters.ts'
import { chainIdText } from '../evm/shapes/ChainInfo.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Field from '../http/endpoint/Field.ts'
import * as Schema from '../http/endpoint/Schema.ts'

const Completeness = Schema.object('Completeness', 'The indexed blocks of a chain', {
  chainId: chainIdText,
  hasTraces: Schema.flag(
    'Whether internal calls, and contracts created by other contracts, are indexed',
    true,
  ),
  isEventsOnly: Schema.optional(
    Schema.flag('Whether only headers and the logs of chosen events are stored; absent if not', true),
  ),
  logsFromBlock: Schema.optional(
    Field.height('Block from which on all logs are stored; absent if logs are not stored'),
  ),
  blocksFromBlock: keptFromBlock('headers, besides the first one,'),
  tracesFromBlock: keptFromBlock('internal calls'),
  tracesToBlock: tracedToBlock('it is requested again'),
  transactionsFromBlock: keptFromBlock('transactions'),
  transfersFromBlock: keptFromBlock('token transfers'),
  balancesFromBlock: keptFromBlock('balances and owners'),
  messagesFromBlock: Schema.optional(
    Field.height('Block from which on interchain messages are stored; absent if they are not'),
  ),
  messagesToBlock: Schema.optional(
    Field.height(
      'Block up to which interchain messages are stored; it is behind while messages of older blocks are read',
    ),
  ),
  hourlyMetricsFromTimestamp: Schema.optional(
    Field.seconds('Start of the first hour whose metrics are kept; absent if all are kept', 1_735_689_600),
  ),
  ranges: Schema.list(
    Schema.object('CompleteRange', 'A range of blocks without gaps, fully indexed', {
      firstBlockNumber: Field.height('Number of the first block', '0'),
      firstBlockHash: Field.hash('Hash of the first block'),
      firstBlockTimestamp: Field.seconds('Time of the first block', 1_600_000_000),
      lastBlockNumber: Field.height('Number of the last block'),
      lastBlockHash: Field.hash('Hash of the last block'),
      digest: Field.hash(
        'SHA-256 of all stored data of these blocks, in order, equal for replicas with the same data',
      ),
      isDigestPending: Schema.optional(
        Schema.flag(
          'Whether the digest is still that without internal calls which were added to an earlier block; absent if not',
          true,
        ),
      ),
    }),
    'Ranges of indexed blocks',
  ),
})

/**
 * `GET /v1/completeness/{chainId}`: the range of indexed blocks of a chain, with a digest for comparing
 * replicas.
 */
export function getCompleteness(context: EvmContext): Endpoint {
  return define({
    method: 'GET',
    path: '/v1/completeness/{chainId}',
    operationId: 'getCompleteness',
    summary: 'The range of indexed blocks of a chain, with a digest for comparing replicas',
    tag: 'EVM',
    scope: 'data',
    units: 10,
    pathParameters: { chainId: chainId(context) },
    queryParameters: {},
    response: Completeness,
    handle: async ({ path }) => {
      const { chain, store } = anyChainOf(context, path.chainId)
      const at = await store.snapshot()
      const { height, time } = at
      const kinds = ['blocks', 'traces', 'transactions', 'transfers', 'balances'] as const
      const [ranges, logsFrom, hoursFrom, messages, ...kept] = await Promise.all([
        EvmDoctor.completeness(store),
        EvmLogs.completeFrom(store),
        EvmRetention.hoursFrom(store),
        EvmIcm.progress(store),
        ...kinds.map((kind) => EvmRetention.keptFrom(store, kind)),
      ])
      const [blocksFrom, tracesFrom, transactionsFrom, transfersFrom, balancesFrom] = kept
      return {
        body: {
          chainId: String(chain.chainId),
          hasTraces: chain.hasTraces,
          isEventsOnly: chain.isEventsOnly,
          logsFromBlock: logsFrom?.toString(),
          blocksFromBlock: blocksFrom?.toString(),
          tracesFromBlock: tracesFrom?.toString(),
          tracesToBlock: tracedTo(at),
          transactionsFromBlock: transactionsFrom?.toString(),
          transfersFromBlock: transfersFrom?.toString(),
          balancesFromBlock: balancesFrom?.toString(),
          messagesFromBlock: messages?.from.toString(),
          messagesToBlock: messages && String(messages.next - 1n),
          hourlyMetricsFromTimestamp: hoursFrom,
          ranges: ranges.map(shape),
        },
        height,
        time,
      }
    },
  })
}

const shape = (range: EvmDoctor.CompleteRange) => ({
  firstBlockNumber: String(range.first),
  firstBlockHash: Hex.encode(range.firstHash),
  firstBlockTimestamp: range.since,
  lastBlockNumber: String(range.last),
  lastBlockHash: Hex.encode(range.lastHash),
  digest: Hex.encode(range.chainDigest),
  ...(range.isDigestStale ? { isDigestPending: true } : {}),
})
