import { toKey } from '@firn/sql'
import type { TransferRow } from '../EvmSchema.ts'

/**
 * Position of a transfer of an ERC-721 token whose log has the layout of ERC-20: the value is the id of the token. Logs
 * of other layouts have no transfers with this position.
 */
export const ID_POSITION = 2 ** 31 - 1

/** Keys of the contracts whose ERC-20 transfer logs contain token ids. */
export type Collections = ReadonlySet<string>

/** Returns a transfer as it is stored. */
export function asStored(row: TransferRow, collections: Collections): TransferRow {
  if (row.standard !== 20 || collections.size === 0 || !collections.has(toKey(row.contract))) return row
  return { ...row, standard: 721, position: ID_POSITION, token_id: row.amount, amount: 1n }
}

/**
 * Returns transfers in the layouts of their logs. Digests cover this form, because they must not depend on when it became
 * known what the values of a contract are.
 */
export function asLogged(rows: readonly TransferRow[]): readonly TransferRow[] {
  if (rows.every(({ position }) => position !== ID_POSITION)) return rows
  return rows.map((row) =>
    row.position === ID_POSITION
      ? { ...row, standard: 20, position: 0, token_id: null, amount: row.token_id ?? 0n }
      : row,
  )
}
