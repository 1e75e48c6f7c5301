import { fetchFirst, fetchRows, orderBy, prepared } from '@firn/sql'
import { sql } from 'kysely'
import type { EvmSnapshot } from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'
import { ICM_KINDS, type IcmKind } from '../IcmTables.ts'
import type { TransactionPlace } from './Transactions.ts'

/** Where something about a message was logged. */
export interface IcmLogged {
  readonly height: bigint
  readonly logIndex: bigint
  readonly transactionIndex: number
  readonly transactionHash: Uint8Array
  readonly gasUsed: bigint
  /** Time of the block in Unix seconds. */
  readonly time: bigint
  /** The messenger contract, or the sender of a Warp message. */
  readonly contract: Uint8Array
}

/** A message, as logged when this chain first sent it (`isSent`) or when it received it. */
export interface IcmMessage extends IcmLogged {
  readonly isSent: boolean
  readonly messageId: Uint8Array
  /** Id of the Warp message; null if the message was received. */
  readonly warpId: Uint8Array | null
  readonly source: Uint8Array
  readonly destination: Uint8Array
  readonly nonce: bigint
  readonly sender: Uint8Array
  readonly recipient: Uint8Array
  /** Account that delivered the message; null if it was sent, as is `rewardRedeemer`. */
  readonly relayer: Uint8Array | null
  readonly rewardRedeemer: Uint8Array | null
  /** Token of the fee, zero if there is none; null if the message was received, as is `feeAmount`. */
  readonly feeToken: Uint8Array | null
  readonly feeAmount: bigint | null
  /** The Warp message without signature if the message was sent, otherwise the data of the log. */
  readonly body: Uint8Array
}

/** Something that happened to a message. */
export interface IcmEvent extends IcmLogged {
  readonly kind: IcmKind
  /** Id of the message, or of the Warp message; null for `redeemed`. */
  readonly messageId: Uint8Array | null
  /** For `warp`, the blockchain id of this chain. */
  readonly source: Uint8Array | null
  /** Address that may redeem the fee, or that redeemed it. */
  readonly relayer: Uint8Array | null
  readonly feeToken: Uint8Array | null
  readonly feeAmount: bigint | null
  /** For `warp`, the Warp message without signature. */
  readonly body: Uint8Array | null
}

/** What identifies a message: its id, and its messenger, from which the id follows. */
export type IcmKey = Pick<IcmMessage, 'messageId' | 'contract'>

const LOGGED = sql`t.height, t.log_index as "logIndex", t.transaction_index as "transactionIndex",
  t.transaction_hash as "transactionHash", t.gas_used as "gasUsed", t.time, t.contract`
const FEE = sql`t.fee_token as "feeToken", t.fee_amount as "feeAmount"`
/** The columns of a message `t`. */
export const MESSAGE = sql`${LOGGED}, t.is_sent as "isSent", t.message_id as "messageId", t.warp_id as "warpId", t.source,
  t.destination, t.nonce, t.sender, t.recipient, t.relayer, t.reward_redeemer as "rewardRedeemer", ${FEE}, t.body`
const EVENT = sql`${LOGGED}, t.kind, t.message_id as "messageId", t.source, t.relayer, ${FEE}, t.body`

/**
 * Returns the messages with the given ids, as logged by this chain: at most two for each id, if a chain sends messages to
 * itself.
 *
 * @example
 * ```ts
 * import { EvmIcm, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * declare const messageId: Uint8Array
 * const at = await store.snapshot()
 * const messages = await EvmIcm.byIds(store, at, [messageId])
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function byIds(
  store: EvmStore,
  at: EvmSnapshot,
  ids: readonly Uint8Array[],
): Promise<readonly IcmMessage[]> {
  if (ids.length === 0) return []
  return fetchRows(
    store,
    sql<IcmMessage>`${prepared} select ${MESSAGE} from icm_message as t
    where t.message_id = any(${sql.val([...ids])}::bytea[]) and t.height <= ${at.height} ${orderBy(PLACE, 'asc')}`,
  )
}

const PLACE = [sql`t.height`, sql`t.log_index`]

/**
 * Returns the message that this chain sent with the Warp message with an id, or undefined if there is none.
 *
 * @example
 * ```ts
 * import { EvmIcm, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * declare const warpId: Uint8Array
 * const message = await EvmIcm.byWarpId(store, await store.snapshot(), warpId)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function byWarpId(
  store: EvmStore,
  at: EvmSnapshot,
  warpId: Uint8Array,
): Promise<IcmMessage | undefined> {
  return fetchFirst(
    store,
    sql<IcmMessage>`${prepared} select ${MESSAGE} from icm_message as t
    where t.warp_id = ${warpId} and t.height <= ${at.height} ${orderBy(PLACE, 'asc')} limit 1`,
  )
}

/**
 * Returns the Warp message with an id that a contract of this chain other than a messenger sent, or undefined if there is
 * none.
 *
 * @example
 * ```ts
 * import { EvmIcm, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * declare const warpId: Uint8Array
 * const event = await EvmIcm.warpMessage(store, await store.snapshot(), warpId)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function warpMessage(
  store: EvmStore,
  at: EvmSnapshot,
  warpId: Uint8Array,
): Promise<IcmEvent | undefined> {
  return fetchFirst(
    store,
    sql<IcmEvent>`${prepared} select ${EVENT} from icm_event as t
    where t.message_id = ${warpId} and t.kind = 'warp' and t.height <= ${at.height} ${orderBy(PLACE, 'asc')} limit 1`,
  )
}

/** Kinds of events of one message. */
const OF_MESSAGE = ICM_KINDS.filter((kind) => kind !== 'warp' && kind !== 'redeemed')

