import { Bech32, Id, NodeId } from '@firn/codec'
import { SECRET_ENCODINGS, type Webhooks } from '@firn/store'
import { addressText } from '../../evm/chain/addressText.ts'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import * as Settings from '../Settings.ts'
import type { WebhookContext } from '../WebhookContext.ts'

/** Number of addresses that an answer about a webhook contains. Others are listed by `/addresses`. */
export const SHOWN_KEYS = 100

const common = {
  id: Schema.text('Id of the webhook', '6f1c7a3e-0d5b-4c7e-8a53-0d6f1f0c2b11'),
  url: Schema.text(
    'URL to which messages are sent; empty if they are read as a stream',
    'https://example.com/events',
  ),
  chainId: Schema.text('The chain, as the creator of the webhook named it', '43114'),
  status: Schema.choice(['active', 'inactive'], 'Whether messages are sent'),
  inactiveReason: Schema.optional(
    Schema.text('Why the service deactivated the webhook', 'no attempt succeeded for 3 days'),
  ),
  createdAt: Field.seconds('Time of creation'),
  name: Schema.text('Name; may be empty', 'Deposits'),
  description: Schema.text('Description; may be empty', ''),
  secretEncoding: Schema.choice(
    SECRET_ENCODINGS,
    'Key of the signatures: the `text` of the secret, or the 32 bytes of which it is the hexadecimal form (`hex`)',
    'text',
  ),
}

const signatures = Schema.optional(
  Schema.list(
    Field.hash('Topic 0'),
    'If given, a transaction matches only by logs with one of these signatures that an address emitted or that have it as a topic',
  ),
)

/** Members of `metadata` of a webhook for activity on an EVM chain. */
export const EvmMetadata = Schema.object('AddressActivityMetadata', 'What the webhook observes', {
  addresses: Schema.list(
    Field.evmAddress('Address'),
    `Observed addresses; an answer contains the first ${SHOWN_KEYS}, and \`/addresses\` lists all`,
  ),
  eventSignatures: signatures,
})

const words = (all: readonly string[], description: string) =>
  Schema.list(Schema.choice(all, 'Kind of event'), description)

/** Members of `metadata` of a webhook for addresses of the Primary Network. */
export const AddressMetadata = Schema.object(
  'PrimaryNetworkAddressActivityMetadata',
  'What the webhook observes',
  {
    keyType: Schema.constant('addresses', 'Kind of the keys'),
    keys: Schema.list(
      Schema.text('Address in bech32', 'avax1qm2a25eytsrj235hq2vcp4xfqjxpqsrlr2ucqp'),
      'Observed addresses',
    ),
    subEvents: Schema.object('PrimaryNetworkAddressActivitySubEvents', 'Kinds of events', {
      addressActivitySubEvents: words(Settings.ADDRESS_SUB_EVENTS, 'Kinds of events to tell'),
    }),
    balanceThresholdFilter: Schema.optional(
      Schema.object('PrimaryNetworkBalanceThresholdFilter', 'A balance and the amount that it must cross', {
        balanceType: Schema.choice(Settings.BALANCE_TYPES, 'Kind of balance'),
        balanceThreshold: Field.nAvax('Amount'),
      }),
    ),
  },
)

/** Members of `metadata` of a webhook for validators. */
export const ValidatorMetadata = Schema.object('ValidatorActivityMetadata', 'What the webhook observes', {
  keyType: Schema.choice(Settings.VALIDATOR_KEY_TYPES, 'Kind of the key'),
  keys: Schema.list(Field.nodeId('Node id or subnet id'), 'One node id or subnet id'),
  subEvents: Schema.object('ValidatorActivitySubEvents', 'Kinds of events', {
    validatorActivitySubEvents: words(Settings.VALIDATOR_SUB_EVENTS, 'Kinds of events to tell'),
  }),
  nodeIds: Schema.optional(Schema.list(Field.nodeId('Node'), 'Nodes to which the events are limited')),
  subnetIds: Schema.optional(Schema.list(Field.cb58('Subnet'), 'Subnets to which the events are limited')),
  l1ValidatorFeeBalanceThreshold: Schema.optional(Field.nAvax('Balance below which an L1 validator is told')),
})

const include = {
  includeInternalTxs: Schema.optional(
    Schema.flag(
      'Whether messages contain internal calls; those of a block whose traces no node has returned in time contain none',
      false,
    ),
  ),
  includeLogs: Schema.optional(Schema.flag('Whether messages contain the logs of the transaction', false)),
  finality: Schema.optional(
    Schema.choice(
      Settings.FINALITIES,
      '`executed` (default) and `accepted`: told once the block is stored, which is after its execution; `settled`: told once a later block declares the results settled (ACP-194)',
      'executed',
    ),
  ),
}

/** A webhook for activity on an EVM chain. */
export const EvmWebhook = Schema.object('EVMAddressActivityResponse', 'A webhook for an EVM chain', {
  ...common,
  eventType: Schema.constant('address_activity', 'Kind of the events'),
  metadata: EvmMetadata,
  ...include,
})

const AddressWebhook = Schema.object(
  'PrimaryNetworkAddressActivityResponse',
  'A webhook for addresses of the Primary Network',
  {
    ...common,
    eventType: Schema.constant('primary_network_address_activity', 'Kind of the events'),
    metadata: AddressMetadata,
  },
)

