import { Bytes, type ChainAlias, Hex, Id } from '@firn/codec'
import type { Change, Records, Vertices } from '@firn/ledger'
import { StoreError } from '@firn/sql'
import { PlatformBlock } from '@firn/txs'
import type { Accepted, AcceptedVertices } from '../Accepted.ts'
import * as RecordCodec from '../RecordCodec.ts'
import {
  type BlockRow,
  type Database,
  LEDGER_TABLE_NAMES,
  type LedgerTable,
  type VersionRow,
  type VersionTable,
} from '../Schema.ts'
import type { Position } from '../Snapshot.ts'
import { addressesOf, evmAddresses } from './addresses.ts'
import { importOf } from './unknownInputs.ts'
import * as utxos from './utxos.ts'
import { KINDS, rewardAddresses, unique, type Versioned } from './versions.ts'

/** The position of a stored chain. */
export interface Cursor extends Position {
  readonly digest: Uint8Array
}

/** The position of each chain; empty for an empty database. */
export type Cursors = { readonly [Chain in ChainAlias]?: Cursor }

/** The consumption of a UTXO that an earlier batch stored. */
export interface Consumption {
  readonly record: Records.Utxo
  readonly height: bigint
  readonly txId: Uint8Array | null
  readonly time: bigint
}

/** The end of a version that an earlier batch stored. */
export interface Ending {
  readonly table: VersionTable
  readonly key: Uint8Array
  readonly until: bigint
}

type Rows = { readonly [T in LedgerTable]: Database[T][] }
type UtxoChange = Extract<Change.RecordChange, { readonly type: 'utxo' }>
type TipChange = Extract<Change.RecordChange, { readonly type: 'tip' }>

/** The net change of a record in a block: whether the record existed before, and its value after the last change. */
interface Net {
  readonly name: Versioned
  readonly key: Uint8Array
  readonly isKnown: boolean
  after: unknown
}

/** The rows to be written for consecutive blocks. */
export class Batch {
  readonly rows = Object.fromEntries(LEDGER_TABLE_NAMES.map((table) => [table, []])) as unknown as Rows
  readonly consumed: Consumption[] = []
  readonly ended: Ending[] = []
  readonly cursors: { [Chain in ChainAlias]?: Cursor }
  /** Progress of the X-chain's vertices after the batch; undefined if the batch has none of their effects. */
  vertices: Vertices.Progress | undefined
  /**
   * The UTXOs and versions that were created in this batch and are still live. They can be consumed or ended without
   * an SQL statement.
   */
  readonly #utxos = new Map<string, utxos.Made>()
  readonly #versions = new Map<string, VersionRow>()

  constructor(cursors: Cursors) {
    this.cursors = { ...cursors }
  }

  /**
   * Adds the next block of a chain.
   * @throws StoreError `STORE_CURSOR`
   */
  add(block: Accepted): void {
    const tip = tipOf(block)
    const before = this.cursors[block.chain]
    assertContinues(block, tip, before)
    this.#addBlock(block, tip, before?.digest ?? Id.EMPTY)
    this.#addChanges(block.chain, block.changes, tip)
  }

  /**
   * Adds vertices of the X-chain. They are stored at height 0, so the X-chain must not have a block 1 yet.
   * @throws StoreError `STORE_CURSOR`
   */
  addVertices({ vertices, changes, progress }: AcceptedVertices): void {
    const { X } = this.cursors
    if (X?.height !== 0n) {
      const message = `expected the X-chain at height 0 before its vertices, got height ${X?.height}`
      throw new StoreError('STORE_CURSOR', message, {
        details: { chain: 'X', expected: 0n, actual: X?.height },
      })
    }
    for (const { index, id, height, parentIds, bytes, positions, acceptedAt = null } of vertices) {
      const place = { position: index, id, height, parent_ids: [...parentIds] }
      this.rows.vertex.push({ ...place, bytes, accepted_at: acceptedAt })
      for (const [ordinal, position] of positions.entries()) {
        this.rows.vertex_transaction.push({ vertex: index, ordinal, position })
      }
    }
    this.vertices = progress
    this.#addChanges('X', changes, { ...X, chain: 'X', platform: undefined }, assetPositions(changes))
  }

  /** Adds a chain's genesis, including its block 0 if known. */
  addGenesis(chain: ChainAlias, changes: readonly Change.Change[], block: Accepted | undefined): void {
    const tip = tipOf({ chain, changes })
    if (block === undefined) this.cursors[chain] = { ...positionOf(tip), digest: Id.EMPTY }
    else this.#addBlock(block, tip, Id.EMPTY)
    this.#addChanges(chain, changes, tip)
  }

