import { Hex, Id } from '@firn/codec'
import type { EvmIcm } from '@firn/evm-store'
import { type ChainAt, chainsOf } from '../evm/chain/chainsSnapshots.ts'
import type { EvmContext } from '../evm/chain/EvmContext.ts'
import { network } from '../evm/chain/parameters.ts'
import { type Blockchain, blockchain, type IcmChain, icmChains, idOf } from '../evm/icm/IcmChains.ts'
import * as Field from '../http/endpoint/Field.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'

/** Columns to group counts by. */
const GROUPS = ['srcBlockchainId', 'destBlockchainId', 'srcBlockchainId,destBlockchainId'] as const

/** Returns the parameters that choose which messages are counted. */
export function countParameters(context: EvmContext) {
  return {
    srcBlockchainId: Parameter.optional(blockchain(context)),
    destBlockchainId: Parameter.optional(blockchain(context)),
    groupBy: Parameter.described(Parameter.optional(Parameter.choice(GROUPS)), {
      description: 'Part of the route to group numbers by; none by default',
      example: 'srcBlockchainId',
    }),
    network: network(context),
  }
}

/** Schemas of the route of counted messages. */
export const routeMembers = {
  srcBlockchainId: Field.cb58('Blockchain id of the source; `total` for all sources'),
  destBlockchainId: Field.cb58('Blockchain id of the destination; `total` for all destinations'),
}

/** The value of {@link routeMembers} for messages of several routes. */
export const TOTAL = 'total'

interface Request {
  readonly at: readonly ChainAt[]
  readonly query: {
    readonly srcBlockchainId: Blockchain | undefined
    readonly destBlockchainId: Blockchain | undefined
    readonly groupBy: (typeof GROUPS)[number] | undefined
    readonly network: Parameter.Values<ReturnType<typeof countParameters>>['network']
  }
}

/** A table of counts to read: of the messages that a chain sent, or that it received. */
export interface CountSource {
  readonly chain: IcmChain
  readonly counted: EvmIcm.Counted
}

/** The route that a caller asked for. */
export interface AskedRoute {
  readonly source: Uint8Array | undefined
  readonly destination: Uint8Array | undefined
}

/**
 * Returns the counts to read. A message counts where it was sent, or where it was received if the source is not followed.
 */
export async function countSources(
  request: Request,
): Promise<{ readonly sources: readonly CountSource[]; readonly asked: AskedRoute }> {
  const all = await icmChains(request.at)
  const listed = new Set(chainsOf(request).map(({ source }) => source))
  const { query } = request
  const asked = { source: idOf(all, query.srcBlockchainId), destination: idOf(all, query.destBlockchainId) }
  const groupBy: ('source' | 'destination')[] = []
  if (query.groupBy?.includes('src') === true) groupBy.push('source')
  if (query.groupBy?.includes('dest') === true) groupBy.push('destination')
  // Of a followed chain, only what it sent counts: counts cannot tell which of the received messages it lacks.
  const known = all.flatMap(({ blockchainId }) => blockchainId ?? [])
  const sources = all
    .filter(({ source }) => listed.has(source))
    .flatMap((chain) => [
      { chain, counted: { isSent: true, ...asked, groupBy } },
      { chain, counted: { isSent: false, ...asked, groupBy, exceptSources: known } },
    ])
  return { sources, asked }
}

/** Returns the route of a count in the format of the API. */
export function formatRoute(route: EvmIcm.CountedRoute, asked: AskedRoute) {
  const text = (id: Uint8Array | null | undefined) => (id?.length === Id.LENGTH ? Id.format(id) : TOTAL)
  return {
    srcBlockchainId: text(route.source ?? asked.source),
    destBlockchainId: text(route.destination ?? asked.destination),
  }
}

/** Returns a text that sorts routes as the database does. */
export function routeKey({ source, destination }: EvmIcm.CountedRoute): string {
  return [source, destination].map((id) => (id === null ? '' : Hex.encodeBare(id))).join(' ')
}
