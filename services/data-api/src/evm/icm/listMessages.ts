import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import { list } from '../../http/endpoint/List.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainsOf, chainsSnapshots } from '../chain/chainsSnapshots.ts'
import type { EvmContext } from '../chain/EvmContext.ts'
import { address, network } from '../chain/parameters.ts'
import { blockchain, icmChains, idOf } from './IcmChains.ts'
import { type Dialect, formatMessages, SHAPES } from './IcmMessage.ts'
import { incompleteBlocks, incompleteBlocksOf } from './incompleteBlocks.ts'
import { loadMessages } from './Message.ts'
import { type Found, keyOf, type MessageFilter, newestMessages } from './messageStreams.ts'

/** Rows that each chain reads for a message of a page: the message, and its newest events. */
const ROWS_PER_CHAIN = 4

const times = {
  startTimestamp: Parameter.optional(Parameter.timestamp),
  endTimestamp: Parameter.optional(Parameter.timestamp),
}

const party = (description: string) =>
  Parameter.described(Parameter.optional(address), {
    description: `${description}, 0x and 40 hexadecimal digits`,
    example: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
  })

/** `GET /v1/icm/messages`, and its deprecated path: messages between all chains, newest first. */
export function listMessages(context: EvmContext): readonly Endpoint[] {
  const optional = Parameter.optional(blockchain(context))
  return [
    { dialect: 'Icm', path: '/v1/icm/messages', operationId: 'listIcmMessages' } as const,
    {
      dialect: 'Teleporter',
      path: '/v1/teleporter/messages',
      operationId: 'listTeleporterMessages',
    } as const,
  ].map(({ dialect, ...route }) =>
    list({
      ...ofMessages(context, dialect),
      ...route,
      summary:
        'Messages between chains, newest first, by route and parties. A page can have fewer messages than requested, or none: continue while there is a nextPageToken.',
      pathParameters: {},
      queryParameters: {
        sourceBlockchainId: optional,
        destinationBlockchainId: optional,
        blockchainId: Parameter.described(optional, {
          description:
            'Source or destination of the messages: its blockchain id in CB58, or the EVM chain id of a served chain',
          example: '43114',
        }),
        from: party('Account or contract that sent the messages'),
        to: party('Contract to which the messages were sent'),
        network: network(context),
        ...times,
      },
      read: async (request) => {
        const { query } = request
        const all = await icmChains(request.at)
        return readMessages(request, all, {
          source: idOf(all, query.sourceBlockchainId),
          destination: idOf(all, query.destinationBlockchainId),
          either: idOf(all, query.blockchainId),
          from: query.from,
          to: query.to,
        })
      },
    }),
  )
}

/** `GET /v1/icm/addresses/{address}/messages`, and its deprecated path: messages from or to an address. */
export function listMessagesOfAddress(context: EvmContext): readonly Endpoint[] {
  return [
    {
      dialect: 'Icm',
      path: '/v1/icm/addresses/{address}/messages',
      operationId: 'listIcmMessagesByAddress',
    } as const,
    {
      dialect: 'Teleporter',
      path: '/v1/teleporter/addresses/{address}/messages',
      operationId: 'listTeleporterMessagesByAddress',
    } as const,
  ].map(({ dialect, ...route }) =>
    list({
      ...ofMessages(context, dialect),
      ...route,
      summary: 'Messages between chains from or to an address, newest first',
      pathParameters: { address },
      queryParameters: { network: network(context), ...times },
      read: async (request) =>
        readMessages(request, await icmChains(request.at), { address: request.path.address }),
    }),
  )
}

type Request = Parameters<typeof chainsOf>[0] & {
  readonly after: readonly string[] | undefined
  readonly limit: number
  readonly query: {
    readonly startTimestamp: bigint | undefined
    readonly endTimestamp: bigint | undefined
  }
}

async function readMessages(
  request: Request,
  all: Awaited<ReturnType<typeof icmChains>>,
  filter: MessageFilter,
) {
  const listed = new Set(chainsOf(request).map(({ source }) => source))
  const chains = all.filter(({ source }) => listed.has(source))
  const { startTimestamp: since, endTimestamp: until } = request.query
  return newestMessages({ chains, all }, { ...filter, since, until }, request.after, request.limit)
}

function ofMessages(context: EvmContext, dialect: Dialect) {
  return {
    tag: 'Interchain messages',
    scope: 'data',
    units: 20,
    isDeprecated: dialect === 'Teleporter',
    rowsPerElement: () => ROWS_PER_CHAIN * context.chains.length,
    tokens: context.tokens,
    snapshots: chainsSnapshots(context),
    pageSize: { fallback: 10, maximum: 100 },
    responseName: `List${dialect}MessagesResponse`,
    response: {
      incompleteBlocks,
      messages: Schema.list(SHAPES[dialect].message, 'Messages of the page'),
    },
    keyOf,
    body: async (page: readonly Found[], request: Request) => {
      const all = await icmChains(request.at)
      const messages = await loadMessages(
        all,
        page.map(({ row }) => row.messageId),
        1,
      )
      return {
        incompleteBlocks: incompleteBlocksOf(all),
        messages: await formatMessages(context, all, messages, dialect),
      }
    },
  } as const
}