  #addBlock(block: Accepted, tip: Records.Tip, before: Uint8Array): void {
    const { chain, bytes, parentId, container } = block
    const { height, blockId: id, platform } = tip
    const digest = Id.hash(Bytes.concat(before, id))
    this.cursors[chain] = { ...positionOf(tip), digest }
    const outer = container?.bytes ?? bytes
    this.rows.block.push({
      chain,
      height,
      id,
      parent_id: parentId,
      time: timeOf(tip),
      container_id: container?.id ?? null,
      container: outer,
      inner_offset: offsetIn(outer, bytes),
      inner_length: bytes.length,
      accepted_at: container?.acceptedAt ?? null,
      transactions: countTransactions(block, tip),
      state: platform === undefined ? null : stateOf(tip, platform),
      digest,
    } satisfies BlockRow)
  }

  #addChanges(
    chain: ChainAlias,
    changes: readonly Change.Change[],
    tip: Records.Tip,
    ordinals?: ReadonlyMap<string, number>,
  ): void {
    const owners = new Map<string, Uint8Array[]>()
    const nets = new Map<string, Net>()
    for (const change of changes) {
      if (change.type === 'transaction' || change.type === 'tip') continue
      if (change.type === 'utxo') this.#addUtxo(change, tip)
      else net(nets, change)
      if (change.txId !== undefined) collect(owners, change.txId, ownersOf(change))
    }
    this.#addVersions(nets, tip.height, ordinals)
    for (const change of changes) {
      if (change.type === 'transaction') this.#addTransaction(chain, change, tip, owners)
    }
  }

  #addUtxo({ before, after, txId }: UtxoChange, { height, time }: Records.Tip): void {
    if (before !== undefined) {
      const key = utxos.keyOf(before)
      const made = this.#utxos.get(key)
      if (made === undefined) this.consumed.push({ record: before, height, txId: txId ?? null, time })
      else utxos.consume(made, height, txId ?? null, time)
      this.#utxos.delete(key)
    }
    if (after === undefined) return
    const made = utxos.make(after, time)
    this.#utxos.set(utxos.keyOf(after), made)
    this.rows.utxo.push(made.row)
    this.rows.utxo_address.push(...made.addresses)
  }

  /** Adds versions of records. `ordinals` has their ordinals by key; by default, they are numbered from 0. */
  #addVersions(nets: ReadonlyMap<string, Net>, height: bigint, ordinals?: ReadonlyMap<string, number>): void {
    const counts = new Map<Versioned, number>()
    for (const [id, { name, key, isKnown, after }] of nets) {
      const { table, codec, columns } = KINDS[name]
      const open = this.#versions.get(id)
      if (open !== undefined) open.until = height
      else if (isKnown) this.ended.push({ table, key, until: height })
      this.#versions.delete(id)
      if (after === undefined) continue
      const count = counts.get(name) ?? 0
      counts.set(name, count + 1)
      const ordinal = ordinals?.get(Hex.encodeBare(key)) ?? count
      const version = { key, since: height, until: null, ordinal, body: codec.encode(after as never) }
      const row = { ...version, ...columns(after as never) }
      this.#versions.set(id, row)
      ;(this.rows[table] as VersionRow[]).push(row)
    }
  }

  #addTransaction(
    chain: ChainAlias,
    change: Change.TransactionChange,
    { height: decided }: Records.Tip,
    owners: ReadonlyMap<string, Uint8Array[]>,
  ): void {
    const { txId, height, position, name, bytes, status } = change
    this.rows.transaction.push({
      chain,
      height,
      position,
      id: txId,
      name,
      status,
      decided_height: decided,
      bytes,
    })
    const known = owners.get(Hex.encodeBare(txId)) ?? []
    const inputs = change.hasUnknownInputs ? (importOf(chain, bytes)?.inputs() ?? []) : []
    const all =
      chain === 'C'
        ? [...known, ...evmAddresses(bytes)]
        : [...known, ...inputs.flatMap(({ signers }) => signers)]
    for (const address of unique(all)) {
      this.rows.transaction_address.push({ chain, address, name, height, position })
    }
  }
}

/**
 * Returns the positions of transactions by id. They number the assets that vertices create, because the order in which
 * transactions of vertices are executed depends on other chains.
 */
function assetPositions(changes: readonly Change.Change[]): ReadonlyMap<string, number> {
  const transactions = changes.filter((change) => change.type === 'transaction')
  return new Map(transactions.map(({ txId, position }) => [Hex.encodeBare(txId), position]))
}

