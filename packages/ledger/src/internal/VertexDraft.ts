import { Hex } from '@firn/codec'
import type * as Records from '../Records.ts'
import { Draft } from './Draft.ts'
import type { Rules, Tables } from './Tables.ts'

/** The pending effects of vertices of the X-chain. They are at height 0 and leave the tip as it is. */
export class VertexDraft extends Draft {
  #ordinal = 0
  #created: string[] = []

  constructor(tables: Tables, rules: Rules) {
    super(tables, rules, 'X')
  }

  override get height(): bigint {
    return 0n
  }

  override nextOrdinal(): number {
    return this.#ordinal++
  }

  /** Begins a transaction whose first UTXO has the given ordinal. */
  begin(txId: Uint8Array, ordinal: number): void {
    this.txId = txId
    this.#ordinal = ordinal
    this.#created = []
  }

  /** Returns the ids of the UTXOs that the current transaction created, in bare hex. */
  created(): readonly string[] {
    return this.#created
  }

  override write<Name extends Records.TableName>(
    type: Name,
    before: Records.Records[Name] | undefined,
    after: Records.Records[Name] | undefined,
  ): void {
    super.write(type, before, after)
    if (type === 'utxo' && after !== undefined) this.#created.push(Hex.encodeBare((after as Records.Utxo).id))
  }
}
