import type { EvmContext } from '../evm/chain/EvmContext.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import type { DataContext } from '../primary/network/Context.ts'
import type { AllShapes } from '../primary/transactions/listTransactions.ts'
import type { Source } from './Table.ts'

/** What exports can read: EVM chains, and the Primary Network if it is served. */
export interface Exportable {
  readonly evm: EvmContext
  readonly primary: { readonly context: DataContext; readonly shapes: AllShapes } | undefined
}

/** Filters of an export. Times are in Unix seconds; `until` is exclusive. */
export interface Selection {
  readonly addresses: readonly Uint8Array[] | undefined
  readonly from: bigint | undefined
  readonly until: bigint | undefined
}

/** What exports of EVM chains contain. */
export const CONTENTS = ['transactions', 'transfers'] as const
export type Contents = (typeof CONTENTS)[number]

/** The part of a request for an export that selects its rows. Times are in Unix seconds. */
export interface Selecting {
  readonly contents: Contents
  readonly from: number | undefined
  /** Exclusive. */
  readonly until: number | undefined
  readonly addresses: readonly string[]
  readonly chains: readonly string[]
}

/** A kind of exports. */
export interface ExportKind {
  /**
   * Returns the rows of an export.
   * @throws DataApiError `DATA_PARAMETER`, `DATA_NOT_FOUND`
   */
  source(
    exportable: Exportable,
    request: Selecting,
    range: Pick<Selection, 'from' | 'until'>,
  ): Promise<Source<unknown>>
}

/**
 * Parses a text of a list in the body of a request.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function parsed<T>(name: string, parameter: Parameter.Parameter<T>, text: string): T {
  const value = parameter.parse([text])
  if (value !== undefined) return value
  throw Parameter.refused(name, parameter.expected, text.slice(0, 80))
}
