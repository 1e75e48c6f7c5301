import { Bytes, type ChainAlias, Hex, Id } from '@firn/codec'
import type { Genesis, Networks } from '@firn/genesis'
import { AvmTx, AvmUtxo, UtxoId, Vertex } from '@firn/txs'
import type { Change } from './Change.ts'
import * as avmTransactions from './internal/avmTransactions.ts'
import * as blocks from './internal/genesis.ts'
import { own } from './internal/own.ts'
import { knowsExports, peer } from './internal/peers.ts'
import { refuse } from './internal/refuse.ts'
import { VertexDraft } from './internal/VertexDraft.ts'
import type { LedgerState } from './LedgerState.ts'
import * as Reads from './Reads.ts'

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

/** A transaction of an applied vertex that waits for outputs that it spends. */
export interface Waiting {
  readonly txId: Uint8Array
  /** Position of the transaction at height 0 of the X-chain. */
  readonly position: number
  /** Ordinal of the first UTXO that the transaction creates. */
  readonly ordinal: number
  readonly bytes: Uint8Array
}

/** The vertices applied so far, and what the next ones depend on besides the state. */
export interface Progress {
  /** Number of applied vertices. */
  readonly vertices: number
  /** The last applied vertex; undefined before the first one. */
  readonly last: Pick<Accepted, 'id' | 'height'> | undefined
  /** Position of the next new transaction at height 0 of the X-chain. */
  readonly position: number
  /** Ordinal of the next UTXO at height 0 of the X-chain. */
  readonly ordinal: number
  /** Transactions that wait for outputs that they spend. */
  readonly waiting: readonly Waiting[]
}

/** What the caller looks up before it applies vertices. The keys are ids in bare lowercase hex. */
export interface Known {
  /** Those of the vertices and of their parents that were applied before. */
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

/** An output that a waiting transaction imports. */
export interface Missing {
  /** Id of the UTXO (32 bytes). */
  readonly id: Uint8Array
  /** The chain that must export it. */
  readonly source: ChainAlias
  readonly txId: Uint8Array
}

/** A transaction that is not executed yet. */
interface Task extends Waiting {
  readonly tx: AvmTx.AvmTx
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
 * their UTXOs, including those of the genesis
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
 * All effects are at height 0 of the X-chain, after those of the genesis. The position of a transaction and the
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
  const run = new Run(state, progress)
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

/** Computes the effects of transactions as soon as their inputs exist. */
class Run {
  readonly draft: VertexDraft
  position: number
  ordinal: number
  readonly #tasks = new Map<string, Task>()
  /** Positions of the transactions that this run executed. */
  readonly #executed = new Map<string, number>()
  /** Waiting transactions by the first input that is missing. */
  readonly #byMissing = new Map<string, Task[]>()

  constructor(state: LedgerState, { position, ordinal, waiting }: Progress) {
    this.draft = new VertexDraft(state.tables, state.rules)
    this.position = position
    this.ordinal = ordinal
    for (const held of waiting) {
      this.#tasks.set(Hex.encodeBare(held.txId), { ...held, tx: AvmTx.decode(held.bytes) })
    }
  }

  /** Returns the position of a transaction that is waiting or was executed by this run. */
  positionOf(key: string): number | undefined {
    return this.#executed.get(key) ?? this.#tasks.get(key)?.position
  }

  waiting(): Waiting[] {
    return [...this.#tasks.values()].map(({ txId, position, ordinal, bytes }) => {
      return own({ txId, position, ordinal, bytes })
    })
  }

