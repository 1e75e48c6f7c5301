import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'

const encoding = Schema.optional(Schema.encoding)
const byId = Schema.struct({ id: Schema.id, encoding })

/**
 * A container that a chain accepted: the block as consensus saw it, the time at which this node accepted it,
 * and its index.
 */
export const IndexedContainer = Schema.struct({
  id: Schema.id,
  bytes: Schema.string,
  timestamp: Schema.time,
  encoding: Schema.encoding,
  index: Schema.u64,
})

/**
 * Methods of the Index API, which is served at `/ext/index/{P,X,C}/block` and `/ext/index/X/{tx,vtx}` by
 * nodes with indexing enabled.
 */
export const IndexMethods = {
  'index.getContainerByID': { params: byId, result: IndexedContainer },
  'index.getContainerByIndex': {
    params: Schema.struct({ index: Schema.u64, encoding }),
    result: IndexedContainer,
  },
  'index.getContainerRange': {
    params: Schema.struct({ startIndex: Schema.u64, numToFetch: Schema.u64, encoding }),
    result: Schema.struct({ containers: Schema.array(IndexedContainer) }),
  },
  'index.getIndex': { params: byId, result: Schema.struct({ index: Schema.u64 }) },
  'index.getLastAccepted': { params: Schema.struct({ encoding }), result: IndexedContainer },
  'index.isAccepted': { params: byId, result: Schema.struct({ isAccepted: Schema.boolean }) },
} satisfies MethodTable
