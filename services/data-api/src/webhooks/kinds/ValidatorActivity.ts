import { Id, NodeId } from '@firn/codec'
import { Networks } from '@firn/genesis'
import * as Field from '../../http/endpoint/Field.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import * as Names from '../../primary/network/Names.ts'
import * as members from '../common/members.ts'
import * as Source from '../common/Source.ts'
import { watchValidators } from '../primary/validatorEvents.ts'
import {
  VALIDATOR_KEY_TYPES,
  VALIDATOR_SUB_EVENTS,
  type ValidatorSettings,
  validatorFilter,
} from '../primary/validatorFilter.ts'
import { define, filtersOf, parseEvent, TEST_BLOCK } from './Kind.ts'
import {
  AMOUNT,
  MOST_IDS,
  primaryOf,
  primaryPosition,
  readAmount,
  readIds,
  readSubEvents,
} from './reading.ts'
import { NETWORK, schemasOf, subEvents } from './shapes.ts'

/** Blockchain id of the P-chain, and id of the Primary Network. */
const PLATFORM_CHAIN = Id.format(Networks.PRIMARY_NETWORK_ID)

const Metadata = Schema.object('ValidatorActivityMetadata', 'What the webhook observes', {
  keyType: Schema.choice(VALIDATOR_KEY_TYPES, 'Kind of the key'),
  keys: Schema.list(Field.nodeId('Node id or subnet id'), 'One node id or subnet id'),
  subEvents: Schema.object('ValidatorActivitySubEvents', 'Kinds of events', {
    validatorActivitySubEvents: subEvents(VALIDATOR_SUB_EVENTS),
  }),
  nodeIds: Schema.optional(Schema.list(Field.nodeId('Node'), 'Nodes to which the events are limited')),
  subnetIds: Schema.optional(Schema.list(Field.cb58('Subnet'), 'Subnets to which the events are limited')),
  l1ValidatorFeeBalanceThreshold: Schema.optional(
    Field.nAvax('Balance of an L1 validator below which an event is sent'),
  ),
})

/** Stakes, rewards and L1 validators of a node or a subnet. */
export const validatorActivity = define({
  isOfficial: true,
  ...schemasOf('validator_activity', 'ValidatorActivity', {
    response: 'A webhook for validators',
    request: 'A webhook for validators',
    members: { network: NETWORK },
    metadata: Metadata,
  }),
  async read(body, metadata, context) {
    primaryOf(body, context)
    const type = members.choice(metadata, 'keyType', VALIDATOR_KEY_TYPES)
    const keyType = members.required(metadata, 'keyType', type, 'nodeId or subnetId')
    const parse = keyType === 'nodeId' ? Names.parseNodeId : Names.parseId
    const keys = members.list(metadata, 'keys', { expected: `values of ${keyType}`, most: MOST_IDS, parse })
    const [key] = keys ?? []
    if (key === undefined || keys?.length !== 1)
      throw Parameter.refused('metadata.keys', 'one key', `${keys?.length ?? 0}`)
    const nodeIds = readIds(metadata, 'nodeIds', Names.parseNodeId, NodeId.format)
    const subnetIds = readIds(metadata, 'subnetIds', Names.parseId, Id.format)
    const [name, limits, own] =
      keyType === 'nodeId'
        ? ['nodeIds', nodeIds, NodeId.format(key)]
        : ['subnetIds', subnetIds, Id.format(key)]
    // Events are sent only if they match the key and the limits.
    if (limits.length > 0 && !limits.includes(own))
      throw Parameter.refused(`metadata.${name}`, 'a list with the key, or none', 'a list without it')
    const subEvents = readSubEvents(metadata, 'validatorActivitySubEvents', VALIDATOR_SUB_EVENTS)
    const threshold = readAmount(metadata, 'l1ValidatorFeeBalanceThreshold')
    if (subEvents.includes('l1_validator_balance_threshold'))
      members.required(metadata, 'l1ValidatorFeeBalanceThreshold', threshold, AMOUNT)
    return {
      source: Source.ofPrimary('P'),
      chain: PLATFORM_CHAIN,
      settings: {
        keyType,
        subEvents,
        nodeIds,
        subnetIds,
        ...(threshold === undefined ? {} : { l1ValidatorFeeBalanceThreshold: threshold }),
      },
      keys: [key],
    }
  },
  position: primaryPosition,
  body: ({ keyType, subEvents, nodeIds, subnetIds, ...more }: ValidatorSettings, keys) => ({
    metadata: {
      keyType,
      keys: keys.map((key) => (keyType === 'nodeId' ? NodeId.format(key) : Id.format(key))),
      subEvents: { validatorActivitySubEvents: subEvents },
      nodeIds: nodeIds.length === 0 ? undefined : nodeIds,
      subnetIds: subnetIds.length === 0 ? undefined : subnetIds,
      ...more,
    },
  }),
  event: parseEvent,
  testEvent: JSON.stringify({
    eventType: 'validator_stake',
    ...TEST_BLOCK,
    nodeId: NodeId.format(new Uint8Array(20)),
    subnetId: PLATFORM_CHAIN,
  }),
  index: filtersOf(validatorFilter),
  follow: { over: 'primary', watch: watchValidators },
})
