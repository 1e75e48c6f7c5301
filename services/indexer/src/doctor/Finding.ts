import type { ChainAlias } from '@firn/codec'

/** One problem found in a database. */
export interface Finding {
  readonly chain: ChainAlias | undefined
  /** Stable name of the check. */
  readonly check:
    | 'gap'
    | 'cursor'
    | 'block'
    | 'parent'
    | 'digest'
    | 'transactions'
    | 'source'
    | 'state'
    | 'supply'
    | 'validators'
    | 'balance'
    | 'utxos'
  /** The affected height; for a range, its first height. */
  readonly height: bigint | undefined
  readonly message: string
}
