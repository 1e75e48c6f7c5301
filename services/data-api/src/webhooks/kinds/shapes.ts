import { SECRET_ENCODINGS } from '@firn/service-store'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'

/** Number of addresses that an answer about a webhook contains. Others are listed by `/addresses`. */
export const SHOWN_KEYS = 100

/** Members of every answer about a webhook. */
export const COMMON = {
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

/** Members of every request that creates a webhook. */
const ASKED = {
  url: Schema.optional(
    Schema.text('URL to which messages are sent; absent with `stream`', 'https://example.com/events'),
  ),
  stream: Schema.optional(
    Schema.flag('Whether the messages are only read at `/v1/webhooks/{id}/messages`, and not sent', false),
  ),
  name: Schema.optional(COMMON.name),
  description: Schema.optional(COMMON.description),
  secretEncoding: Schema.optional(COMMON.secretEncoding),
}

/** The member of requests about the Primary Network. */
export const NETWORK = Schema.text('Name of the network, such as `mainnet` or `fuji`', 'fuji')

/** Returns the schema of a list of kinds of events. */
export const subEvents = (all: readonly string[]) =>
  Schema.list(Schema.choice(all, 'Kind of event'), 'Kinds of events to send')

/** Returns the schemas of answers about webhooks of a kind, and of requests that create them. */
export function schemasOf(
  eventType: string,
  name: string,
  {
    response,
    request,
    members,
    metadata,
    options = {},
  }: {
    /** Descriptions. */
    readonly response: string
    readonly request: string
    /** Members of requests that name the source. */
    readonly members: Readonly<Record<string, Schema.Schema>>
    readonly metadata: Schema.Schema
    readonly options?: Readonly<Record<string, Schema.Schema>>
  },
) {
  const observed = { eventType: Schema.constant(eventType, 'Kind of the events'), metadata, ...options }
  return {
    response: Schema.object(`${name}Response`, response, { ...COMMON, ...observed }),
    request: Schema.object(`${name}Request`, request, { ...ASKED, ...members, ...observed }),
  }
}
