import { behind, fetchRows, orderBy } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { EvmSnapshot } from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'
import { notIn } from '../internal/notIn.ts'
import { type IcmMessage, MESSAGE } from './Icm.ts'

/** The position of a message in a list that is sorted by time. */
export interface IcmPlace {
  readonly time: bigint
  readonly height: bigint
  readonly logIndex: bigint
}

/** A column by which messages are found. */
export type IcmColumn = 'sender' | 'recipient' | 'source' | 'destination'

/** Options of {@link page}. */
export interface IcmQuery {
  /** Whether to list the messages that this chain sent, or those that it received. */
  readonly isSent: boolean
  /** The values that the messages have in columns. They are found by the first one, and compared with the others. */
  readonly where: readonly (readonly [column: IcmColumn, value: Uint8Array])[]
  /** Blockchain ids of sources whose messages are left out. */
  readonly exceptSources?: readonly Uint8Array[]
  /** Time (Unix seconds) from which on messages are listed. */
  readonly since?: bigint | undefined
  /** Place before which messages are listed: they are sorted newest first. */
  readonly after?: IcmPlace | undefined
  readonly limit: number
  /** Maximum number of messages to examine. */
  readonly mostExamined: number
}

/** A part of a list of messages. */
export interface IcmPage {
  readonly messages: readonly IcmMessage[]
  /** Position up to which messages were examined, if the query stopped before the end of the list and the limit. */
  readonly stoppedAt: IcmPlace | undefined
}

const LAST = 2n ** 63n - 1n

/**
 * Returns the messages that this chain sent or received, newest first. The number of messages that a query examines is
 * limited. If it stops before the end, the page says where, and the next page can start there.
 *
 * @example
 * ```ts
 * import { EvmIcm, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const query = { isSent: true, where: [], limit: 25, mostExamined: 1_000 }
 * const { messages } = await EvmIcm.page(store, await store.snapshot(), query)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function page(store: EvmStore, at: EvmSnapshot, query: IcmQuery): Promise<IcmPage> {
  const { isSent, where, exceptSources = [], since = 0n, limit, mostExamined } = query
  const [key, ...others] = where
  const after = query.after ?? { time: LAST, height: LAST, logIndex: LAST }
  const fixed = [
    [sql`t.is_sent`, sql`${isSent}::boolean`],
    ...(key === undefined ? [] : [columnOf(key)]),
  ] as const
  const columns = [...fixed.map(([column]) => column), ...PLACE]
  const boundAt = (...place: readonly bigint[]) => [...fixed.map(([, value]) => value), ...place]
  const matches = [
    ...others.map((one) => sql`${sql.join(columnOf(one), sql` = `)}`),
    notIn(sql`t.source`, exceptSources),
  ]
  const isExact = others.length === 0 && exceptSources.length === 0
  const examined = isExact ? limit : mostExamined
  // Both bounds are row comparisons on all columns of an index. With equality of the values, the planner may sort all rows.
  const rows = await fetchRows(
    store,
    sql<IcmMessage & { readonly isStop: boolean }>`
    with examined as materialized (select t.time, t.height, t.log_index, ${sql.join(matches, sql` and `)} as matches
      from icm_message as t
      where ${behind(columns, boundAt(since - 1n, LAST, LAST), 'asc')}
        and ${behind(columns, boundAt(after.time, after.height, after.logIndex))} and t.height <= ${at.height}
      ${orderBy(columns)} limit ${examined}),
    places as (
      (select height, log_index, false as "isStop" from examined where matches
        order by time desc, height desc, log_index desc limit ${limit})
      union all (select height, log_index, true from examined where (select count(*) from examined) >= ${examined}
        order by time, height, log_index limit 1))
    select p."isStop", ${MESSAGE} from places as p
    join icm_message as t on t.height = p.height and t.log_index = p.log_index ${orderBy(PLACE)}`,
  )
  const messages = rows.filter(({ isStop }) => !isStop).map(({ isStop: _, ...message }) => message)
  return { messages, stoppedAt: messages.length === limit ? undefined : rows.find(({ isStop }) => isStop) }
}

const PLACE = [sql`t.time`, sql`t.height`, sql`t.log_index`]

function columnOf([column, value]: IcmQuery['where'][number]): [RawBuilder<unknown>, RawBuilder<unknown>] {
  return [sql.ref(`t.${column}`), sql`${value}::bytea`]
}

/** Limits of {@link sentBetween}: both times and heights are greater than `after…` and at most `until…`. */
export interface IcmBounds {
  /** Times in Unix seconds. */
  readonly afterTime: bigint
  readonly untilTime: bigint
  readonly afterHeight: bigint
  readonly untilHeight: bigint
}

/**
 * Returns the messages that this chain first sent within bounds, oldest first. The caller keeps the bounds narrow.
 *
 * @example
 * ```ts
 * import { EvmIcm, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const { height, time } = await store.snapshot()
 * const bounds = { afterTime: time - 600n, untilTime: time, afterHeight: 0n, untilHeight: height }
 * const messages = await EvmIcm.sentBetween(store, bounds)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function sentBetween(store: EvmStore, bounds: IcmBounds): Promise<readonly IcmMessage[]> {
  return fetchRows(
    store,
    sql<IcmMessage>`select ${MESSAGE} from icm_message as t
    where t.is_sent and t.time > ${bounds.afterTime} and t.time <= ${bounds.untilTime}
      and t.height > ${bounds.afterHeight} and t.height <= ${bounds.untilHeight}
    order by t.time, t.height, t.log_index`,
  )
}
