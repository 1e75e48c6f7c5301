import type { IcmEvents, Transaction } from '@firn/evm'
import type { IcmEventRow, IcmMessageRow } from '../EvmSchema.ts'
import { fitting } from './fitting.ts'

/** A row of a message, or of an event of one, in the order of the logs. */
export type IcmRow =
  | { readonly table: 'icm_message'; readonly row: IcmMessageRow }
  | { readonly table: 'icm_event'; readonly row: IcmEventRow }

/** The block of an event, and its transaction. */
export interface Emitted {
  readonly height: bigint
  readonly time: bigint
  readonly transaction: Pick<Transaction, 'hash' | 'gasUsed'>
}

const NOTHING = { source: null, relayer: null, fee_token: null, fee_amount: null, body: null }
const NO_DELIVERY = { relayer: null, reward_redeemer: null }
const NO_SENDING = { warp_id: null, fee_token: null, fee_amount: null }

/**
 * Returns the row of an event. A message that is sent again, too, is a row of `icm_message`; only {@link storeIcm} knows
 * earlier ones.
 * @throws StoreError `STORE_BLOCK`
 */
export function icmRow(event: IcmEvents.IcmEvent, { height, time, transaction }: Emitted): IcmRow {
  const logged = {
    height,
    log_index: fitting(event.logIndex, height, 'logIndex'),
    transaction_index: event.transactionIndex,
    transaction_hash: transaction.hash,
    gas_used: transaction.gasUsed,
    time,
    contract: event.contract,
  }
  const { kind } = event
  if (kind === 'sent' || kind === 'received') return { table: 'icm_message', row: messageRow(event, logged) }
  const fee = 'fee' in event ? { fee_token: event.fee.token, fee_amount: event.fee.amount } : {}
  const relayer = 'relayer' in event ? { relayer: event.relayer } : {}
  if (kind !== 'warp') {
    const message_id = kind === 'redeemed' ? null : event.messageId
    return { table: 'icm_event', row: { ...logged, kind, ...NOTHING, message_id, ...fee, ...relayer } }
  }
  const { warpId, source, unsigned } = event
  return {
    table: 'icm_event',
    row: { ...logged, kind, ...NOTHING, message_id: warpId, source, body: unsigned },
  }
}

type Logged = Pick<
  IcmMessageRow,
  'height' | 'log_index' | 'transaction_index' | 'transaction_hash' | 'gas_used' | 'time' | 'contract'
>

function messageRow(event: IcmEvents.MessageSent | IcmEvents.MessageReceived, logged: Logged): IcmMessageRow {
  const { messageId, source, message } = event
  const { destination, nonce, sender, recipient } = message
  const about = { ...logged, message_id: messageId, source, destination, nonce, sender, recipient }
  if (event.kind === 'received') {
    const { relayer, rewardRedeemer: reward_redeemer, data } = event
    return { ...about, is_sent: false, ...NO_SENDING, relayer, reward_redeemer, body: data }
  }
  const { warpId: warp_id, fee, unsigned } = event
  const sending = { warp_id, fee_token: fee.token, fee_amount: fee.amount }
  return { ...about, is_sent: true, ...sending, ...NO_DELIVERY, body: unsigned }
}

/** Returns the row of an event for a message that was sent before. */
export function resentRow({ message_id, fee_token, fee_amount, ...row }: IcmMessageRow): IcmEventRow {
  const { height, log_index, transaction_index, transaction_hash, gas_used, time, contract } = row
  const logged = { height, log_index, transaction_index, transaction_hash, gas_used, time, contract }
  return { ...logged, kind: 'resent', ...NOTHING, message_id, fee_token, fee_amount }
}