/**
 * Returns what happened to messages on this chain, in order: of each kind, at most the newest `most` events of a message.
 *
 * @example
 * ```ts
 * import { EvmIcm, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * declare const message: EvmIcm.IcmMessage
 * const events = await EvmIcm.eventsOf(store, await store.snapshot(), [message], 10)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function eventsOf(
  store: EvmStore,
  at: EvmSnapshot,
  keys: readonly IcmKey[],
  most: number,
): Promise<readonly IcmEvent[]> {
  if (keys.length === 0) return []
  const newest = [sql`t.message_id`, sql`t.kind`, sql`t.contract`, ...PLACE]
  return fetchRows(
    store,
    sql<IcmEvent>`${prepared} select ${EVENT}
    from unnest(${sql.val(keys.map(({ messageId }) => messageId))}::bytea[],
      ${sql.val(keys.map(({ contract }) => contract))}::bytea[]) as k (message_id, contract)
    cross join unnest(${sql.val([...OF_MESSAGE])}::text[]) as kinds (kind)
    cross join lateral (select * from icm_event as t where t.message_id = k.message_id and t.kind = kinds.kind
      and t.contract = k.contract and t.height <= ${at.height} ${orderBy(newest, 'desc')} limit ${most}) as t
    ${orderBy(PLACE, 'asc')}`,
  )
}

/** The payment of a fee to a relayer. */
export interface Payment {
  readonly contract: Uint8Array
  readonly relayer: Uint8Array
  readonly feeToken: Uint8Array
  /** Where the receipt was logged with which the fee became redeemable. */
  readonly after: { readonly height: bigint; readonly logIndex: bigint }
}

/**
 * Returns the event with which a relayer redeemed a fee, together with all others of the token, or undefined if it did
 * not yet.
 *
 * @example
 * ```ts
 * import { EvmIcm, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * declare const payment: EvmIcm.Payment
 * const event = await EvmIcm.redemption(store, await store.snapshot(), payment)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function redemption(
  store: EvmStore,
  at: EvmSnapshot,
  { contract, relayer, feeToken, after }: Payment,
): Promise<IcmEvent | undefined> {
  const order = [sql`t.contract`, sql`t.relayer`, sql`t.fee_token`, ...PLACE]
  return fetchFirst(
    store,
    sql<IcmEvent>`${prepared} select ${EVENT} from icm_event as t
    where t.kind = 'redeemed' and t.contract = ${contract} and t.relayer = ${relayer} and t.fee_token = ${feeToken}
      and (t.height, t.log_index) > (${after.height}, ${after.logIndex}) and t.height <= ${at.height}
    ${orderBy(order, 'asc')} limit 1`,
  )
}

/**
 * Returns the messages that a transaction sent or received, in the order of their logs.
 *
 * @example
 * ```ts
 * import { EvmIcm, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const messages = await EvmIcm.ofTransaction(store, { height: 42n, index: 0 })
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function ofTransaction(
  store: EvmStore,
  { height, index }: TransactionPlace,
): Promise<readonly IcmMessage[]> {
  return fetchRows(
    store,
    sql<IcmMessage>`${prepared} select ${MESSAGE} from icm_message as t
    where t.height = ${height} and t.transaction_index = ${index} ${orderBy(PLACE, 'asc')}`,
  )
}

/**
 * Returns the blockchain id of this chain: the source of what it sent, otherwise the destination of what messengers
 * received. Undefined without messages.
 *
 * @example
 * ```ts
 * import { EvmIcm, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const blockchainId = await EvmIcm.blockchainId(store)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function blockchainId(store: EvmStore): Promise<Uint8Array | undefined> {
  const order = [sql`t.is_sent`, sql`t.time`, ...PLACE]
  const row = await fetchFirst(
    store,
    sql<{ readonly id: Uint8Array }>`${prepared}
    (select 1 as rank, t.source as id from icm_message as t where t.is_sent ${orderBy(order)} limit 1)
    union all (select 2, t.destination from icm_message as t where not t.is_sent ${orderBy(order)} limit 1) order by rank limit 1`,
  )
  return row?.id
}

/** The blocks whose messages are stored. */
export interface IcmProgress {
  /** Height from which on messages are stored and kept. */
  readonly from: bigint
  /** Height of the next block whose messages are read. It is the height of the next block unless older blocks are still read. */
  readonly next: bigint
  /** Whether the messages of all blocks from the chain's first one on are stored. */
  readonly isWhole: boolean
}

/**
 * Returns the blocks whose messages are stored; undefined if no messages of the chain are stored.
 *
 * @example
 * ```ts
 * import { EvmIcm, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const progress = await EvmIcm.progress(store)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function progress(store: EvmStore): Promise<IcmProgress | undefined> {
  return fetchFirst(
    store,
    sql<IcmProgress>`${prepared} select f.height as "from", greatest(p.next_height, f.height) as next,
      c.first_height <= 1 and f.height <= c.first_height as "isWhole"
    from icm_progress as p cross join chain as c cross join lateral (select greatest(p.from_height,
      (select below from pruned where kind = 'messages')) as height) as f`,
  )
}
