import { behind, fetchRows, orderBy, prepared } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { EvmSnapshot } from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'
import type { CallPlace } from './InternalCalls.ts'
import { narrowed, within } from './Range.ts'

/** A successful creation of a contract. */
export interface Creation extends CallPlace {
  readonly contract: Uint8Array
  /** Sender of the transaction that created the contract. */
  readonly deployer: Uint8Array
  /** Creator of the contract: the sender for a top-level creation, otherwise another contract. */
  readonly creator: Uint8Array
  readonly transactionHash: Uint8Array
}

const PLACE = [sql`t.height`, sql`t.transaction_index`, sql`t.position`]

/**
 * Returns the contracts that transactions of an address created, newest first.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmCreations, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const account = Hex.decode('0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc')
 * const newest = await EvmCreations.ofDeployer(store, at, account, { after: undefined, limit: 25 })
 * ```
 */
export function ofDeployer(
  store: EvmStore,
  at: EvmSnapshot,
  deployer: Uint8Array,
  query: { readonly after: CallPlace | undefined; readonly limit: number },
): Promise<readonly Creation[]> {
  const { after, limit } = query
  const key = after && [after.height, after.transactionIndex, after.position]
  const behindIt = sql`${behind(PLACE, key)} and ${within(sql`t.height`, at, narrowed({}, after))}`
  return select(store, at, sql`t.deployer = ${deployer} and ${behindIt}`, limit)
}

/**
 * Returns the newest creation of a contract, or undefined if the snapshot does not contain one.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmCreations, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const creation = await EvmCreations.ofContract(store, at, contract)
 * ```
 */
export async function ofContract(
  store: EvmStore,
  at: EvmSnapshot,
  contract: Uint8Array,
): Promise<Creation | undefined> {
  const [found] = await select(store, at, sql`t.contract = ${contract}`, 1)
  return found
}

async function select(
  store: EvmStore,
  at: EvmSnapshot,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<readonly Creation[]> {
  return fetchRows(
    store,
    sql<Creation>`
    ${prepared} select t.height, t.transaction_index as "transactionIndex", t.position, t.contract, t.deployer, t.creator,
      x.hash as "transactionHash"
    from (select * from creation as t where ${where} and ${within(sql`t.height`, at)} and t.succeeded
      ${orderBy(PLACE)} limit ${limit}) as t
    join transaction as x on x.height = t.height and x.transaction_index = t.transaction_index
    ${orderBy(PLACE)}`,
  )
}
