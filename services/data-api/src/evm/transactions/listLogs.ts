import { EvmLogs } from '@firn/evm-store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainList } from '../chain/chainList.ts'
import type { EvmChainSource, EvmContext } from '../chain/EvmContext.ts'
import { addresses, blockRange, later, topics } from '../chain/parameters.ts'
import { logKey, logPlace } from '../chain/places.ts'
import { decoderFor } from '../decoding/decode.ts'
import { EventLog, eventLog } from '../shapes/EventLog.ts'

const topic = Parameter.optional(topics)
const queryParameters = {
  addresses: Parameter.optional(addresses),
  topic0: topic,
  topic1: topic,
  topic2: topic,
  topic3: topic,
  ...blockRange,
  decode: Parameter.flag(false),
}

/** Maximum number of logs that a page examines. */
const MOST_EXAMINED = 10_000
/** Approximate number of rows that are read to decode a log: upgrades of the proxy that emitted it. */
const ROWS_PER_DECODED = 100

/** `GET …/logs`: logs of contracts, newest first, by contract and topics. */
export function listLogs(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/logs',
    operationId: 'listLogs',
    summary:
      'Logs of contracts, newest first, by contract and topics. A page can have fewer logs than requested, or none: continue while there is a nextPageToken.',
    isPerBlock: true,
    isOfEvents: true,
    queryParameters,
    rows: (query, pageSize) => {
      const filters = query && [query.addresses, query.topic0, query.topic1, query.topic2, query.topic3]
      const given = filters?.filter((values) => values !== undefined)
      const decoded = query?.decode === true ? pageSize * ROWS_PER_DECODED : 0
      // Logs are found by one filter, and then compared with the others.
      const found =
        given === undefined || given.length > 1 ? MOST_EXAMINED : pageSize * (given[0]?.length ?? 1)
      return found + decoded
    },
    responseName: 'ListLogsResponse',
    response: {
      completeFromBlock: Field.height(
        'Block from which on all logs that match the filter are stored; logs of earlier blocks are not listed',
      ),
      logs: Schema.list(EventLog, 'Logs of the page'),
    },
    read: async ({ source, query, at, after, limit }) => {
      const filter = filterOf(query)
      const first = await completeFrom(source, filter)
      const { logs, stoppedAt } = await EvmLogs.page(source.store, at, filter, {
        from: later(query.startBlock, first),
        until: query.endBlock,
        order: 'desc',
        after: logPlace(after),
        limit,
        mostExamined: MOST_EXAMINED,
      })
      return { elements: logs, stoppedAt: stoppedAt && logKey(stoppedAt) }
    },
    keyOf: logKey,
    body: async (page, { source, query, at }) => {
      const decoder = query.decode ? await decoderFor(source, at, [], page) : undefined
      return {
        completeFromBlock: String(await completeFrom(source, filterOf(query))),
        logs: page.map((log) => eventLog(log, decoder?.log(log))),
      }
    },
  })
}

/** Returns the filter. A log must have all topics up to the last one that is given. */
function filterOf({
  addresses = [],
  topic0 = [],
  topic1 = [],
  topic2 = [],
  topic3 = [],
}: Parameter.Values<typeof queryParameters>): EvmLogs.LogFilter {
  const given = [topic0, topic1, topic2, topic3]
  return { addresses, topics: given.slice(0, given.findLastIndex((values) => values.length > 0) + 1) }
}

/** @throws DataApiError `DATA_NOT_FOUND` if logs that match the filter are not stored */
async function completeFrom({ chain, store }: EvmChainSource, filter: EvmLogs.LogFilter): Promise<bigint> {
  const height = await EvmLogs.matchesCompleteFrom(store, filter)
  if (height !== undefined) return height
  if (chain.isEventsOnly === true) {
    const message =
      'chainId: only the logs of chosen events are stored (--events-only), and the filter matches others; give addresses and topic0 of these events'
    throw new DataApiError('DATA_NOT_FOUND', message)
  }
  throw new DataApiError(
    'DATA_NOT_FOUND',
    'chainId: logs are not available, because the indexer of the chain does not store them (--no-event-logs)',
  )
}