const ValidatorWebhook = Schema.object('ValidatorActivityResponse', 'A webhook for validators', {
  ...common,
  eventType: Schema.constant('validator_activity', 'Kind of the events'),
  metadata: ValidatorMetadata,
})

/** Members of `metadata` of a webhook for undelivered messages. */
export const UndeliveredMetadata = Schema.object('IcmUndeliveredMetadata', 'What the webhook observes', {
  minutes: Schema.integer('Minutes after which a message that was sent counts as undelivered', 10),
  senders: Schema.optional(
    Schema.list(Field.evmAddress('Account or contract'), 'Senders to which the events are limited'),
  ),
  destinationBlockchainIds: Schema.optional(
    Schema.list(Field.cb58('Blockchain id'), 'Destinations to which the events are limited'),
  ),
})

const UndeliveredWebhook = Schema.object(
  'IcmUndeliveredResponse',
  'A webhook for messages to other chains that were not delivered in time',
  {
    ...common,
    eventType: Schema.constant('icm_undelivered', 'Kind of the events'),
    metadata: UndeliveredMetadata,
  },
)

/** A webhook of any kind. */
export const Webhook = Schema.union('Webhook', 'A webhook', [
  EvmWebhook,
  AddressWebhook,
  ValidatorWebhook,
  UndeliveredWebhook,
])

const asked = {
  url: Schema.optional(
    Schema.text('URL to which messages are sent; absent with `stream`', 'https://example.com/events'),
  ),
  stream: Schema.optional(
    Schema.flag('Whether the messages are only read at `/v1/webhooks/{id}/messages`, and not sent', false),
  ),
  name: Schema.optional(common.name),
  description: Schema.optional(common.description),
  secretEncoding: Schema.optional(common.secretEncoding),
}
const network = Schema.text('Name of the network, such as `mainnet` or `fuji`', 'fuji')

/** The body that creates a webhook. */
export const CreateRequest = Schema.union('CreateWebhookRequest', 'A webhook to create', [
  Schema.object('EVMAddressActivityRequest', 'A webhook for an EVM chain', {
    ...asked,
    chainId: Schema.text('EVM chain id, or a blockchain id in CB58', '43114'),
    eventType: Schema.constant('address_activity', 'Kind of the events'),
    metadata: EvmMetadata,
    ...include,
  }),
  Schema.object('PrimaryNetworkAddressActivityRequest', 'A webhook for addresses of the Primary Network', {
    ...asked,
    network,
    chainId: Schema.text('Name or id of a chain', 'p-chain'),
    eventType: Schema.constant('primary_network_address_activity', 'Kind of the events'),
    metadata: AddressMetadata,
  }),
  Schema.object('ValidatorActivityRequest', 'A webhook for validators', {
    ...asked,
    network,
    eventType: Schema.constant('validator_activity', 'Kind of the events'),
    metadata: ValidatorMetadata,
  }),
  Schema.object('IcmUndeliveredRequest', 'A webhook for messages that were not delivered in time', {
    ...asked,
    chainId: Schema.text('EVM chain id or blockchain id of the chain that sends the messages', '43114'),
    eventType: Schema.constant('icm_undelivered', 'Kind of the events'),
    metadata: UndeliveredMetadata,
  }),
])

/** Returns a webhook, with its first keys, in the Data API's format. */
export function webhook(row: Webhooks.Webhook, keys: readonly Uint8Array[], context: WebhookContext): Body {
  return {
    id: row.id,
    url: row.url,
    chainId: row.chain,
    status: row.is_active ? 'active' : 'inactive',
    inactiveReason: row.inactive_reason ?? undefined,
    createdAt: Number(row.created_at),
    name: row.name,
    description: row.description,
    secretEncoding: row.secret_encoding,
    eventType: row.event_type,
    ...PARTS[row.event_type as Settings.EventType](row.settings as never, keys, context),
  }
}

const PARTS: {
  readonly [T in Settings.EventType]: (
    settings: Settings.SettingsOf[T],
    keys: readonly Uint8Array[],
    context: WebhookContext,
  ) => { readonly [member: string]: Body | undefined }
} = {
  address_activity: ({ eventSignatures, ...options }, keys) => ({
    metadata: {
      addresses: keys.map(addressText),
      eventSignatures: eventSignatures.length === 0 ? undefined : eventSignatures,
    },
    ...options,
  }),
  primary_network_address_activity: ({ subEvents, balanceThresholdFilter }, keys, { primary }) => ({
    metadata: {
      keyType: 'addresses',
      keys: keys.map((key) => Bech32.encode(primary?.constants.hrp ?? 'custom', key)),
      subEvents: { addressActivitySubEvents: subEvents },
      balanceThresholdFilter,
    },
  }),
  validator_activity: ({ keyType, subEvents, nodeIds, subnetIds, ...more }, keys) => ({
    metadata: {
      keyType,
      keys: keys.map((key) => (keyType === 'nodeId' ? NodeId.format(key) : Id.format(key))),
      subEvents: { validatorActivitySubEvents: subEvents },
      nodeIds: nodeIds.length === 0 ? undefined : nodeIds,
      subnetIds: subnetIds.length === 0 ? undefined : subnetIds,
      ...more,
    },
  }),
  icm_undelivered: ({ minutes, destinationBlockchainIds: destinations }, keys) => ({
    metadata: {
      minutes,
      senders: keys.some((key) => key.length === 0) ? undefined : keys.map(addressText),
      destinationBlockchainIds: destinations.length === 0 ? undefined : destinations,
    },
  }),
}
