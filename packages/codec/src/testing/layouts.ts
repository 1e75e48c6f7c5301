import * as P from 'micro-packed'
import { Codec } from '../index.ts'

/** Codecs of the types in the test vectors, declared with this package. */
const Circle = Codec.struct({ R: Codec.u32 })
const Square = Codec.struct({ Side: Codec.u64, Label: Codec.string })
const Empty = Codec.struct({})
// biome-ignore lint/suspicious/noExplicitAny: the type contains itself, so it cannot be inferred
const Shape: Codec.Codec<any> = Codec.union({
  Circle: [2, Circle],
  Square: [3, Square],
  Nest: [4, Codec.struct({ Inner: Codec.lazy(() => Shape, 4) })],
  EmptyT: [5, Empty],
})
const Prims = Codec.struct({
  Bool: Codec.bool,
  U8: Codec.u8,
  U16: Codec.u16,
  U32: Codec.u32,
  U64: Codec.u64,
  I8: Codec.i8,
  I16: Codec.i16,
  I32: Codec.i32,
  I64: Codec.i64,
  Str: Codec.string,
  Bytes: Codec.bytes(),
  Fixed: Codec.fixed(5),
  ID: Codec.fixed(32),
})
const Slices = Codec.struct({
  Bools: Codec.array(Codec.bool),
  U8s: Codec.bytes(),
  U16s: Codec.array(Codec.u16),
  U32s: Codec.array(Codec.u32),
  U64s: Codec.array(Codec.u64),
  Strs: Codec.array(Codec.string),
  BB: Codec.array(Codec.bytes()),
  Fixeds: Codec.array(Codec.fixed(3)),
  IDs: Codec.array(Codec.fixed(32)),
  Arr: Codec.tuple(Codec.u16, 2),
  Ptrs: Codec.array(Circle),
  Shapes: Codec.array(Shape),
})
const Maps = Codec.struct({ A: Codec.map(Codec.u32, Codec.string), B: Codec.map(Codec.string, Codec.u64) })

/** Codec of each type that a test case may name. */
// biome-ignore lint/suspicious/noExplicitAny: the table contains codecs of different types
export const TYPES: Readonly<Record<string, Codec.Codec<any>>> = {
  Prims,
  Slices,
  Maps,
  'Iface{V interface}': Codec.struct({ V: Shape }),
  'Ifaces{V []interface}': Codec.struct({ V: Codec.array(Shape) }),
  'Bytes{V []byte}': Codec.struct({ V: Codec.bytes() }),
  'Empties{V []EmptyT}': Codec.struct({ V: Codec.array(Empty) }),
  'Str{V string}': Codec.struct({ V: Codec.string }),
  'Bool{V bool}': Codec.struct({ V: Codec.bool }),
  'Map{V map[u16]u8}': Codec.struct({ V: Codec.map(Codec.u16, Codec.u8) }),
}

/** Codecs, declared with this package, of a P-chain base transaction with the fields that wallets use. */
const Owners = Codec.struct({
  locktime: Codec.u64,
  threshold: Codec.u32,
  addresses: Codec.array(Codec.shortId),
})
const Output = Codec.union({
  TransferOutput: [7, Codec.struct({ amount: Codec.u64, ...Owners.fields })],
})
const Input = Codec.union({
  TransferInput: [5, Codec.struct({ amount: Codec.u64, signatureIndices: Codec.array(Codec.u32) })],
})
export const BaseTx = Codec.versioned(
  Codec.struct({
    typeID: Codec.u32,
    networkID: Codec.u32,
    blockchainID: Codec.id,
    outputs: Codec.array(Codec.struct({ assetID: Codec.id, output: Output })),
    inputs: Codec.array(
      Codec.struct({ txID: Codec.id, outputIndex: Codec.u32, assetID: Codec.id, input: Input }),
    ),
    memo: Codec.bytes(),
  }),
)
export const UnsignedMessage = Codec.versioned(
  Codec.struct({ networkID: Codec.u32, sourceChainID: Codec.id, payload: Codec.bytes() }),
)

/** The layouts of a base transaction and of a Warp message in micro-packed, for comparison. */
const version = P.magicBytes(new Uint8Array(2))
const pOwners = { locktime: P.U64BE, threshold: P.U32BE, addresses: P.array(P.U32BE, P.bytes(20)) }
export const PackedBaseTx = P.struct({
  version,
  typeID: P.U32BE,
  networkID: P.U32BE,
  blockchainID: P.bytes(32),
  outputs: P.array(
    P.U32BE,
    P.struct({
      assetID: P.bytes(32),
      output: P.tag(P.U32BE, { 7: P.struct({ amount: P.U64BE, ...pOwners }) }),
    }),
  ),
  inputs: P.array(
    P.U32BE,
    P.struct({
      txID: P.bytes(32),
      outputIndex: P.U32BE,
      assetID: P.bytes(32),
      input: P.tag(P.U32BE, {
        5: P.struct({ amount: P.U64BE, signatureIndices: P.array(P.U32BE, P.U32BE) }),
      }),
    }),
  ),
  memo: P.bytes(P.U32BE),
})
export const PackedUnsignedMessage = P.struct({
  version,
  networkID: P.U32BE,
  sourceChainID: P.bytes(32),
  payload: P.bytes(P.U32BE),
})
