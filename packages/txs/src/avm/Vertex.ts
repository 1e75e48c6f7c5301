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
 * A vertex of the X-chain before its linearization: a `Vertex` with transactions (their bytes; codec version
 * 0), or the `StopVertex` that ends the graph (version 1). `parentIDs` are vertices. Source: avalanchego
 * `snow/engine/avalanche/vertex`.
 */
export type Vertex =
  | ({ readonly type: 'Vertex' } & Codec.Infer<typeof vertex>)
  | ({ readonly type: 'StopVertex' } & Codec.Infer<typeof stopVertex>)

/**
 * Encodes a vertex.
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`
 */
export function encode(value: Vertex): Uint8Array {
  return value.type === 'StopVertex' ? stopVertex.encode(value) : vertex.encode(value)
}

/**
 * Decodes the vertex in `bytes` without verifying it or decoding its transactions (`AvmTx.decode`).
 * @throws CodecError any code of binary data, with `path` and `offset`
 */
export function decode(bytes: Uint8Array): Vertex {
  return bytes[0] === 0 && bytes[1] === 1
    ? { type: 'StopVertex', ...stopVertex.decode(bytes) }
    : { type: 'Vertex', ...vertex.decode(bytes) }
}

/** Returns the id of the vertex with these bytes: their SHA-256. */
export function id(bytes: Uint8Array): Uint8Array {
  return Id.hash(bytes)
}

/** Returns a vertex with this content, with sorted parents (by id) and transactions (by SHA-256). */
export function build(contents: {
  readonly chainID: Uint8Array
  readonly height: bigint
  readonly parentIDs: readonly Uint8Array[]
  readonly txs: readonly Uint8Array[]
}): Vertex {
  const txs = contents.txs.toSorted((a, b) => Bytes.compare(Id.hash(a), Id.hash(b)))
  return { ...contents, type: 'Vertex', epoch: 0, parentIDs: contents.parentIDs.toSorted(Bytes.compare), txs }
}

/** Returns a stop vertex with this content, with sorted parents. */
export function buildStop(contents: {
  readonly chainID: Uint8Array
  readonly height: bigint
  readonly parentIDs: readonly Uint8Array[]
}): Vertex {
  return { ...contents, type: 'StopVertex', parentIDs: contents.parentIDs.toSorted(Bytes.compare) }
}

/**
 * Checks a vertex on its own: no epoch, at most 128 parents and 1 to 128 transactions, each sorted and
 * unique.
 * @throws TxsError `TXS_VERTEX`, `TXS_EMPTY`, `TXS_ORDER`
 */
export function assertValid(value: Vertex): void {
  if (value.type === 'Vertex' && value.epoch !== 0) {
    refuse('TXS_VERTEX', `expected a vertex of epoch 0, got ${value.epoch}`)
  }
  assertCount('parents', value.parentIDs, MAX_PARENTS)
  if (value.type === 'Vertex') {
    if (value.txs.length === 0) refuse('TXS_EMPTY', 'expected a vertex with transactions, got none')
    assertCount('transactions', value.txs, MAX_TXS)
    assertSortedAndUnique('transactions', value.txs.map(Id.hash))
  }
  assertSortedAndUnique('parents', value.parentIDs)
}

function assertCount(what: string, { length }: readonly Uint8Array[], maximum: number): void {
  if (length > maximum) refuse('TXS_VERTEX', `expected at most ${maximum} ${what} of a vertex, got ${length}`)
}

function assertSortedAndUnique(what: string, ids: readonly Uint8Array[]): void {
  const index = ids.findIndex((item, i) => i > 0 && Bytes.compare(ids[i - 1] as Uint8Array, item) >= 0)
  if (index < 0) return
  refuse(
    'TXS_ORDER',
    `expected sorted, unique ${what} of a vertex, but number ${index} is not above the previous one`,
  )
}

function refuse(code: TxsErrorCode, message: string): never {
  throw new TxsError(code, message)
}
