import { Id, NodeId } from '@firn/codec'
import { Networks } from '@firn/genesis'

const PLACE = { blockNumber: '0', blockTimestamp: 0 } as const

/** The event of test messages about addresses: a change of no balance in block 0. */
export const TEST_ADDRESS_EVENT: string = JSON.stringify({
  eventType: 'balance_change',
  ...PLACE,
  addresses: [],
  balances: {},
})

/** The event of test messages about validators: a stake of the node with the empty id in block 0. */
export const TEST_VALIDATOR_EVENT: string = JSON.stringify({
  eventType: 'validator_stake',
  ...PLACE,
  nodeId: NodeId.format(new Uint8Array(20)),
  subnetId: Id.format(Networks.PRIMARY_NETWORK_ID),
})
