import { Id } from '@firn/codec'
import { addressText } from '../../evm/chain/addressText.ts'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import * as Names from '../../primary/network/Names.ts'
import * as members from '../common/members.ts'
import * as Source from '../common/Source.ts'
import { undeliveredFeed } from '../icm/undeliveredFeed.ts'
import {
  ANY_SENDER,
  MOST_MINUTES,
  type UndeliveredSettings,
  undeliveredFilter,
} from '../icm/undeliveredFilter.ts'
import { define, filtersOf, parseEvent } from './Kind.ts'
import { EVM_ADDRESSES, readChain, readIds } from './reading.ts'
import { schemasOf } from './shapes.ts'

const Metadata = Schema.object('IcmUndeliveredMetadata', 'What the webhook observes', {
  minutes: Schema.integer('Minutes after which a message that was sent counts as undelivered', 10),
  senders: Schema.optional(
    Schema.list(Field.evmAddress('Account or contract'), 'Senders to which the events are limited'),
  ),
  destinationBlockchainIds: Schema.optional(
    Schema.list(Field.cb58('Blockchain id'), 'Destinations to which the events are limited'),
  ),
})

/** Messages to other chains that were not delivered in time. */
export const icmUndelivered = define({
  isOfficial: false,
  ...schemasOf('icm_undelivered', 'IcmUndelivered', {
    response: 'A webhook for messages to other chains that were not delivered in time',
    request: 'A webhook for messages that were not delivered in time',
    members: {
      chainId: Schema.text('EVM chain id or blockchain id of the chain that sends the messages', '43114'),
    },
    metadata: Metadata,
  }),
  async read(body, metadata, context) {
    const { chain, parsed, served } = await readChain(body, context)
    if (served.chain.isEventsOnly === true)
      throw new DataApiError(
        'DATA_PARAMETER',
        'chainId: the chain is stored without messages to other chains',
      )
    const minutes = members.integer(metadata, 'minutes', 1, MOST_MINUTES)
    const senders = members.list(metadata, 'senders', EVM_ADDRESSES) ?? []
    return {
      source: Source.ofUndelivered(parsed),
      chain,
      settings: {
        minutes: members.required(metadata, 'minutes', minutes, 'a number of minutes'),
        destinationBlockchainIds: readIds(metadata, 'destinationBlockchainIds', Names.parseId, Id.format),
      },
      keys: senders.length === 0 ? [ANY_SENDER] : senders,
    }
  },
  position: async (_source, { now }) => BigInt(Math.floor(now())),
  body: ({ minutes, destinationBlockchainIds: destinations }: UndeliveredSettings, keys) => ({
    metadata: {
      minutes,
      senders: keys.some((key) => key.length === 0) ? undefined : keys.map(addressText),
      destinationBlockchainIds: destinations.length === 0 ? undefined : destinations,
    },
  }),
  event: parseEvent,
  testEvent: JSON.stringify({ eventType: 'undelivered', minutes: 0, message: {} }),
  index: filtersOf(undeliveredFilter),
  follow: {
    over: 'evm',
    sourceOf: Source.ofUndelivered,
    feed: (chain, filters, { evm, now }) => evm && undeliveredFeed(chain, evm, filters, now),
  },
})
