import { Id } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { serialized } from '../internal/serialized.ts'
import { withId } from '../internal/withId.ts'
import { Tx } from './AvmTx.ts'

const fields = {
  parentID: Codec.id,
  height: Codec.u64,
  /** Time of the block in Unix seconds. */
  time: Codec.u64,
  /** Merkle root; all zero in every block so far. */
  merkleRoot: Codec.id,
  txs: Codec.array(Tx),
}

const plain = Codec.versioned(Codec.union({ StandardBlock: [20, Codec.struct(fields)] }), {
  maxSize: 2 ** 31 - 1,
})

/** The only block type. Its JSON has the `id` at the end. */
const StandardBlock = withId(Codec.struct(fields), (block) =>
  Id.hash(plain.encode({ type: 'StandardBlock', ...block })),
)

const codecOfBlock = Codec.versioned(
  Codec.union({ StandardBlock: [20, StandardBlock] }, { variantOf: () => 'StandardBlock' }),
)

/**
 * A block of the X-chain after its linearization, always a `StandardBlock`. Source: avalanchego
 * `vms/avm/block`.
 */
export type AvmBlock = Codec.Infer<typeof codecOfBlock>

/** Encoding, ids and JSON of blocks. The JSON context is the same as for transactions. */
export const { codec, decode, encode, id, toJSON, fromJSON } = serialized(codecOfBlock)
