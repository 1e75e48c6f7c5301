import { fetchRows, prepared } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { EvmSnapshot } from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'
import type { IndexStatus, Metadata, TokenKey } from '../TokenQueue.ts'

/** A token of an ERC-721 or ERC-1155 contract. */
export interface Token extends TokenKey {
  /** Token standard: 721 or 1155. */
  readonly standard: number
  /** Address of the owner; the zero address if the token was burnt, and null for ERC-1155. */
  readonly owner: Uint8Array | null
  /** URI of the metadata; null before the first attempt to fetch it. */
  readonly uri: string | null
  readonly indexStatus: IndexStatus | null
  /** Time of the last attempt to fetch the metadata, in Unix seconds; null before the first attempt. */
  readonly checkedAt: bigint | null
  readonly metadata: Metadata | null
  /** SHA-256 of the stored copy of the image; null if there is none. */
  readonly imageHash: Uint8Array | null
}

/**
 * Returns the tokens of a contract, sorted by id.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTokens } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const tokens = await EvmTokens.ofContract(store, at, contract, { after: undefined, limit: 25 })
 * ```
 */
export function ofContract(
  store: EvmStore,
  at: EvmSnapshot,
  contract: Uint8Array,
  { after, limit }: { readonly after: bigint | undefined; readonly limit: number },
): Promise<readonly Token[]> {
  const behind = after === undefined ? sql`true` : sql`k.token_id > ${String(after)}::numeric`
  const tokens = sql`select contract, token_id, standard from token as k
    where k.contract = ${contract} and k.since <= ${at.height} and ${behind} order by k.token_id ${pageOf(limit)}`
  return select(store, at, tokens)
}

/**
 * Returns the existing tokens among the given ones, sorted by contract and id.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTokens } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const [token] = await EvmTokens.byKeys(store, at, [{ contract, tokenId: 7n }])
 * ```
 */
export async function byKeys(
  store: EvmStore,
  at: EvmSnapshot,
  keys: readonly TokenKey[],
): Promise<readonly Token[]> {
  if (keys.length === 0) return []
  const contracts = sql.val(keys.map(({ contract }) => contract))
  const ids = sql.val(keys.map(({ tokenId }) => String(tokenId)))
  const tokens = sql`select k.contract, k.token_id, k.standard
    from (select distinct * from unnest(${contracts}::bytea[], ${ids}::numeric[]) as given (contract, token_id)) as given
    join token as k on k.contract = given.contract and k.token_id = given.token_id
    where k.since <= ${at.height}`
  return select(store, at, tokens)
}

/**
 * Returns the ERC-721 tokens that an address owns, sorted by contract and id. If a contract is given, only
 * its tokens are returned.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTokens } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const account = Hex.decode('0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc')
 * const query = { contract: undefined, after: undefined, limit: 25 }
 * const tokens = await EvmTokens.ofOwner(store, at, account, query)
 * ```
 */
export async function ofOwner(
  store: EvmStore,
  at: EvmSnapshot,
  owner: Uint8Array,
  query: {
    readonly contract: Uint8Array | undefined
    readonly after: TokenKey | undefined
    readonly limit: number
  },
): Promise<readonly Token[]> {
  const { contract, after, limit } = query
  const behind =
    after === undefined
      ? sql`true`
      : sql`(o.contract, o.token_id) > (${after.contract}, ${String(after.tokenId)}::numeric)`
  const of = contract === undefined ? sql`true` : sql`o.contract = ${contract}`
  const tokens = (until: RawBuilder<unknown>) => sql`(select o.contract, o.token_id, 721 as standard
    from token_owner as o where o.owner = ${owner} and o.since <= ${at.height} and ${until} and ${of} and ${behind}
    order by o.contract, o.token_id ${pageOf(limit)})`
  const all = sql`${tokens(sql`o.until is null`)} union all ${tokens(sql`o.until > ${at.height}`)}
    order by contract, token_id ${pageOf(limit)}`
  return select(store, at, all)
}

/**
 * Returns the owner of an ERC-721 token after the block at `height`: the zero address if the token was burnt, undefined
 * if it did not exist yet.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTokens } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const owner = await EvmTokens.ownerAt(store, { contract, tokenId: 7n }, 42n)
 * ```
 */
export async function ownerAt(
  store: EvmStore,
  { contract, tokenId }: TokenKey,
  height: bigint,
): Promise<Uint8Array | undefined> {
  const rows = await fetchRows(
    store,
    sql<{ owner: Uint8Array }>`${prepared} select o.owner from token_owner as o where o.contract = ${contract}
      and o.token_id = ${String(tokenId)}::numeric and o.since <= ${height} order by o.since desc limit 1`,
  )
  return rows[0]?.owner
}

/**
 * Returns the clause that ends a list after a page. The size is part of the text, because a plan without it would read
 * all tokens of a chain on which most tokens are of one contract.
 */
function pageOf(limit: number): RawBuilder<unknown> {
  return sql`limit ${sql.lit(limit)}`
}

async function select(
  store: EvmStore,
  at: EvmSnapshot,
  tokens: RawBuilder<unknown>,
): Promise<readonly Token[]> {
  return fetchRows(
    store,
    sql<Token>`
    ${prepared} select t.contract, t.token_id as "tokenId", t.standard, o.owner, m.uri, m.index_status as "indexStatus",
      m.checked_at as "checkedAt", m.metadata, i.hash as "imageHash"
    from (${tokens}) as k join token as t on t.contract = k.contract and t.token_id = k.token_id
    left join lateral (select o.owner from token_owner as o where o.contract = t.contract
      and o.token_id = t.token_id and o.since <= ${at.height} order by o.since desc limit 1) as o on true
    left join token_metadata as m on m.contract = t.contract and m.token_id = t.token_id
    left join token_image as i on i.contract = t.contract and i.token_id = t.token_id
    order by t.contract, t.token_id`,
  )
}

/**
 * Makes a token due at `now` (Unix seconds) for another attempt to fetch its metadata. A token that was never tried
 * is due already.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTokens } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * await EvmTokens.makeDue(store, { contract, tokenId: 7n }, 1_767_225_600n)
 * ```
 */
export async function makeDue(store: EvmStore, { contract, tokenId }: TokenKey, now: bigint): Promise<void> {
  await fetchRows(
    store,
    sql`update token_metadata set retry_at = least(retry_at, ${now})
    where contract = ${contract} and token_id = ${String(tokenId)}::numeric`,
  )
}
