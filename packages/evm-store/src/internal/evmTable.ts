import type * as Tables from '@firn/sql/table'

type Columns = Tables.Table['columns']

/** Definitions of a table's indexes, by what needs them. */
interface Indexes {
  /** Indexes by which rows are found while blocks are stored, undone or pruned. */
  readonly storing?: readonly string[]
  /** Indexes that only requests and the checks of balances need. A chain can be filled without them. */
  readonly requests?: readonly string[]
}

/** A table of an EVM chain. */
export interface EvmTable<C extends Columns = Columns> extends Tables.Table<C> {
  /** The elements of `indexes` that only requests and the checks of balances need. */
  readonly requestIndexes: readonly string[]
}

type Declaration<C extends Columns> = Omit<Tables.Table<C, keyof C & string>, 'indexes'> & {
  readonly indexes?: Indexes
}

/** Declares a table of an EVM chain. Each index is declared with what needs it. */
export function table<C extends Columns>({ indexes = {}, ...declaration }: Declaration<C>): EvmTable<C> {
  const { storing = [], requests = [] } = indexes
  return { ...declaration, indexes: [...storing, ...requests], requestIndexes: requests }
}