  /** Executes the waiting transactions whose inputs exist by now. */
  retry(): void {
    for (const task of [...this.#tasks.values()]) this.#run(task)
  }

  /** Adds a new transaction and returns its position. */
  add(txId: Uint8Array, bytes: Uint8Array, tx: AvmTx.AvmTx): number {
    const { position, ordinal } = this
    this.position += 1
    this.ordinal += countOutputs(tx, txId)
    const task = { txId, position, ordinal, bytes, tx }
    this.#tasks.set(Hex.encodeBare(txId), task)
    this.#run(task)
    return position
  }

  /** Returns the missing outputs that waiting transactions import. */
  missing(): Missing[] {
    return [...this.#tasks.values()].flatMap(({ txId, tx }) => {
      const imported = AvmTx.imported(tx.unsignedTx)
      if (imported === undefined) return []
      if (!knowsExports(this.draft.rules, imported.from)) return []
      const absent = imported.inputs.filter((input) => isMissing(this.draft, keyOf(input)))
      if (absent.length === 0) return []
      const source = peer(this.draft, imported.from)
      return absent.map((input) => ({ id: UtxoId.inputId(input), source, txId: own(txId) }))
    })
  }

  /** Returns the first waiting transaction, with an output that it lacks. */
  firstStuck(): { readonly task: Task; readonly input: UtxoId.UtxoId } | undefined {
    for (const task of this.#tasks.values()) {
      const input = spentBy(this.draft, task.tx).find((spent) => isMissing(this.draft, keyOf(spent)))
      if (input !== undefined) return { task, input }
    }
    return undefined
  }

  /** Executes a transaction if its inputs exist, and then those that waited for its outputs. */
  #run(first: Task): void {
    const ready = [first]
    for (let task = ready.pop(); task !== undefined; task = ready.pop()) {
      const missing = spentBy(this.draft, task.tx)
        .map(keyOf)
        .find((key) => isMissing(this.draft, key))
      if (missing === undefined) ready.push(...this.#execute(task))
      else this.#byMissing.set(missing, [...(this.#byMissing.get(missing) ?? []), task])
    }
  }

  /** Executes a transaction and returns those that waited for its outputs. */
  #execute({ txId, position, ordinal, bytes, tx }: Task): Task[] {
    const { draft } = this
    const key = Hex.encodeBare(txId)
    if (!this.#tasks.delete(key)) return []
    this.#executed.set(key, position)
    draft.begin(txId, ordinal)
    avmTransactions.execute(draft, txId, tx)
    draft.decide({ txId, height: 0n, position, name: tx.unsignedTx.type, bytes, status: 'Accepted' })
    return draft.created().flatMap((id) => {
      const woken = this.#byMissing.get(id) ?? []
      this.#byMissing.delete(id)
      return woken
    })
  }
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
function assertNoneStuck(run: Run, missing: readonly Missing[]): void {
  const stuck = missing.length > 0 ? undefined : run.firstStuck()
  if (stuck === undefined) return
  const details = { txId: Id.format(stuck.task.txId), utxo: UtxoId.format(stuck.input) }
  refuse(
    'LEDGER_WAITING',
    `transaction ${details.txId} spends UTXO ${details.utxo}, which no vertex created or which was already spent`,
    details,
  )
}

/** Returns the number of UTXOs that a transaction creates. */
function countOutputs(tx: AvmTx.AvmTx, txId: Uint8Array): number {
  return AvmUtxo.of(tx, txId).length + (AvmTx.exported(tx.unsignedTx)?.outputs.length ?? 0)
}

/** Returns the UTXOs that a transaction spends and that must exist: all of them, except imports that are not known. */
function spentBy({ rules }: VertexDraft, tx: AvmTx.AvmTx): readonly UtxoId.UtxoId[] {
  const imported = AvmTx.imported(tx.unsignedTx)
  const spent = AvmTx.spent(tx)
  if (imported === undefined || knowsExports(rules, imported.from)) return spent
  const unknown: readonly UtxoId.UtxoId[] = imported.inputs
  return spent.filter((input) => !unknown.includes(input))
}

function keyOf(input: UtxoId.UtxoId): string {
  return Hex.encodeBare(UtxoId.inputId(input))
}

function isMissing(draft: VertexDraft, key: string): boolean {
  return draft.get('utxo', key) === undefined
}
