import { Bytes, Id } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { TxsError, type TxsErrorCode } from '../TxsError.ts'

/** Maximum size of a vertex in bytes. */
export const MAX_SIZE = 1024 * 1024
/** Maximum number of parents of a vertex. */
export const MAX_PARENTS = 128
/** Maximum number of transactions of a vertex. */
export const MAX_TXS = 128

const begin = { chainID: Codec.id, height: Codec.u64 }
const parents = { parentIDs: Codec.array(Codec.id) }

const vertex = Codec.versioned(
  Codec.struct({ ...begin, epoch: Codec.u32, ...parents, txs: Codec.array(Codec.bytes()) }),
  { version: 0, maxSize: MAX_SIZE },
)
const stopVertex = Codec.versioned(Codec.struct({ ...begin, ...parents }), { version: 1, maxSize: MAX_SIZE })

/**
 * A vertex of the X-chain from before its linearization. A `Vertex` contains encoded transactions (codec
 * version 0). The `StopVertex` ends the graph (codec version 1). `parentIDs` are the ids of other vertices.
 * Source: avalanchego `snow/engine/avalanche/vertex`.
 */
export type Vertex =
  | ({ readonly type: 'Vertex' } & Codec.Infer<typeof vertex>)
  | ({ readonly type: 'StopVertex' } & Codec.Infer<typeof stopVertex>)

/**
 * Encodes a vertex.
 * @example
 * ```ts
 * import { Vertex } from '@firn/txs'
 *
 * declare const chainID: Uint8Array
 * const bytes = Vertex.encode(Vertex.buildStop({ chainID, height: 0n, parentIDs: [] }))
 * ```
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`
 */
export function encode(value: Vertex): Uint8Array {
  return value.type === 'StopVertex' ? stopVertex.encode(value) : vertex.encode(value)
}

/**
 * Decodes the vertex in `bytes`. Does not verify the vertex or decode its transactions (see `AvmTx.decode`).
 * @example
 * ```ts
 * import { Vertex } from '@firn/txs'
 *
 * declare const bytes: Uint8Array // a vertex of the X-chain before Cortina
 * const vertex = Vertex.decode(bytes)
 * if (vertex.type === 'Vertex') console.log(vertex.txs.length)
 * ```
 * @throws CodecError if the bytes are malformed, with `path` and `offset`
 */
export function decode(bytes: Uint8Array): Vertex {
  return bytes[0] === 0 && bytes[1] === 1
    ? { type: 'StopVertex', ...stopVertex.decode(bytes) }
    : { type: 'Vertex', ...vertex.decode(bytes) }
}

/**
 * Returns the id of an encoded vertex: SHA-256 of `bytes`.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Vertex } from '@firn/txs'
 *
 * declare const bytes: Uint8Array
 * Id.format(Vertex.id(bytes)) // such as 'jrGWDh5Po9FMj54depyunNixpia5PN4aAYxfmNzU8n752Rjga'
 * ```
 */
export function id(bytes: Uint8Array): Uint8Array {
  return Id.hash(bytes)
}

/**
 * Builds a vertex. Sorts its parents by id and its transactions by SHA-256.
 * @example
 * ```ts
 * import { Vertex } from '@firn/txs'
 *
 * declare const chainID: Uint8Array
 * declare const parentIDs: readonly Uint8Array[], txs: readonly Uint8Array[]
 * const vertex = Vertex.build({ chainID, height: 7n, parentIDs, txs })
 * ```
 */
export function build(contents: {
  readonly chainID: Uint8Array
  readonly height: bigint
  readonly parentIDs: readonly Uint8Array[]
  readonly txs: readonly Uint8Array[]
}): Vertex {
  const txs = contents.txs.toSorted((a, b) => Bytes.compare(Id.hash(a), Id.hash(b)))
  return { ...contents, type: 'Vertex', epoch: 0, parentIDs: contents.parentIDs.toSorted(Bytes.compare), txs }
}

/**
 * Builds a stop vertex and sorts its parents.
 * @example
 * ```ts
 * import { Vertex } from '@firn/txs'
 *
 * declare const chainID: Uint8Array
 * const { type } = Vertex.buildStop({ chainID, height: 0n, parentIDs: [] }) // 'StopVertex'
 * ```
 */
export function buildStop(contents: {
  readonly chainID: Uint8Array
  readonly height: bigint
  readonly parentIDs: readonly Uint8Array[]
}): Vertex {
  return { ...contents, type: 'StopVertex', parentIDs: contents.parentIDs.toSorted(Bytes.compare) }
}

/**
 * Checks that a vertex has at most 128 parents, sorted and unique. A `Vertex` must also have epoch 0 and 1 to 128
 * transactions, unique and sorted by their SHA-256.
 * @example
 * ```ts
 * import { Vertex } from '@firn/txs'
 *
 * declare const bytes: Uint8Array
 * Vertex.assertValid(Vertex.decode(bytes))
 * ```
 * @throws TxsError `TXS_VERTEX`, `TXS_EMPTY`, `TXS_ORDER`
 */
export function assertValid(value: Vertex): void {
  if (value.type === 'Vertex' && value.epoch !== 0) {
    refuse('TXS_VERTEX', `expected a vertex with epoch 0, got ${value.epoch}`)
  }
  assertCount('parents', value.parentIDs, MAX_PARENTS)
  if (value.type === 'Vertex') {
    if (value.txs.length === 0)
      refuse('TXS_EMPTY', 'expected a vertex with at least one transaction, got none')
    assertCount('transactions', value.txs, MAX_TXS)
    assertSortedAndUnique('transactions', value.txs.map(Id.hash))
  }
  assertSortedAndUnique('parents', value.parentIDs)
}

function assertCount(what: string, { length }: readonly Uint8Array[], maximum: number): void {
  if (length > maximum)
    refuse('TXS_VERTEX', `expected a vertex with at most ${maximum} ${what}, got ${length}`)
}

function assertSortedAndUnique(what: string, ids: readonly Uint8Array[]): void {
  const index = ids.findIndex((item, i) => i > 0 && Bytes.compare(ids[i - 1] as Uint8Array, item) >= 0)
  if (index < 0) return
  refuse(
    'TXS_ORDER',
    `expected a vertex with sorted, unique ${what}, but item ${index} is not greater than the previous one`,
  )
}

function refuse(code: TxsErrorCode, message: string): never {
  throw new TxsError(code, message)
}
