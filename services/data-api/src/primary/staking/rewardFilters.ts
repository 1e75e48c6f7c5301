import * as Parameter from '../../http/endpoint/Parameter.ts'
import { addresses } from '../network/AddressParameter.ts'
import type { DataContext } from '../network/Context.ts'
import * as Names from '../network/Names.ts'

/** Maximum number of nodes per request. */
const MAX_NODES = 64

/** Returns the query parameters that the lists of paid and of pending rewards have in common. */
export function rewardFilters({ constants }: DataContext) {
  return {
    addresses: Parameter.optional(addresses(constants.hrp)),
    nodeIds: Parameter.optional(Parameter.list('NodeIDs', MAX_NODES, Names.parseNodeId)),
    sortOrder: Parameter.choice(['asc', 'desc'], 'desc'),
  }
}

/**
 * Throws if a request filters neither by address nor by node, because a list of all rewards is not supported.
 */
export function assertFilter(query: {
  readonly addresses: readonly Uint8Array[] | undefined
  readonly nodeIds: readonly Uint8Array[] | undefined
}): void {
  if (query.addresses === undefined && query.nodeIds === undefined) {
    throw Parameter.refused('addresses', 'the parameter addresses or nodeIds', 'neither')
  }
}
