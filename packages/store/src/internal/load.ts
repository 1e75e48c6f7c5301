import { CHAIN_ALIASES, type ChainAlias } from '@firn/codec'
import type { Genesis, Networks } from '@firn/genesis'
import { LedgerState, type Records, Vertices } from '@firn/ledger'
import { type Row, type Session, StoreError } from '@firn/sql'
import { PlatformBlock } from '@firn/txs'
import * as RecordCodec from '../RecordCodec.ts'
import type { UtxoRow } from '../Schema.ts'
import type { Cursors } from './Batch.ts'
import * as utxos from './utxos.ts'
import { KINDS, VERSIONED, type Versioned } from './versions.ts'

/** Number of rows per page. */
const PAGE = 20_000

/** What a writer continues from. */
export interface Loaded {
  readonly state: LedgerState.LedgerState
  readonly cursors: Required<Cursors>
  readonly vertices: Vertices.Progress
}

/** Whether the C- and X-chain are followed. */
export interface Followed {
  readonly followsCChain: boolean
  readonly followsXChain: boolean
}

/** Tables that a windowed state reads from the database when they are needed. */
const LARGE: readonly Versioned[] = ['asset']

/**
 * Returns the state after the last stored blocks, and the positions of the chains.
 * @param limit the limit of a windowed state; without it, all records are loaded
 */
export async function load(
  session: Session,
  genesis: Genesis.Genesis,
  constants: Networks.Constants,
  limit: number | undefined,
  { followsCChain, followsXChain }: Followed,
): Promise<Loaded> {
  const rules = LedgerState.rulesOf(genesis, constants, followsCChain, followsXChain)
  const cursors = await loadCursors(session)
  const isWhole = limit === undefined
  const state = isWhole ? LedgerState.empty(rules) : LedgerState.windowed(rules, limit, heightsOf(cursors))
  for (const name of VERSIONED) if (isWhole || !LARGE.includes(name)) await loadVersions(session, state, name)
  if (isWhole) await loadUtxos(session, state)
  for (const chain of CHAIN_ALIASES) {
    const { height, blockId, time } = cursors[chain]
    const platform = chain === 'P' ? await loadPlatform(session, height) : undefined
    put(state, 'tip', { chain, height, blockId, time, platform })
  }
  return { state, cursors, vertices: await loadVertices(session) }
}

async function loadVertices(session: Session): Promise<Vertices.Progress> {
  const [last] = await session.query('select position, id, height from vertex order by position desc limit 1')
  const [highest] = await session.query(
    `select (select max(position) from transaction where chain = 'X' and height = 0) as position,
      (select max(ordinal) from utxo where source = 'X' and height = 0) as ordinal`,
  )
  const waiting = await session.query('select * from waiting_transaction order by position')
  const next = (value: unknown) => ((value as number | null | undefined) ?? -1) + 1
  return Vertices.resume({
    vertices: next(last?.['position']),
    last: last && { id: last['id'] as Uint8Array, height: last['height'] as bigint },
    position: next(highest?.['position']),
    ordinal: next(highest?.['ordinal']),
    waiting: waiting.map(({ id, position, ordinal, bytes }) => {
      return { txId: id, position, ordinal, bytes } as Vertices.Waiting
    }),
  })
}

/** Returns the heights of the last stored blocks. */
export function heightsOf({ P, X, C }: Required<Cursors>): Readonly<Record<ChainAlias, bigint>> {
  return { P: P.height, X: X.height, C: C.height }
}

function put<Name extends Records.TableName>(
  state: LedgerState.LedgerState,
  type: Name,
  after: Records.Records[Name],
): void {
  LedgerState.commit(state, [{ type, before: undefined, after, txId: undefined } as never])
}

async function loadVersions(
  session: Session,
  state: LedgerState.LedgerState,
  name: Versioned,
): Promise<void> {
  const { table, codec } = KINDS[name]
  // The rows are read in the order in which they were added, because some ledger tables iterate in that
  // order.
  const rows = await session.query(`select body from ${table} where until is null order by since, ordinal`)
  for (const { body } of rows) put(state, name, codec.decode(body as Uint8Array) as never)
}

async function loadUtxos(session: Session, state: LedgerState.LedgerState): Promise<void> {
  for (const source of CHAIN_ALIASES) {
    let from: readonly unknown[] = ['-1', 0]
    for (;;) {
      const rows = await session.query(
        `select * from utxo where source = '${source}' and (height, ordinal) > ($1, $2) and consumed_height is null
          order by height, ordinal limit ${PAGE}`,
        from,
      )
      for (const row of rows) put(state, 'utxo', utxos.recordOf(row as UtxoRow))
      const last = rows.at(-1)
      if (last === undefined || rows.length < PAGE) break
      from = [String(last['height']), last['ordinal']]
    }
  }
}

async function loadCursors(session: Session): Promise<Required<Cursors>> {
  const rows = await session.query(
    'select c.*, b.digest from cursor c left join block b on b.chain = c.chain and b.height = c.height',
  )
  const of = (chain: ChainAlias) => {
    const row = rows.find((candidate) => candidate['chain'] === chain)
    if (row === undefined)
      throw new StoreError(
        'STORE_CORRUPT',
        `the position of the ${chain}-chain is missing in the table "cursor"`,
      )
    return {
      height: row['height'] as bigint,
      blockId: row['block_id'] as Uint8Array,
      time: row['time'] as bigint,
      digest: (row['digest'] as Uint8Array | null) ?? new Uint8Array(32),
    }
  }
  return { P: of('P'), X: of('X'), C: of('C') }
}

async function loadPlatform(session: Session, height: bigint): Promise<Records.PlatformTip> {
  const [row] = await session.query(
    `select state, container, inner_offset, inner_length from block where chain = 'P' and height = $1`,
    [String(height)],
  )
  if (row?.['state'] == null) {
    throw new StoreError('STORE_CORRUPT', `P-chain block ${height} is stored without the state after it`)
  }
  const { time: _time, ...platform } = RecordCodec.platformState.decode(row['state'] as Uint8Array)
  return { ...platform, proposal: proposalOf(row) }
}

/** Returns the block if it is a proposal that the next block decides. */
function proposalOf(row: Row): PlatformBlock.PlatformBlock | undefined {
  const offset = row['inner_offset'] as number
  const bytes = (row['container'] as Uint8Array).subarray(offset, offset + (row['inner_length'] as number))
  const block = PlatformBlock.decode(bytes)
  return block.type === 'BanffProposalBlock' || block.type === 'ApricotProposalBlock' ? block : undefined
}
