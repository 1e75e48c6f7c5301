import { bool, bytea, int4, int8, nullable, numeric, oneOf } from '@firn/sql/table'
import { table } from './internal/evmTable.ts'

/** What happened to a message after it was sent, in the order in which it usually happens. */
export const ICM_KINDS = [
  /** A contract that is no messenger sent a Warp message. */
  'warp',
  /** A messenger sent a message again. */
  'resent',
  'feeAdded',
  'executed',
  'failed',
  'receipt',
  /** A relayer redeemed its fees of a token, for any number of messages. */
  'redeemed',
] as const
export type IcmKind = (typeof ICM_KINDS)[number]

/** Where something was logged. */
const logged = {
  height: int8,
  log_index: int8,
  transaction_index: int4,
  transaction_hash: bytea,
  /** Gas that the transaction used. */
  gas_used: numeric,
  /** Time of the block in Unix seconds. */
  time: int8,
  /** The messenger contract, or the sender of a Warp message. */
  contract: bytea,
}

/** The tables of interchain messages, see `IcmEvents` of `@firn/evm`. A chain of which only events are stored has none. */
export const ICM_TABLES = {
  /** Messages of messenger contracts: a row on the source chain when one is first sent, and one on its destination. */
  icm_message: table({
    columns: {
      ...logged,
      /** Whether this chain sent the message; otherwise, it received it. */
      is_sent: bool,
      message_id: bytea,
      /** Id of the Warp message; null on the destination. */
      warp_id: nullable(bytea),
      /** Blockchain id of the source. */
      source: bytea,
      destination: bytea,
      nonce: numeric,
      sender: bytea,
      recipient: bytea,
      /** Account that delivered the message; null on the source, as is the next column. */
      relayer: nullable(bytea),
      reward_redeemer: nullable(bytea),
      /** Token of the fee; null on the destination. Zero if there is no fee. */
      fee_token: nullable(bytea),
      fee_amount: nullable(numeric),
      /** On the source, the Warp message without signature. On the destination, the data of the log. */
      body: bytea,
    },
    primaryKey: ['height', 'log_index'],
    indexes: {
      storing: ['(message_id)'],
      requests: [
        '(warp_id) where warp_id is not null',
        '(is_sent, time, height, log_index)',
        '(is_sent, sender, time, height, log_index)',
        '(is_sent, recipient, time, height, log_index)',
        '(is_sent, source, time, height, log_index)',
        '(is_sent, destination, time, height, log_index)',
      ],
    },
  }),
  /** Everything else that happened. An event counts for a message if the message has the same contract. */
  icm_event: table({
    columns: {
      ...logged,
      kind: oneOf(...ICM_KINDS),
      /** Id of the message; for `warp`, id of the Warp message. Null for `redeemed`. */
      message_id: nullable(bytea),
      /** For `warp`, blockchain id of this chain. */
      source: nullable(bytea),
      /** Address that may redeem the fee, or that redeemed it. */
      relayer: nullable(bytea),
      fee_token: nullable(bytea),
      fee_amount: nullable(numeric),
      /** For `warp`, the Warp message without signature. */
      body: nullable(bytea),
    },
    primaryKey: ['height', 'log_index'],
    indexes: {
      requests: [
        '(message_id, kind, contract, height, log_index) where message_id is not null',
        `(contract, relayer, fee_token, height, log_index) where kind = 'redeemed'`,
      ],
    },
  }),
  /** Number of rows of `icm_message` per period and route. */
  icm_count: table({
    columns: {
      period: oneOf('hour', 'day', 'week', 'month', 'all'),
      /** Start of the period in Unix seconds. */
      start: int8,
      is_sent: bool,
      source: bytea,
      destination: bytea,
      messages: int8,
    },
    primaryKey: ['period', 'is_sent', 'start', 'source', 'destination'],
  }),
  /** Which blocks the other tables cover; one row, or none on a chain of which only events are stored. */
  icm_progress: table({
    columns: {
      /** Height from which on messages are stored. */
      from_height: int8,
      /** Height of the next block whose messages are read: the next block, or one whose logs are stored. */
      next_height: int8,
    },
  }),
}
