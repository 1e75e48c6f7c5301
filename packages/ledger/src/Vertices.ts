import { Bytes, Hex, Id } from '@firn/codec'
import type { Genesis, Networks } from '@firn/genesis'
import { AvmTx, UtxoId, Vertex } from '@firn/txs'
import type { Change } from './Change.ts'
import * as blocks from './internal/genesis.ts'
import { own } from './internal/own.ts'
import { refuse } from './internal/refuse.ts'
import { countOutputs, type Missing, type Progress, VertexRun } from './internal/VertexRun.ts'
import type { LedgerState } from './LedgerState.ts'
import * as Reads from './Reads.ts'

export type { Missing, Progress, Waiting } from './internal/VertexRun.ts'

/** A decoded vertex of the X-chain. The stop vertex has no transactions. */
export interface Decoded {
  readonly id: Uint8Array
  readonly height: bigint
  readonly parentIds: readonly Uint8Array[]
  readonly bytes: Uint8Array
  readonly txs: readonly { readonly id: Uint8Array; readonly bytes: Uint8Array; readonly tx: AvmTx.AvmTx }[]
  /**
   * Time at which a node accepted the vertex, in nanoseconds since the Unix epoch; undefined if it is not known. The
   * vertex does not contain it, and nothing depends on it.
   */
  readonly acceptedAt?: bigint | undefined
}

/** A vertex that was applied. */
export interface Accepted extends Omit<Decoded, 'txs'> {
  /** Index of the vertex among all vertices; the first one has index 0. */
  readonly index: number
  /** Position of each of its transactions at height 0 of the X-chain. */
  readonly positions: readonly number[]
}

/** What the caller looks up before it applies vertices. The keys are ids in bare lowercase hex. */
export interface Known {
  /** The vertices, and parents of vertices, that were applied before. */
  readonly vertices: ReadonlySet<string>
  /** Positions of those transactions in the vertices that were executed before. */
  readonly transactions: ReadonlyMap<string, number>
}

/** The effects of vertices. */
export interface Applied {
  readonly changes: Change[]
  readonly vertices: readonly Accepted[]
  readonly progress: Progress
  /** Outputs of other chains that the waiting transactions import and that are not exported yet. */
  readonly missing: readonly Missing[]
}

/**
 * Decodes a vertex and its transactions, and checks its form.
 * @param chainId the X-chain's id
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { type LedgerState, Vertices } from '@firn/ledger'
 *
 * declare const state: LedgerState.LedgerState
 * declare const bytes: Uint8Array
 * const { id, height, txs } = Vertices.decode(bytes, state.rules.chainIds.X)
 * console.log(Id.format(id), height, txs.length)
 * ```
 * @throws LedgerError `LEDGER_VERTEX` if the vertex belongs to another chain; CodecError if the bytes are malformed;
 * TxsError `TXS_VERTEX`, `TXS_EMPTY`, `TXS_ORDER`
 */
export function decode(bytes: Uint8Array, chainId: Uint8Array): Decoded {
  const vertex = Vertex.decode(bytes)
  Vertex.assertValid(vertex)
  if (!Bytes.equals(vertex.chainID, chainId)) {
    const details = { expected: Id.format(chainId), actual: Id.format(vertex.chainID) }
    refuse('LEDGER_VERTEX', `expected a vertex of chain ${details.expected}, got ${details.actual}`, details)
  }
  const txs = vertex.type === 'StopVertex' ? [] : vertex.txs
  return {
    id: Vertex.id(bytes),
    height: vertex.height,
    parentIds: vertex.parentIDs,
    bytes,
    txs: txs.map((tx) => ({ id: AvmTx.id(tx), bytes: tx, tx: AvmTx.decode(tx) })),
  }
}

/**
 * Returns the progress before the first vertex.
 * @example
 * ```ts
 * import { type Genesis, Networks } from '@firn/genesis'
 * import { Vertices } from '@firn/ledger'
 *
 * declare const genesis: Genesis.Genesis
 * const progress = Vertices.start(genesis, Networks.of(genesis.networkId))
 * ```
 * @throws CodecError if the X-chain's genesis is malformed
 */
