import { type RawBuilder, sql } from 'kysely'

/** Filters of a page of L1 validators. A validator must match all of them. */
export interface Query {
  readonly validationId: Uint8Array | undefined
  readonly subnetId: Uint8Array | undefined
  readonly nodeId: Uint8Array | undefined
  /** Whether to include removed validators and validators without a balance. */
  readonly isInactiveToo: boolean
  /** Validation id after which the page starts. */
  readonly after: Uint8Array | undefined
  readonly limit: number
}

export function filters({
  validationId,
  subnetId,
  nodeId,
  after,
}: Pick<Query, 'validationId' | 'subnetId' | 'nodeId' | 'after'>): RawBuilder<unknown>[] {
  const equal = (column: string, value: Uint8Array | undefined) =>
    value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`]
  return [
    ...equal('key', validationId),
    ...equal('subnet_id', subnetId),
    ...equal('node_id', nodeId),
    ...(after === undefined ? [] : [sql`key > ${after}`]),
  ]
}
