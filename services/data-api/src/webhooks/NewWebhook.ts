import { OutboundTarget } from '@firn/outbound'
import { SECRET_ENCODINGS } from '@firn/service-store'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as members from './common/members.ts'
import type { WebhookContext } from './common/WebhookContext.ts'
import type { Asked } from './kinds/Kind.ts'
import { EVENT_TYPES, type EventType, kindOf } from './kinds/Kinds.ts'

export const MOST_URL = 2_048
const MOST_NAME = 128
const MOST_DESCRIPTION = 1_024

/**
 * Parses the members that every webhook has.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function readCommon(body: members.Members, { policy }: WebhookContext) {
  const url = members.text(body, 'url', MOST_URL)
  return {
    ...(url === undefined ? {} : readUrl(url, policy)),
    name: members.text(body, 'name', MOST_NAME),
    description: members.text(body, 'description', MOST_DESCRIPTION),
    secret_encoding: members.choice(body, 'secretEncoding', SECRET_ENCODINGS),
  }
}

/** The reasons why a URL is refused, in words. */
const REFUSALS: { readonly [F in OutboundTarget.TargetFailure]: string } = {
  'uri-scheme': 'an https URL',
  'uri-credentials': 'a URL without user name and password',
  'uri-port': 'a URL with an allowed port',
  'uri-address': 'a URL with a public address',
  'name-not-found': 'a URL whose host exists',
  timeout: 'a URL whose host exists',
}

function readUrl(text: string, policy: OutboundTarget.TargetPolicy) {
  const url = URL.parse(text)
  if (url === null) throw Parameter.refused('url', 'a URL such as https://example.com/events', 'another text')
  const failure = OutboundTarget.refuse(url, policy)
  if (failure !== undefined) {
    const ports = failure === 'uri-port' ? ` (${policy.ports?.join(', ')})` : ''
    throw Parameter.refused('url', `${REFUSALS[failure]}${ports}`, 'another one')
  }
  return { url: text, host: url.host }
}

/** A new webhook: what its creator asks for, and the position of its source after which events are sent. */
export interface NewWebhook extends Asked {
  readonly eventType: EventType
  readonly fromSequence: bigint
}

/**
 * Parses the members of a new webhook that depend on the kind of its events.
 * @throws DataApiError `DATA_PARAMETER`, `DATA_NOT_FOUND` if the chain is not served, `DATA_UNAVAILABLE`
 */
export async function readAsked(body: members.Members, context: WebhookContext): Promise<NewWebhook> {
  const type = members.choice(body, 'eventType', EVENT_TYPES)
  const metadata = members.required(body, 'metadata', members.inner(body, 'metadata'), 'a JSON object')
  const eventType = members.required(body, 'eventType', type, `one of ${EVENT_TYPES.join(', ')}`)
  const kind = kindOf(eventType)
  const asked = await kind.read(body, metadata, context)
  return { ...asked, eventType, fromSequence: await kind.position(asked.source, context) }
}