export function start(genesis: Genesis.Genesis, constants: Networks.Constants): Progress {
  const changes = blocks.avm(genesis, constants)
  const count = (type: Change['type']) => changes.filter((change) => change.type === type).length
  const [position, ordinal] = [count('transaction'), count('utxo')]
  return { vertices: 0, last: undefined, position, ordinal, waiting: [] }
}

/**
 * Returns the progress that follows from what a caller has stored.
 * @param stored `position` and `ordinal` are one more than the highest ones among the executed transactions and
 * their UTXOs, including the UTXOs of the genesis
 * @example
 * ```ts
 * import { Vertices } from '@firn/ledger'
 *
 * declare const waiting: readonly Vertices.Waiting[]
 * declare const last: { id: Uint8Array; height: bigint }
 * const progress = Vertices.resume({ vertices: 12, last, position: 40, ordinal: 77, waiting })
 * ```
 * @throws CodecError if a waiting transaction is malformed
 */
export function resume(stored: Progress): Progress {
  const { waiting } = stored
  const position = waiting.reduce((most, one) => Math.max(most, one.position + 1), stored.position)
  const ordinal = waiting.reduce(
    (most, one) => Math.max(most, one.ordinal + countOutputs(AvmTx.decode(one.bytes), one.txId)),
    stored.ordinal,
  )
  return { ...stored, position, ordinal }
}

/**
 * Returns true if the network has no vertices to apply, or if all of them and all of their transactions are applied.
 * X-chain block 1 may be applied only then.
 * @example
 * ```ts
 * import { type LedgerState, Vertices } from '@firn/ledger'
 *
 * declare const state: LedgerState.LedgerState
 * declare const progress: Vertices.Progress
 * if (Vertices.isDone(state.rules, progress)) console.log('X-chain block 1 is next')
 * ```
 */
export function isDone({ constants }: LedgerState['rules'], progress: Progress): boolean {
  const { cortinaXChainStopVertexId: stop } = constants.upgrades
  if (Bytes.isZero(stop)) return true
  return isEnded(stop, progress) && progress.waiting.length === 0
}

/** Returns true if the stop vertex is applied. */
function isEnded(stop: Uint8Array, { last }: Pick<Progress, 'last'>): boolean {
  return last !== undefined && Bytes.equals(last.id, stop)
}

/**
 * Returns the records that {@link apply} reads from the tables of a windowed state: what the vertices' transactions and
 * the waiting ones spend, and their assets.
 * @example
 * ```ts
 * import { type LedgerState, type Reads, Vertices } from '@firn/ledger'
 *
 * declare const state: LedgerState.LedgerState
 * declare const progress: Vertices.Progress
 * declare const next: readonly Vertices.Decoded[]
 * declare const writer: { fetch(reads: readonly Reads.Read[]): Promise<void> } // of @firn/store
 * await writer.fetch(Vertices.reads(state.rules, progress, next))
 * ```
 * @throws CodecError if a waiting transaction is malformed
 */
export function reads(
  rules: LedgerState['rules'],
  { waiting }: Progress,
  vertices: readonly Decoded[],
): Reads.Read[] {
  const txs = vertices.flatMap((vertex) => vertex.txs.map(({ tx }) => tx))
  return [...waiting.map(({ bytes }) => AvmTx.decode(bytes)), ...txs].flatMap((tx) =>
    Reads.ofAvmTx(rules, tx),
  )
}

