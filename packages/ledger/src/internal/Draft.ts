import type { ChainAlias } from '@firn/codec'
import { UtxoId } from '@firn/txs'
import type { Change, RecordChange, TransactionChange } from '../Change.ts'
import type * as Records from '../Records.ts'
import { own } from './own.ts'
import { refuse } from './refuse.ts'
import { Overlay } from './Table.ts'
import { LAYOUTS, type Rules, type Tables } from './Tables.ts'

type Overlays = { [Name in Records.TableName]?: Overlay<Records.Records[Name]> }

/**
 * The pending effects of a block on a state. The state stays unchanged, but reads see the pending changes.
 */
export class Draft {
  readonly changes: Change[] = []
  readonly rules: Rules
  readonly chain: ChainAlias
  /** Id of the transaction being executed; undefined while time advances. */
  txId: Uint8Array | undefined = undefined
  /** Whether the transaction being executed has inputs that are not known, see {@link TransactionChange}. */
  hasUnknownInputs = false
  /** Tip of the chain so far. {@link finish} adds the change of the tip after all other changes. */
  tip: Records.Tip
  readonly #before: Records.Tip
  readonly #tables: Tables
  readonly #overlays: Overlays = {}
  /** Number of records that the block has created, by table. */
  readonly #made = new Map<Records.TableName, number>()

  constructor(tables: Tables, rules: Rules, chain: ChainAlias) {
    this.rules = rules
    this.chain = chain
    this.#tables = tables
    this.tip =
      tables.tip.get(chain) ??
      refuse('LEDGER_GENESIS', 'the state has no genesis; create it with LedgerState.create')
    this.#before = this.tip
  }

  /** Height of the block being executed. */
  get height(): bigint {
    return this.#before.height + 1n
  }

  get<Name extends Records.TableName>(name: Name, key: string): Records.Records[Name] | undefined {
    return this.table(name).get(key)
  }

  /** Returns true if the block has removed the record. */
  isGone(name: Records.TableName, key: string): boolean {
    return this.get(name, key) === undefined && this.#tables[name].get(key) !== undefined
  }

  /** Writes one record. It is created if `before` is absent and removed if `after` is absent. */
  write<Name extends Records.TableName>(
    type: Name,
    before: Records.Records[Name] | undefined,
    after: Records.Records[Name] | undefined,
  ): void {
    // UTXOs need no copy here, because they are packed when they are committed.
    const owned = after === undefined || type === 'utxo' ? after : own(after)
    this.table(type).write(before, owned)
    this.changes.push({ type, before, after: owned, txId: this.txId } as RecordChange)
  }

  setTip(part: Partial<Records.Tip>): void {
    this.tip = { ...this.tip, ...part }
  }

  /** Returns the index of the next record among all records that the block creates in the table. */
  nextOrdinal(name: Records.TableName): number {
    const ordinal = this.#made.get(name) ?? 0
    this.#made.set(name, ordinal + 1)
    return ordinal
  }

  /**
   * Creates a UTXO. `chain` is the chain that can spend the UTXO; another chain than this one must import it first.
   */
  makeUtxo(utxo: Records.Utxo['utxo'], origin: Records.UtxoOrigin, chain = this.chain): void {
    const rewardTxId = origin === 'reward' ? utxo.txID : undefined
    const { chain: source, height } = this
    const ordinal = this.nextOrdinal('utxo')
    const record = {
      id: UtxoId.inputId(utxo),
      chain,
      source,
      utxo,
      origin,
      rewardTxId,
      height,
      ordinal,
    }
    this.write('utxo', undefined, record)
  }

  /** Adds the outcome of a transaction to the block's changes. */
  decide(part: Omit<TransactionChange, 'type' | 'chain'>): void {
    const unknown = this.hasUnknownInputs ? { hasUnknownInputs: true as const } : {}
    this.changes.push({ type: 'transaction', chain: this.chain, ...part, ...unknown })
    this.hasUnknownInputs = false
  }

  /** Finishes the block, moves the tip to it and returns all changes. */
  finish(blockId: Uint8Array): Change[] {
    this.setTip({ height: this.height, blockId })
    this.changes.push({ type: 'tip', before: this.#before, after: this.tip, txId: undefined })
    return this.changes
  }

  /** Returns a table that includes the pending changes. */
  protected table<Name extends Records.TableName>(name: Name): Overlay<Records.Records[Name]> {
    const known = this.#overlays[name] as Overlay<Records.Records[Name]> | undefined
    if (known !== undefined) return known
    const overlay = new Overlay<Records.Records[Name]>(this.#tables[name], LAYOUTS[name])
    Object.assign(this.#overlays, { [name]: overlay })
    return overlay
  }
}
