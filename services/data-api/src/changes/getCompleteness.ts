import { Hex } from '@firn/codec'
import { EvmDoctor, EvmLogs, EvmRetention } from '@firn/store/evm'
import { Type } from 'typebox'
import { anyChainOf, chainId, type EvmContext } from '../evm/EvmContext.ts'
import { define, type Endpoint } from '../front/Endpoint.ts'

const hash = (description: string) => Type.String({ pattern: '^0x[0-9a-f]{64}$', description })

const Completeness = Type.Object({
  chainId: Type.String(),
  hasTraces: Type.Boolean({
    description: 'Whether internal calls, and contracts created by other contracts, are indexed',
  }),
  isEventsOnly: Type.Optional(
    Type.Boolean({
      description: 'Whether only headers and the logs of chosen events are stored; absent if not',
    }),
  ),
  logsFromBlock: Type.Optional(
    Type.String({ description: 'Block from which on all logs are stored; absent if logs are not stored' }),
  ),
  tracesFromBlock: Type.Optional(
    Type.String({ description: 'Block from which on internal calls are kept; absent if all are kept' }),
  ),
  transactionsFromBlock: Type.Optional(
    Type.String({ description: 'Block from which on transactions are kept; absent if all are kept' }),
  ),
  transfersFromBlock: Type.Optional(
    Type.String({ description: 'Block from which on token transfers are kept; absent if all are kept' }),
  ),
  ranges: Type.Array(
    Type.Object({
      firstBlockNumber: Type.String(),
      firstBlockHash: hash('Hash of the first block'),
      firstBlockTimestamp: Type.Integer({ description: 'a Unix timestamp in seconds' }),
      lastBlockNumber: Type.String(),
      lastBlockHash: hash('Hash of the last block'),
      digest: hash(
        'SHA-256 of all stored data of these blocks, in order. Replicas with the same data have the same digest.',
      ),
    }),
    { description: 'A range of blocks without gaps, fully indexed' },
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
    summary: 'The range of indexed blocks of a chain, with a digest for comparing replicas',
    tag: 'EVM',
    scope: 'data',
    units: 10,
    pathParameters: { chainId: chainId(context) },
    queryParameters: {},
    response: Completeness,
    handle: async ({ path }) => {
      const { chain, store } = anyChainOf(context, path.chainId)
      const { height, time } = await store.snapshot()
      const kinds = ['traces', 'transactions', 'transfers'] as const
      const [ranges, logsFrom, ...kept] = await Promise.all([
        EvmDoctor.completeness(store),
        EvmLogs.completeFrom(store),
        ...kinds.map((kind) => EvmRetention.keptFrom(store, kind)),
      ])
      const [tracesFrom, transactionsFrom, transfersFrom] = kept
      return {
        body: {
          chainId: String(chain.chainId),
          hasTraces: chain.hasTraces,
          isEventsOnly: chain.isEventsOnly,
          logsFromBlock: logsFrom?.toString(),
          tracesFromBlock: tracesFrom?.toString(),
          transactionsFromBlock: transactionsFrom?.toString(),
          transfersFromBlock: transfersFrom?.toString(),
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
})