/**
 * Returns the effects of the next vertices on a state, and of waiting transactions whose inputs have appeared since.
 * `vertices` may be empty. Does not change the state; `LedgerState.commit` applies the effects. Each vertex must
 * come after its parents. A transaction counts once, however many vertices contain it. A transaction
 * whose inputs do not exist yet waits until another vertex creates them or another chain exports them.
 *
 * All effects are at height 0 of the X-chain, after the effects of the genesis. The position of a transaction and the
 * ordinals of its UTXOs follow from the order of the vertices alone, or from `first`, not from the order of execution.
 * The tip remains block 0.
 * @param first transactions of the vertices that get their positions first, in this order
 * @example
 * ```ts
 * import { LedgerState, Vertices } from '@firn/ledger'
 *
 * declare const state: LedgerState.LedgerState
 * declare let progress: Vertices.Progress
 * declare const next: readonly Vertices.Decoded[]
 * declare const known: Vertices.Known
 * const applied = Vertices.apply(state, progress, next, known)
 * LedgerState.commit(state, applied.changes)
 * progress = applied.progress
 * ```
 * @throws LedgerError `LEDGER_VERTEX` if a vertex comes before its parents, twice, or after the stop vertex;
 * `LEDGER_WAITING` if the stop vertex is applied and a transaction spends outputs that no vertex created; other
 * codes as for blocks, and `LEDGER_NOT_FETCHED` if a windowed state lacks a record; TxsError `TXS_FUNDS`, `TXS_OVERFLOW`
 */
export function apply(
  state: LedgerState,
  progress: Progress,
  vertices: readonly Decoded[],
  known: Known,
  first: Decoded['txs'] = [],
): Applied {
  const { cortinaXChainStopVertexId: stop } = state.rules.constants.upgrades
  const run = new VertexRun(state, progress)
  const { changes } = run.draft
  const applied = new Set(known.vertices)
  const accepted: Accepted[] = []
  let [{ last }, index] = [progress, progress.vertices]
  const positionOf = ({ id, bytes, tx }: Decoded['txs'][number]) => {
    const key = Hex.encodeBare(id)
    return run.positionOf(key) ?? known.transactions.get(key) ?? run.add(id, bytes, tx)
  }
  run.retry()
  for (const tx of first) positionOf(tx)
  for (const { txs, ...vertex } of vertices) {
    assertFollows(vertex, applied, isEnded(stop, { last }))
    const positions = txs.map(positionOf)
    accepted.push({ ...vertex, index: index++, positions })
    applied.add(Hex.encodeBare(vertex.id))
    last = own({ id: vertex.id, height: vertex.height })
  }
  const { position, ordinal } = run
  const after = { vertices: index, last, position, ordinal, waiting: run.waiting() }
  const missing = run.missing()
  if (isEnded(stop, after)) assertNoneStuck(run, missing)
  return { changes, vertices: accepted, progress: after, missing }
}

function assertFollows(
  { id, parentIds }: Omit<Decoded, 'txs'>,
  applied: ReadonlySet<string>,
  isEnd: boolean,
): void {
  const name = Id.format(id)
  if (isEnd) refuse('LEDGER_VERTEX', `vertex ${name} comes after the stop vertex`, { vertex: name })
  if (applied.has(Hex.encodeBare(id))) {
    refuse('LEDGER_VERTEX', `vertex ${name} was already applied`, { vertex: name })
  }
  const parent = parentIds.find((parentId) => !applied.has(Hex.encodeBare(parentId)))
  if (parent === undefined) return
  const details = { vertex: name, parent: Id.format(parent) }
  refuse('LEDGER_VERTEX', `vertex ${name} comes before its parent ${details.parent}`, details)
}

/**
 * Checks, after the stop vertex, that every waiting transaction waits for an export of another chain, or for
 * another transaction that does.
 */
function assertNoneStuck(run: VertexRun, missing: readonly Missing[]): void {
  const stuck = missing.length > 0 ? undefined : run.firstStuck()
  if (stuck === undefined) return
  const details = { txId: Id.format(stuck.task.txId), utxo: UtxoId.format(stuck.input) }
  refuse(
    'LEDGER_WAITING',
    `transaction ${details.txId} spends UTXO ${details.utxo}, which no vertex created or which was already spent`,
    details,
  )
}
