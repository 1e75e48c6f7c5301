import type { MethodLayouts } from '../Layout.ts'
import * as Layout from '../Layout.ts'

const encoding = Layout.optional(Layout.encoding)
const byId = Layout.struct({ id: Layout.id, encoding })

/**
 * A container that a chain accepted: the block as consensus saw it, the time at which this node accepted it,
 * and its index.
 */
export const IndexedContainer = Layout.struct({
  id: Layout.id,
  bytes: Layout.string,
  timestamp: Layout.time,
  encoding: Layout.encoding,
  index: Layout.u64,
})

/**
 * Methods of the Index API, which is served at `/ext/index/{P,X,C}/block` and `/ext/index/X/{tx,vtx}` by
 * nodes with indexing enabled.
 */
export const IndexMethods = {
  'index.getContainerByID': { params: byId, result: IndexedContainer },
  'index.getContainerByIndex': {
    params: Layout.struct({ index: Layout.u64, encoding }),
    result: IndexedContainer,
  },
  'index.getContainerRange': {
    params: Layout.struct({ startIndex: Layout.u64, numToFetch: Layout.u64, encoding }),
    result: Layout.struct({ containers: Layout.array(IndexedContainer) }),
  },
  'index.getIndex': { params: byId, result: Layout.struct({ index: Layout.u64 }) },
  'index.getLastAccepted': { params: Layout.struct({ encoding }), result: IndexedContainer },
  'index.isAccepted': { params: byId, result: Layout.struct({ isAccepted: Layout.boolean }) },
} satisfies MethodLayouts
