import { UtxoId } from '@firn/txs'
import type { Change, RecordChange, TransactionChange } from '../Change.ts'
import type * as Records from '../Records.ts'
import { own } from './own.ts'
import { refuse } from './refuse.ts'
import { Overlay } from './Table.ts'
import { LAYOUTS, type Rules, type Tables } from './Tables.ts'

type Overlays = { [Name in Records.TableName]?: Overlay<Records.Records[Name]> }

/** The pending effects of a block on a state that stays unchanged: reads see the changes made so far. */
export class Draft {
  readonly changes: Change[] = []
  readonly rules: Rules
  readonly chain: Records.ChainAlias
  /** The transaction in execution; undefined while time advances. */
  txId: Uint8Array | undefined = undefined
  /** The current tip of the chain. The change of the tip is the last one, made by {@link finish}. */
  tip: Records.Tip
  readonly #before: Records.Tip
  readonly #tables: Tables
  readonly #overlays: Overlays = {}
  /** Number of UTXOs, or records of another kind, that the block has created. */
  readonly #made = new Map<Records.TableName, number>()

  constructor(tables: Tables, rules: Rules, chain: Records.ChainAlias) {
    this.rules = rules
    this.chain = chain
    this.#tables = tables
    this.tip = tables.tip.get(chain) ?? refuse('LEDGER_GENESIS', 'the state has no genesis')
    this.#before = this.tip
  }

  /** The height of the block in execution. */
  get height(): bigint {
    return this.#before.height + 1n
  }

  get<Name extends Records.TableName>(name: Name, key: string): Records.Records[Name] | undefined {
    return this.table(name).get(key)
  }

  /** Returns true for a record that the block has removed. */
  isGone(name: Records.TableName, key: string): boolean {
    return this.get(name, key) === undefined && this.#tables[name].get(key) !== undefined
  }

  /** Writes one record: created if `before` is absent, removed if `after` is absent. */
  write<Name extends Records.TableName>(
    type: Name,
    before: Records.Records[Name] | undefined,
    after: Records.Records[Name] | undefined,
  ): void {
    // UTXOs are packed when they are committed.
    const owned = after === undefined || type === 'utxo' ? after : own(after)
    this.table(type).write(before, owned)
    this.changes.push({ type, before, after: owned, txId: this.txId } as RecordChange)
  }

  setTip(part: Partial<Records.Tip>): void {
    this.tip = { ...this.tip, ...part }
  }

  /** Returns the index of the next record among those of its kind that the block creates. */
  nextOrdinal(name: Records.TableName): number {
    const ordinal = this.#made.get(name) ?? 0
    this.#made.set(name, ordinal + 1)
    return ordinal
  }

  /** Creates a UTXO, spendable on this chain or, after its import, on another one. */
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

  /** Records the outcome of a transaction of the block. */
  decide(part: Omit<TransactionChange, 'type' | 'chain'>): void {
    this.changes.push({ type: 'transaction', chain: this.chain, ...part })
  }

  /** Ends the block and moves the tip to it. */
  finish(blockId: Uint8Array): Change[] {
    this.setTip({ height: this.height, blockId })
    this.changes.push({ type: 'tip', before: this.#before, after: this.tip, txId: undefined })
    return this.changes
  }

  /** Returns a table with the changes made so far. */
  protected table<Name extends Records.TableName>(name: Name): Overlay<Records.Records[Name]> {
    const known = this.#overlays[name] as Overlay<Records.Records[Name]> | undefined
    if (known !== undefined) return known
    const overlay = new Overlay<Records.Records[Name]>(this.#tables[name], LAYOUTS[name])
    Object.assign(this.#overlays, { [name]: overlay })
    return overlay
  }
}
