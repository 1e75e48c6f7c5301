import { Bytes } from '@firn/codec'
import { formatArray, type Session, TableRows, toKey } from '@firn/sql'
import type { TokenOwnerRow, TokenRow, TransferRow } from '../EvmSchema.ts'
import { EVM_TABLES } from '../EvmSchema.ts'

/** The state of a token within a batch. */
interface Token {
  readonly contract: Uint8Array
  readonly tokenId: bigint
  /**
   * Row of the token, `'stored'` if it is in the database, or undefined if it is neither stored nor part of
   * the batch.
   */
  row: TokenRow | 'stored' | undefined
  /** Row of the current owner. */
  owner: TokenOwnerRow | undefined
  /** Whether the row of `owner` is in the database already. */
  isStored: boolean
}

/** Stores the tokens that the given blocks transfer for the first time, and the new owners of ERC-721 tokens. */
export async function write(
  session: Session,
  blocks: readonly { readonly rows: { readonly transfer: readonly TransferRow[] } }[],
): Promise<void> {
  const touched = blocks.flatMap(({ rows }) => rows.transfer.filter(({ standard }) => standard !== 20))
  if (touched.length === 0) return
  const tokens = await load(session, touched)
  const owners: TokenOwnerRow[] = []
  const ended: TokenOwnerRow[] = []
  for (const { rows } of blocks) {
    for (const [key, transfer] of lastOf(rows.transfer)) {
      const token = tokens.get(key) as Token
      const { contract, token_id, height: since, recipient: owner } = transfer
      if (token.owner !== undefined && Bytes.equals(token.owner.owner, owner)) continue
      if (token.owner !== undefined) token.owner.until = since
      if (token.isStored) ended.push(token.owner as TokenOwnerRow)
      token.owner = { contract, token_id: token_id as bigint, since, until: null, owner }
      token.isStored = false
      owners.push(token.owner)
    }
  }
  await end(session, ended)
  const added = newTokens(tokens, touched)
  await copyAll(session, new TableRows('token', EVM_TABLES.token), added)
  await copyAll(session, new TableRows('token_unseen', EVM_TABLES.token_unseen), added)
  await copyAll(session, new TableRows('token_owner', EVM_TABLES.token_owner), owners)
}

/** Returns the last transfer of each ERC-721 token that was moved. */
function lastOf(transfers: readonly TransferRow[]): Map<string, TransferRow> {
  const last = new Map<string, TransferRow>()
  for (const transfer of transfers) if (transfer.standard === 721) last.set(tokenKey(transfer), transfer)
  return last
}

function newTokens(tokens: ReadonlyMap<string, Token>, touched: readonly TransferRow[]): TokenRow[] {
  const rows: TokenRow[] = []
  for (const transfer of touched) {
    const token = tokens.get(tokenKey(transfer)) as Token
    if (token.row !== undefined) continue
    const { contract, standard, height: since } = transfer
    token.row = { contract, token_id: token.tokenId, standard, since }
    rows.push(token.row)
  }
  return rows
}

async function load(session: Session, touched: readonly TransferRow[]): Promise<Map<string, Token>> {
  const tokens = new Map<string, Token>()
  for (const transfer of touched) {
    const { contract, token_id: tokenId } = transfer
    tokens.set(tokenKey(transfer), {
      contract,
      tokenId: tokenId as bigint,
      row: undefined,
      owner: undefined,
      isStored: false,
    })
  }
  const all = [...tokens.values()]
  const found = await session.query(STORED, [
    all.map(({ contract }) => contract),
    formatArray(all.map(({ tokenId }) => tokenId)),
  ])
  for (const { place, since, owner } of found) {
    const token = all[Number(place) - 1] as Token
    token.row = 'stored'
    if (owner === null) continue
    const { contract, tokenId: token_id } = token
    token.owner = { contract, token_id, since: since as bigint, until: null, owner: owner as Uint8Array }
    token.isStored = true
  }
  return tokens
}

/** The owners are joined with the tokens, because Citus allows no limit in a subquery that refers to the keys. */
const STORED = `select k.place, o.since, o.owner
  from unnest($1::bytea[], $2::numeric[]) with ordinality as k (contract, token_id, place)
  join token t on t.contract = k.contract and t.token_id = k.token_id
  left join lateral (select since, owner from token_owner o where o.contract = t.contract and o.token_id = t.token_id
    order by o.since desc limit 1) o on true`

async function end(session: Session, owners: readonly TokenOwnerRow[]): Promise<void> {
  if (owners.length === 0) return
  await session.query(
    `update token_owner o set until = k.until
      from unnest($1::bytea[], $2::numeric[], $3::int8[], $4::int8[]) as k (contract, token_id, since, until)
      where o.contract = k.contract and o.token_id = k.token_id and o.since = k.since`,
    [
      owners.map(({ contract }) => contract),
      formatArray(owners.map(({ token_id }) => token_id)),
      formatArray(owners.map(({ since }) => since)),
      formatArray(owners.map(({ until }) => until as bigint)),
    ],
  )
}

async function copyAll<Row>(session: Session, table: TableRows<Row>, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  for (const row of rows) table.add(row)
  await session.copy(table.target, table.finish())
}

function tokenKey({ contract, token_id }: TransferRow): string {
  return `${toKey(contract)}${token_id}`
}
