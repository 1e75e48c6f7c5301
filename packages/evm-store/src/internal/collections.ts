import type { ContractFacts } from '@firn/evm'
import { type Session, toKey } from '@firn/sql'
import type { TransferRow } from '../EvmSchema.ts'
import type { EvmPosition } from '../EvmSnapshot.ts'
import { Balances } from './Balances.ts'
import { type Collections, ID_POSITION } from './idTransfers.ts'
import * as Tokens from './Tokens.ts'
import { waitForChecks } from './undo.ts'

/** Number of transfers whose tokens and balances are stored at a time; one block may have more. */
const PAGE = 5_000
/** Contracts with more transfers stay ERC-20, because no block is stored meanwhile. */
const MOST_TRANSFERS = 50_000
/** Number of balances that are kept in memory meanwhile. */
const REMEMBERED = 10_000

/** Reads the contracts whose ERC-20 transfer logs contain token ids. */
export async function loadCollections(session: Session): Promise<Collections> {
  const rows = await session.query('select address from contract where values_are_ids')
  return new Set(rows.map(({ address }) => toKey(address as Uint8Array)))
}

/** Turns a contract that answered that its values are ids, and returns what of its answers counts. */
export async function turnByAnswer(
  session: Session,
  fact: ContractFacts,
  at: Pick<EvmPosition, 'height' | 'hash'>,
): Promise<ContractFacts> {
  const isTurned = await turnIntoCollection(session, fact.address, at)
  return isTurned ? fact : { ...fact, kind: 'UNKNOWN', valuesAreIds: false }
}

/**
 * Turns the ERC-20 transfers of a contract into transfers of ERC-721 tokens, whose ids are the values, with all owners and
 * balances at all heights, as if it had been known from the contract's first log. Returns false and changes nothing if the
 * contract stays as it is: it was asked before, it has `decimals` or deposits, which only ERC-20 tokens have, it has too many
 * transfers, or transfers or balances of the chain were removed, without which owners and balances would be wrong. Also
 * changes nothing if the block at which it was asked is not stored.
 */
export async function turnIntoCollection(
  session: Session,
  contract: Uint8Array,
  { height, hash }: Pick<EvmPosition, 'height' | 'hash'>,
  { page = PAGE, mostTransfers = MOST_TRANSFERS } = {},
): Promise<boolean> {
  const [block] = await session.query(BLOCK, [String(height), hash])
  const [turned] = await session.query(TURNED, [contract])
  if (block === undefined || turned !== undefined) return true
  if ((await session.query(CANDIDATE, [contract])).length === 0) return false
  for (const statement of WRAPPED) if ((await session.query(statement, [contract])).length > 0) return false
  if ((await session.query(PRUNED)).length > 0) return false
  if ((await session.query(TOO_MANY, [contract, mostTransfers])).length > 0) return false
  const [check] = await session.query('select from token_check where contract = $1 limit 1', [contract])
  for (const statement of TURN) await session.query(statement, [contract])
  await session.query(CHECK_AGAIN)
  for await (const heights of pages(session, contract, page)) {
    await Tokens.write(session, heights)
    // The balances of ERC-1155 tokens are not changed.
    const moved = heights.map(({ rows, wrappings }) => {
      return { rows: { transfer: rows.transfer.filter(({ standard }) => standard === 721) }, wrappings }
    })
    await new Balances(REMEMBERED).write(session, moved)
  }
  await session.query(SEEN, [contract])
  if (check !== undefined) await waitForChecks(session, [contract])
  return true
}

const BLOCK = 'select from block where height = $1 and hash = $2'
const TURNED = 'select from contract where address = $1 and values_are_ids'
/** What a contract has said before counts: one answer of one node must not turn a token with `decimals` into a collection. */
const CANDIDATE = `select from contract where address = $1 and values_are_ids is null and decimals is null
  and standard in (0, 20, 721)`
const PRUNED = "select from pruned where kind in ('transfers', 'balances') limit 1"
const TOO_MANY = 'select from transfer where contract = $1 offset $2 limit 1'
const WRAPPED = [
  'select 1 from token_balance where contract = $1 and wrapped <> 0 limit 1',
  'select 1 from token_holder where contract = $1 and standard = 20 and wrapped <> 0 limit 1',
]

/** Everything that follows from the transfers is removed, and stored again from the changed transfers. */
const TURN = [
  'update contract set values_are_ids = true, standard = 721 where address = $1',
  `delete from token_balance b using token_holder h where h.contract = $1 and h.standard in (20, 721)
    and b.contract = h.contract and b.standard = h.standard and b.token_id = 0 and b.address = h.address`,
  'delete from token_holder where contract = $1 and standard in (20, 721)',
  ...['token_owner', 'token', 'token_unseen', 'token_check', 'unchecked_balance'].map(
    (table) => `delete from ${table} where contract = $1`,
  ),
  'delete from balance_reading where contract = $1 and standard in (20, 721)',
  `update transfer set standard = 721, position = ${ID_POSITION}, token_id = amount, amount = 1
    where contract = $1 and standard = 20`,
]

/** A check of balances that is under way asked for ERC-20 balances, so it must no longer fit. */
const CHECK_AGAIN = `update checked_range set last = last - 1
  where last > first and last = (select max(last) from checked_range)`

const SEEN = `delete from token_unseen u using token_metadata m
  where u.contract = $1 and m.contract = u.contract and m.token_id = u.token_id`

/** Yields the transfers of a contract by their heights, in order, without transfers of ERC-20. */
async function* pages(session: Session, contract: Uint8Array, page: number) {
  for (let from = 0n; ; ) {
    const [next] = await session.query(NEXT, [contract, String(from), page])
    const height = next?.['height'] as bigint | undefined
    const until = height === from ? from + 1n : height
    const rows = await session.query(TRANSFERS, [
      contract,
      String(from),
      until === undefined ? null : String(until),
    ])
    const byHeight = Map.groupBy(rows as unknown as readonly TransferRow[], (row) => row.height)
    yield [...byHeight.values()].map((transfer) => ({ rows: { transfer }, wrappings: [] }))
    if (until === undefined) return
    from = until
  }
}

const NEXT =
  'select height from transfer where contract = $1 and height >= $2 order by height offset $3 limit 1'
const TRANSFERS = `select * from transfer where contract = $1 and standard <> 20 and height >= $2
  and ($3::int8 is null or height < $3::int8) order by height, log_index, position`
