import type { Genesis, Networks } from '@firn/genesis'
import type { Change, LedgerState, Records } from '@firn/ledger'
import type { Store } from './Store.ts'
import { StoreError } from './StoreError.ts'

/** An accepted block, and what it does. */
export interface Accepted {
  readonly chain: Records.ChainAlias
  /** The inner block. */
  readonly bytes: Uint8Array
  readonly parentID: Uint8Array
  /** The proposervm container around it, where that is known, and when a node accepted it (nanoseconds since 1970). */
  readonly container?: {
    readonly id: Uint8Array
    readonly bytes: Uint8Array
    readonly acceptedAt?: bigint
  }
  /** What `Ledger.apply` told. */
  readonly changes: readonly Change.Change[]
}

/** A writer, and the state from which it goes on. */
export interface Opened {
  readonly writer: Writer
  readonly state: LedgerState.LedgerState
}

/** The one who may write to a schema, until the next one opens it. */
export class Writer {
  private constructor() {}

  /**
   * Makes this process the schema's writer: all earlier ones are fenced off. An empty database gets the genesis.
   * @param genesis its bytes, or the genesis itself
   * @throws StoreError `STORE_NETWORK`, `STORE_UNAVAILABLE`, `STORE_CORRUPT`; CodecError of a malformed genesis
   */
  static async open(
    _store: Store,
    _genesis: Uint8Array | Genesis.Genesis,
    _constants: Networks.Constants,
  ): Promise<Opened> {
    throw new StoreError('STORE_UNAVAILABLE', 'expected a database, which this version has none of')
  }

  /**
   * Stores blocks that follow each other on their chains, in one transaction: all of them, or after an error none. After an error
   * other than `STORE_CURSOR` nothing more can be committed: open a writer again.
   * @throws StoreError `STORE_FENCED`, `STORE_CURSOR`, `STORE_UNAVAILABLE`
   */
  async commit(_batch: readonly Accepted[]): Promise<void> {}
}
