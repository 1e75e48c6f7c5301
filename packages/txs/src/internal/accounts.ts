import { Bytes } from '@firn/codec'
import type { EvmOutput } from '../atomic/AtomicTx.ts'
import { TxsError, type TxsErrorCode } from '../TxsError.ts'

/** Checks that the accounts of an import or export are sorted by address, then by asset, without duplicates. */
export function assertAccounts(code: TxsErrorCode, what: string, list: readonly EvmOutput[]): void {
  const index = list.findIndex((item, i) => i > 0 && compare(list[i - 1] as typeof item, item) >= 0)
  if (index < 0) return
  const message = `expected sorted, unique ${what}s, but ${what} ${index} is not greater than the previous one`
  throw new TxsError(code, message, { details: { index } })
}

function compare(a: EvmOutput, b: EvmOutput): number {
  return Bytes.compare(a.address, b.address) || Bytes.compare(a.assetID, b.assetID)
}
