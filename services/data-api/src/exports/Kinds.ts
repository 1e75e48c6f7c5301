import type { Exportable, ExportKind, Selecting } from './ExportKind.ts'
import { evmTransactions } from './evmFeeds.ts'
import { ALL, primaryTransactions, SIMPLE, STAKING, STAKING_TYPES } from './primaryFeeds.ts'
import type { Source } from './Table.ts'

/** All kinds of exports, by the names that the official client has for them. */
export const KINDS = {
  TRANSACTION_EXPORT_EVM: evmTransactions,
  TRANSACTION_EXPORT_PRIMARY_NETWORK: primaryTransactions(ALL),
  TRANSACTION_EXPORT_PRIMARY_NETWORK_STAKING: primaryTransactions(STAKING, STAKING_TYPES),
  TRANSACTION_EXPORT_PRIMARY_NETWORK_SIMPLE: primaryTransactions(SIMPLE),
} satisfies Readonly<Record<string, ExportKind>>

export type OperationType = keyof typeof KINDS

export const OPERATION_TYPES = Object.keys(KINDS) as readonly OperationType[]

/**
 * Returns the rows of an export.
 * @throws DataApiError `DATA_PARAMETER`, `DATA_NOT_FOUND`
 */
export function sourceOf(
  exportable: Exportable,
  request: Selecting & { readonly type: OperationType },
): Promise<Source<unknown>> {
  const [from, until] = [request.from, request.until].map((time) =>
    time === undefined ? undefined : BigInt(time),
  )
  return KINDS[request.type].source(exportable, request, { from, until })
}
