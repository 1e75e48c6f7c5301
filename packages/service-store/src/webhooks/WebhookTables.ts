import {
  bool,
  bytea,
  int4,
  int8,
  jsonb,
  nullable,
  oneOf,
  type RowOf,
  table,
  text,
  timestamptz,
  withDefault,
} from '@firn/sql/table'

/** The states of a delivery. `queued` ones are sent, in order; the others are kept for a while, for replays. */
export const DELIVERY_STATES = ['queued', 'delivered', 'dead'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** Whether the key of signatures is the text of the secret, or the bytes of which it is the hexadecimal form. */
export const SECRET_ENCODINGS = ['text', 'hex'] as const
export type SecretEncoding = (typeof SECRET_ENCODINGS)[number]

/**
 * The tables of webhooks: what their owners asked for, and the deliveries. They are beside the API keys, and not in the
 * schema of each chain, because an embedded database has a folder for each chain. Times with the suffix `_ms` are Unix
 * milliseconds by the clock of the service that wrote them.
 */
export const WEBHOOK_TABLES = {
  /** Counts the changes of webhooks. The table has at most one row, which every change locks until its end. */
  webhook_revision: table({ columns: { id: int4, revision: int8 }, primaryKey: ['id'] }),
  webhook: table({
    columns: {
      /** UUID. */
      id: text,
      /** SHA-256 of the API key that created the webhook. Others cannot see it. */
      owner: bytea,
      /** Where the events come from: `evm:<chain id>`, or `primary`. */
      source: text,
      event_type: text,
      /** The chain as the owner named it. */
      chain: text,
      /** Where messages are sent; empty if the owner reads them as a stream. */
      url: text,
      /** Host of the URL, by which deliveries are limited. */
      host: text,
      name: text,
      description: text,
      is_active: bool,
      /** Why the service deactivated the webhook; null if its owner did. */
      inactive_reason: nullable(text),
      /** Time of creation in Unix seconds. */
      created_at: int8,
      /** Filters and options, without the keys. */
      settings: jsonb,
      /** How the secret becomes the key of signatures. */
      secret_encoding: withDefault(oneOf(...SECRET_ENCODINGS), "'text'"),
      /** Position of the source after which events are delivered. */
      from_sequence: int8,
      /** The revision that created the webhook, by which lists are sorted. */
      position: int8,
      /** The revision that changed the webhook, or its keys, last. */
      revision: int8,
    },
    primaryKey: ['id'],
    indexes: ['(owner, position)', '(revision)'],
  }),
  /** What a webhook observes, such as addresses. */
  webhook_key: table({ columns: { webhook_id: text, key: bytea }, primaryKey: ['webhook_id', 'key'] }),
  /** The secret with which the deliveries of an owner are signed. Receivers need it, so it is not hashed. */
  webhook_secret: table({ columns: { owner: bytea, secret: text }, primaryKey: ['owner'] }),
  /** How far the events of each source were compared with the webhooks, and by whom. */
  webhook_source: table({
    columns: {
      source: text,
      /** Position of the last compared change. */
      sequence: int8,
      /** Height up to which webhooks that wait for settled results have received events; null if none waits. */
      settled: nullable(int8),
      /** The process that compares; null if any process may. */
      holder: nullable(text),
      expires_at: nullable(timestamptz),
    },
    primaryKey: ['source'],
  }),
  /** Events that at least one webhook matched. */
  webhook_event: table({
    columns: {
      source: text,
      /** The change that the event is part of, and the place within it. */
      sequence: int8,
      position: int4,
      height: int8,
      block_hash: bytea,
      /** The parts of the message, as JSON. */
      body: text,
      created_ms: int8,
    },
    primaryKey: ['source', 'sequence', 'position'],
    indexes: ['(source, block_hash)', '(created_ms)'],
  }),
  /** One row for each webhook and event, and one for each removal of an event by a reorg. */
  webhook_delivery: table({
    columns: {
      webhook_id: text,
      /** The change that caused the delivery, and the place within it. A webhook's deliveries are sent in this order. */
      sequence: int8,
      position: int4,
      source: text,
      /** The event; for a removal, the event that is removed. */
      event_sequence: int8,
      event_position: int4,
      is_removal: bool,
      state: oneOf(...DELIVERY_STATES),
      attempts: int4,
      created_ms: int8,
      first_attempt_ms: nullable(int8),
      /** Time of the last attempt. */
      attempted_ms: nullable(int8),
      /** HTTP status of the last attempt; null if there was no response. */
      status: nullable(int4),
      /** Why the last attempt failed; null if it did not. */
      failure: nullable(text),
    },
    primaryKey: ['webhook_id', 'sequence', 'position'],
    indexes: [
      `(webhook_id, sequence, position) where state = 'queued'`,
      '(source, event_sequence, event_position)',
      `(created_ms) where state <> 'queued'`,
    ],
  }),
  /** When each webhook is due. A row is locked by whoever changes its deliveries. */
  webhook_queue: table({
    columns: {
      webhook_id: text,
      host: text,
      /** Time of the next attempt; null if nothing is queued, or if the webhook is inactive. */
      due_ms: nullable(int8),
      /** The process that sends the deliveries, until the claim expires. */
      claimed_by: nullable(text),
      claimed_until: nullable(timestamptz),
      /** Number of failed attempts since the last successful one, and the time of the first of them. */
      failures: int4,
      failing_since_ms: nullable(int8),
    },
    primaryKey: ['webhook_id'],
    indexes: ['(due_ms) where due_ms is not null'],
    parameters: 'fillfactor = 70',
  }),
}

export type WebhookRow = RowOf<typeof WEBHOOK_TABLES.webhook>
export type DeliveryRow = RowOf<typeof WEBHOOK_TABLES.webhook_delivery>
