import { addresses } from '../AddressParameter.ts'
import type { DataContext } from '../Context.ts'
import * as Parameter from '../front/Parameter.ts'
import * as Names from '../Names.ts'

/** Maximum number of nodes per request. */
const MAX_NODES = 64

/** Returns the filters of both lists of rewards. */
export function rewardFilters({ constants }: DataContext) {
  return {
    addresses: Parameter.optional(addresses(constants.hrp)),
    nodeIds: Parameter.optional(Parameter.list('NodeIDs', MAX_NODES, Names.parseNodeId)),
    sortOrder: Parameter.choice(['asc', 'desc'], 'desc'),
  }
}

/** Rewards can be listed by address or node, but not all at once. */
export function assertFilter(query: {
  readonly addresses: readonly Uint8Array[] | undefined
  readonly nodeIds: readonly Uint8Array[] | undefined
}): void {
  if (query.addresses === undefined && query.nodeIds === undefined) {
    throw Parameter.refused('addresses', 'addresses or nodeIds', 'neither')
  }
}
