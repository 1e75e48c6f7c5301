import type { ChainAlias } from '@firn/codec'
import { Genesis } from '@firn/genesis'
import { fetchFirst, type Session } from '@firn/sql'
import { sql } from 'kysely'
import { MARKS } from './internal/deriveAgain.ts'
import { DerivedRows } from './internal/derived.ts'
import type { Database } from './Schema.ts'
import type { Store } from './Store.ts'

type Underived = Database['underived']

/** Name of a table with data that follows from the ledger's tables. */
export type Name = Underived['name']

/**
 * Derives data of blocks that a version of Firn without this data has stored, or that came from a snapshot file: up to
 * `limit` blocks or transactions of one chain, newest first. Returns whether something is left. Any number of processes may
 * call it.
 *
 * @throws StoreError `STORE_UNAVAILABLE`, `STORE_READ_ONLY`
 * @example
 * ```ts
 * import { Derivation, type Store } from '@firn/store'
 *
 * declare const store: Store
 * while (await Derivation.advance(store, 1_000));
 * ```
 */
export async function advance(store: Store, limit: number): Promise<boolean> {
  return store.driver.transaction(async (session) => {
    const [row] = (await session.query(
      'select * from underived order by name, chain limit 1 for update',
    )) as Underived[]
    if (row === undefined) return false
    const [network] = await session.query('select genesis from network')
    const { avaxAssetId } = Genesis.decode(network?.['genesis'] as Uint8Array)
    const rows = new DerivedRows(avaxAssetId)
    const place = await READ[row.name](session, row, limit, rows)
    await rows.write(session)
    const key = [row.name, row.chain]
    if (place === undefined) {
      await session.query('delete from underived where name = $1 and chain = $2', key)
    } else {
      await session.query('update underived set height = $3, position = $4 where name = $1 and chain = $2', [
        ...key,
        String(place.height),
        place.position,
      ])
    }
    return true
  })
}

/**
 * Returns the height from which on the data of a table is complete for a chain.
 *
 * @throws StoreError `STORE_UNAVAILABLE`
 * @example
 * ```ts
 * import { Derivation, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const height = await Derivation.completeFrom(store, 'proposal', 'P') // 0n if all is derived
 * ```
 */
export async function completeFrom(store: Store, name: Name, chain: ChainAlias): Promise<bigint> {
  const mark = sql.ref(`cursor.${MARKS[name]}`)
  const row = await fetchFirst(
    store,
    sql<Pick<Underived, 'height' | 'position'>>`
      select case when ${mark} is distinct from cursor.height then cursor.height + 1 else underived.height end as height,
        coalesce(underived.position, 0) as position
      from cursor left join underived on underived.chain = cursor.chain and underived.name = ${name}
      where cursor.chain = ${chain}
        and (${mark} is distinct from cursor.height or underived.height is not null)`,
  )
  if (row === undefined) return 0n
  return row.position > 0 ? row.height + 1n : row.height
}

interface Place {
  readonly height: bigint
  readonly position: number
}

/** Reads rows before a position and adds what follows from them. Returns the last position; undefined at the end. */
type Read = (session: Session, row: Underived, limit: number, rows: DerivedRows) => Promise<Place | undefined>

const READ: { readonly [N in Name]: Read } = {
  proposal: async (session, { chain, height }, limit, rows) => {
    const found = (await session.query(
      `select height, container, container_id from block where chain = $1 and height < $2
        order by height desc limit $3`,
      [chain, String(height), limit],
    )) as Pick<Database['block'], 'height' | 'container' | 'container_id'>[]
    for (const block of found) {
      if (block.container_id !== null) rows.addProposer(chain, block.height, block.container)
    }
    const last = found.at(-1)
    return found.length < limit || last === undefined ? undefined : { height: last.height, position: 0 }
  },
  rewarded: async (session, { chain, height, position }, limit, rows) => {
    if (chain !== 'P') return undefined
    const found = (await session.query(
      `select height, ordinal, origin, tx_id, addresses from utxo
        where source = 'P' and (height, ordinal) < ($1, $2) order by height desc, ordinal desc limit $3`,
      [String(height), position, limit],
    )) as Pick<Database['utxo'], 'height' | 'ordinal' | 'origin' | 'tx_id' | 'addresses'>[]
    for (const { origin, tx_id: txId, addresses, height: since } of found)
      if (origin === 'reward') rows.addReward({ txId, addresses, since })
    const last = found.at(-1)
    return found.length < limit || last === undefined
      ? undefined
      : { height: last.height, position: last.ordinal }
  },
  burned: async (session, { chain, until, height, position }, limit, rows) => {
    // A transaction that was decided from `until` on belongs to a block whose data the writer derived.
    const found = (await session.query(
      `select t.height, t.position, t.bytes, t.status, t.decided_height < $4 as "isOld",
          coalesce(block.time, 0) as time
        from (select * from transaction where chain = $1 and (height, position) < ($2, $3)
          order by height desc, position desc limit $5) as t
        left join block on block.chain = $1 and block.height = t.decided_height
        order by t.height desc, t.position desc`,
      [chain, String(height), position, String(until), limit],
    )) as (Pick<Database['transaction'], 'height' | 'position' | 'bytes' | 'status'> & {
      readonly isOld: boolean
      readonly time: bigint
    })[]
    for (const { status, isOld, time, bytes } of found) {
      if (isOld && status !== 'Aborted') rows.addTransaction(chain, time, bytes)
    }
    const last = found.at(-1)
    return found.length < limit || last === undefined
      ? undefined
      : { height: last.height, position: last.position }
  },
}
