import { Bech32 } from '@firn/codec'
import * as Field from '../../http/endpoint/Field.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import * as Names from '../../primary/network/Names.ts'
import * as members from '../common/members.ts'
import * as Source from '../common/Source.ts'
import { MOST_KEYS } from '../common/WebhookContext.ts'
import { watchAddresses } from '../primary/addressEvents.ts'
import {
  ADDRESS_SUB_EVENTS,
  ADDRESS_SUB_EVENTS_OF,
  type AddressSettings,
  addressFilter,
  BALANCE_TYPES,
  BALANCE_TYPES_OF,
} from '../primary/addressFilter.ts'
import { define, filtersOf, parseEvent, TEST_BLOCK } from './Kind.ts'
import { AMOUNT, primaryOf, primaryPosition, readAmount, readSubEvents } from './reading.ts'
import { NETWORK, schemasOf, subEvents } from './shapes.ts'

const Metadata = Schema.object('PrimaryNetworkAddressActivityMetadata', 'What the webhook observes', {
  keyType: Schema.constant('addresses', 'Kind of the keys'),
  keys: Schema.list(
    Schema.text('Address in bech32', 'avax1qm2a25eytsrj235hq2vcp4xfqjxpqsrlr2ucqp'),
    'Observed addresses',
  ),
  subEvents: Schema.object('PrimaryNetworkAddressActivitySubEvents', 'Kinds of events', {
    addressActivitySubEvents: subEvents(ADDRESS_SUB_EVENTS),
  }),
  balanceThresholdFilter: Schema.optional(
    Schema.object('PrimaryNetworkBalanceThresholdFilter', 'A balance and the amount that it must cross', {
      balanceType: Schema.choice(BALANCE_TYPES, 'Kind of balance'),
      balanceThreshold: Field.nAvax('Amount'),
    }),
  ),
})

/** Transactions of the Primary Network that change balances of observed addresses. */
export const primaryAddressActivity = define({
  isOfficial: true,
  ...schemasOf('primary_network_address_activity', 'PrimaryNetworkAddressActivity', {
    response: 'A webhook for addresses of the Primary Network',
    request: 'A webhook for addresses of the Primary Network',
    members: { network: NETWORK, chainId: Schema.text('Name or id of a chain', 'p-chain') },
    metadata: Metadata,
  }),
  async read(body, metadata, context) {
    const primary = primaryOf(body, context)
    const chain = members.required(body, 'chainId', members.text(body, 'chainId', 64), 'a chain')
    const parameter = Names.primaryBlockchain(primary)
    const name = parameter.parse([chain])
    if (name === undefined) throw Parameter.refused('chainId', parameter.expected, 'another text')
    const { hrp } = primary.constants
    const keys = members.list(metadata, 'keys', {
      expected: `addresses like P-${hrp}1…`,
      most: MOST_KEYS,
      parse: (text) => parseBech32(text, hrp),
    })
    members.choice(metadata, 'keyType', ['addresses'])
    if (keys === undefined || keys.length === 0)
      throw Parameter.refused('metadata.keys', 'at least one address', 'none')
    const subEvents = readSubEvents(metadata, 'addressActivitySubEvents', ADDRESS_SUB_EVENTS_OF[name])
    const filter = members.inner(metadata, 'balanceThresholdFilter')
    if (subEvents.includes('balance_threshold'))
      members.required(
        metadata,
        'balanceThresholdFilter',
        filter,
        'a balance and an amount, for balance_threshold',
      )
    return {
      source: Source.ofPrimary(Names.LETTER[name]),
      chain,
      settings: {
        subEvents,
        ...(filter === undefined ? {} : { balanceThresholdFilter: readFilter(filter, name) }),
      },
      keys,
    }
  },
  position: primaryPosition,
  body: ({ subEvents, balanceThresholdFilter }: AddressSettings, keys, { primary }) => ({
    metadata: {
      keyType: 'addresses',
      keys: keys.map((key) => Bech32.encode(primary?.constants.hrp ?? 'custom', key)),
      subEvents: { addressActivitySubEvents: subEvents },
      balanceThresholdFilter,
    },
  }),
  event: parseEvent,
  testEvent: JSON.stringify({ eventType: 'balance_change', ...TEST_BLOCK, addresses: [], balances: {} }),
  index: filtersOf(addressFilter),
  follow: { over: 'primary', watch: watchAddresses },
})

function readFilter(filter: members.Members, chain: Names.ChainName) {
  const types = BALANCE_TYPES_OF[chain]
  const type = members.choice(filter, 'balanceType', types)
  return {
    balanceType: members.required(filter, 'balanceType', type, `one of ${types.join(', ')}`),
    balanceThreshold: members.required(
      filter,
      'balanceThreshold',
      readAmount(filter, 'balanceThreshold'),
      AMOUNT,
    ),
  }
}

function parseBech32(text: string, hrp: string): Uint8Array | undefined {
  try {
    const decoded = Bech32.decode(text.replace(/^[PXC]-/, ''))
    return decoded.hrp === hrp && decoded.payload.length === 20 ? decoded.payload : undefined
  } catch {
    return undefined
  }
}
