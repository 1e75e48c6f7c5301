import type { Chain } from '../Source.ts'

/** One thing that is wrong with a database. */
export interface Finding {
  readonly chain: Chain | undefined
  /** What was looked at: a stable name. */
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
  /** Where; of a range its first height. */
  readonly height: bigint | undefined
  readonly message: string
}
