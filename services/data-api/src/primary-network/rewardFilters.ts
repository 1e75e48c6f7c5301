import { addresses } from '../AddressParameter.ts'
import type { DataContext } from '../Context.ts'
import * as Parameter from '../front/Parameter.ts'
import * as Names from '../Names.ts'

/** The most nodes of one request. */
const MAX_NODES = 64

/** What both lists of rewards are asked by. */
export function rewardFilters({ constants }: DataContext) {
  return {
    addresses: Parameter.optional(addresses(constants.hrp)),
    nodeIds: Parameter.optional(Parameter.list('NodeIDs', MAX_NODES, Names.parseNodeId)),
    sortOrder: Parameter.choice(['asc', 'desc'], 'desc'),
  }
}

/** There are rewards of addresses and of nodes, but no list of all. */
export function assertFilter(query: {
  readonly addresses: readonly Uint8Array[] | undefined
  readonly nodeIds: readonly Uint8Array[] | undefined
}): void {
  if (query.addresses === undefined && query.nodeIds === undefined) {
    throw Parameter.refused('addresses', 'addresses or nodeIds', 'neither')
  }
}