/** Returns the tip after a block, which is its last tip change. */
export function tipOf({ chain, changes }: Pick<Accepted, 'chain' | 'changes'>): Records.Tip {
  const change = changes.findLast((c): c is TipChange => c.type === 'tip' && c.after?.chain === chain)
  if (change?.after !== undefined) return change.after
  throw new StoreError(
    'STORE_CURSOR',
    `expected the changes of a ${chain}-chain block to include a new tip of that chain, got none`,
  )
}

function positionOf({ height, blockId, time }: Records.Tip): Position {
  return { height, blockId, time }
}

function assertContinues({ chain, parentId }: Accepted, tip: Records.Tip, before: Cursor | undefined): void {
  const expected = (before?.height ?? -1n) + 1n
  const details = { chain, expected, actual: tip.height }
  if (tip.height !== expected) {
    const message = `expected ${chain}-chain block ${expected}, got block ${tip.height}`
    throw new StoreError('STORE_CURSOR', message, { details })
  }
  // The parent of the C-chain's first block is not stored, so it can't be checked.
  const isFirst = chain === 'C' && expected === 1n
  if (isFirst || before === undefined || Bytes.equals(before.blockId, parentId)) return
  const ids = { expected: Id.format(before.blockId), actual: Id.format(parentId) }
  const message = `expected ${chain}-chain block ${expected} to have parent ${ids.expected}, got ${ids.actual}`
  throw new StoreError('STORE_CURSOR', message, { details: { chain, height: expected, ...ids } })
}

/** Returns the time of the tip's block. The time in an undecided proposal is not yet the chain's time. */
export function timeOf({ time, height, platform }: Records.Tip): bigint {
  const proposal = platform?.proposal
  return proposal !== undefined && proposal.height === height && 'time' in proposal ? proposal.time : time
}

function countTransactions({ changes }: Accepted, { height, platform }: Records.Tip): number {
  const proposal = platform?.proposal
  if (proposal !== undefined) return PlatformBlock.transactions(proposal).length
  return changes.filter((change) => change.type === 'transaction' && change.height === height).length
}

function stateOf({ time }: Records.Tip, platform: Records.PlatformTip): Uint8Array {
  return RecordCodec.platformState.encode({ time, ...platform })
}

/** Returns the offset of the bytes `inner` in the container from which they were decoded. */
function offsetIn(outer: Uint8Array, inner: Uint8Array): number {
  if (outer.buffer === inner.buffer) {
    const at = inner.byteOffset - outer.byteOffset
    if (at >= 0 && at + inner.length <= outer.length) return at
  }
  const { buffer, byteOffset, length } = outer
  const offset = Buffer.from(buffer, byteOffset, length).indexOf(inner)
  if (offset >= 0) return offset
  throw new StoreError(
    'STORE_CURSOR',
    'the container does not contain the block; pass the container from which the block was decoded',
  )
}

/** Merges a change with the earlier changes that the block made to the same record. */
function net(nets: Map<string, Net>, change: Exclude<Change.RecordChange, UtxoChange | TipChange>): void {
  const { type: name, before, after } = change
  const key = KINDS[name].key((after ?? before) as never)
  const id = `${name}:${Hex.encodeBare(key)}`
  const known = nets.get(id)
  if (known === undefined) nets.set(id, { name, key, isKnown: before !== undefined, after })
  else known.after = after
}

/**
 * Returns the addresses that a change concerns: the owners of UTXOs and of stake, the reward owners, and the
 * validation ids of L1 validators.
 */
function ownersOf(change: Change.RecordChange): readonly Uint8Array[] {
  if (change.type === 'utxo') {
    return [change.before, change.after].flatMap((record) => (record ? addressesOf(record.utxo.output) : []))
  }
  if (change.type === 'l1Validator') return [(change.after ?? change.before)?.validationId ?? Id.EMPTY]
  if (change.type !== 'staker' || change.before !== undefined || change.after === undefined) return []
  const { stake } = change.after
  return [...stake.flatMap(({ output }) => addressesOf(output)), ...rewardAddresses(change.after)]
}

function collect(
  owners: Map<string, Uint8Array[]>,
  txId: Uint8Array,
  addresses: readonly Uint8Array[],
): void {
  if (addresses.length === 0) return
  const key = Hex.encodeBare(txId)
  const known = owners.get(key)
  if (known === undefined) owners.set(key, [...addresses])
  else known.push(...addresses)
}
