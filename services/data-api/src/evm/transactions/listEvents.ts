import { EventAbi } from '@firn/evm'
import { type EventTables, EvmEvents } from '@firn/evm-store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainList } from '../chain/chainList.ts'
import type { EvmChainSource, EvmContext } from '../chain/EvmContext.ts'
import { addresses, blockRange, later } from '../chain/parameters.ts'
import { logKey, logPlace } from '../chain/places.ts'
import { DecodedEvent, decodedEvent } from '../shapes/DecodedEvent.ts'
import { args, argumentFilters } from './argumentFilters.ts'

/** Maximum length of a name: of a file, an event and what distinguishes it from others, in characters. */
const LONGEST = 450
// The name of an ABI is the name of a file, so it can contain nearly everything.
const name = Parameter.text('the name of an event', (text) => {
  const composed = text.normalize('NFC')
  return composed.length <= LONGEST && !/[\p{Cc}\p{Cs}]/u.test(composed) ? composed : undefined
})

/** Maximum number of names that a message lists. */
const MOST_LISTED = 50
/** Maximum number of events that a page examines. */
const MOST_EXAMINED = 10_000

/** `GET …/events/{name}`: events that were decoded with their ABI, newest first. */
export function listEvents(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/events/{name}',
    operationId: 'listEvents',
    summary:
      'Decoded events, newest first, by contract and arguments. The name is the event’s, such as Transfer, or the ABI’s and the event’s, such as ERC20.Transfer. With args, a page can have fewer events than requested, or none: continue while there is a nextPageToken.',
    // Events are decoded after their block was stored.
    isPerBlock: false,
    isOfEvents: true,
    pathParameters: { name },
    queryParameters: {
      addresses: Parameter.optional(addresses),
      args: Parameter.optional(args),
      ...blockRange,
    },
    rows: (query, pageSize) =>
      query === undefined || query.args !== undefined
        ? MOST_EXAMINED
        : pageSize * (query.addresses?.length ?? 1),
    responseName: 'ListEventsResponse',
    response: {
      signature: Schema.text('Signature of the event', 'Transfer(address,address,uint256)'),
      completeFromBlock: Field.height('First block whose events are decoded'),
      completeToBlock: Schema.optional(
        Field.height('Last block whose events are decoded; absent if there is none yet'),
      ),
      events: Schema.list(DecodedEvent, 'Events of the page'),
    },
    read: async ({ source, path, query, at, after, limit }) => {
      const table = await tableOf(source, path.name)
      const { events, stoppedAt } = await EvmEvents.page(source.store, at, table, {
        addresses: query.addresses ?? [],
        args: argumentFilters(table.source.event, query.args ?? []),
        mostExamined: MOST_EXAMINED,
        from: later(query.startBlock, table.fromHeight),
        until: query.endBlock,
        after: logPlace(after),
        limit,
      })
      return { elements: events, stoppedAt: stoppedAt && logKey(stoppedAt) }
    },
    keyOf: logKey,
    body: async (page, { source, path, at }) => {
      const table = await tableOf(source, path.name)
      const { fromHeight, nextHeight } = table
      const last = nextHeight > at.height ? at.height : nextHeight - 1n
      return {
        signature: EventAbi.signature(table.source.event),
        completeFromBlock: String(fromHeight),
        ...(last < fromHeight ? {} : { completeToBlock: String(last) }),
        events: page.map((event) => decodedEvent(table.source.event, event)),
      }
    },
  })
}

/** @throws DataApiError `DATA_NOT_FOUND`, or `DATA_PARAMETER` if several events have the name */
async function tableOf({ store }: EvmChainSource, name: string): Promise<EventTables.EventTable> {
  const tables = await EvmEvents.tables(store)
  const named = tables.filter(({ source }) => EventAbi.names(source).includes(name))
  const [found] = named
  if (found === undefined) {
    const message = `name: this event is not decoded here; decoded events: ${namesOf(tables) || 'none'}`
    throw new DataApiError('DATA_NOT_FOUND', message)
  }
  if (named.length === 1) return found
  throw Parameter.refused('name', `one of ${namesOf(named)}`, name)
}

function namesOf(tables: readonly EventTables.EventTable[]): string {
  const names = EventAbi.uniqueNames(tables.map(({ source }) => source))
  const listed = names.slice(0, MOST_LISTED).join(', ')
  return names.length > MOST_LISTED ? `${listed}, … (${names.length} in all)` : listed
}
