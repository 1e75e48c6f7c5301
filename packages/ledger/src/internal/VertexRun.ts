import { type ChainAlias, Hex } from '@firn/codec'
import { AvmTx, AvmUtxo, UtxoId } from '@firn/txs'
import type { LedgerState } from '../LedgerState.ts'
import * as avmTransactions from './avmTransactions.ts'
import { own } from './own.ts'
import { knowsExports, peer } from './peers.ts'
import { VertexDraft } from './VertexDraft.ts'

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
  readonly last: { readonly id: Uint8Array; readonly height: bigint } | undefined
  /** Position of the next new transaction at height 0 of the X-chain. */
  readonly position: number
  /** Ordinal of the next UTXO at height 0 of the X-chain. */
  readonly ordinal: number
  /** Transactions that wait for outputs that they spend. */
  readonly waiting: readonly Waiting[]
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

/** Computes the effects of transactions as soon as their inputs exist. */
export class VertexRun {
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

/** Returns the number of UTXOs that a transaction creates. */
export function countOutputs(tx: AvmTx.AvmTx, txId: Uint8Array): number {
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
