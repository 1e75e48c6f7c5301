import * as avalanchejs from '@avalabs/avalanchejs'
import * as Hex from './Hex.ts'
import { BaseTx, PackedBaseTx, PackedUnsignedMessage, UnsignedMessage } from './testing/layouts.ts'
import { cases } from './testing/vectors.ts'

/** A library's functions that decode bytes and encode a value. */
interface Engine {
  readonly decode: (bytes: Uint8Array) => unknown
  readonly encode: (value: never) => Uint8Array
}

/** The part of avalanchejs that is used here. Its own types do not resolve for ES modules. */
interface Avalanchejs {
  readonly pvmSerial: {
    readonly warp: {
      readonly codec: unknown
      readonly WarpUnsignedMessage: unknown
      getWarpManager(): { unpack(bytes: Uint8Array, type: unknown): unknown }
    }
  }
  readonly utils: {
    concatBytes(...parts: Uint8Array[]): Uint8Array
    getManagerForVM(vm: string): {
      unpackTransaction(bytes: Uint8Array): unknown
      packCodec(value: unknown): Uint8Array
    }
  }
}

const { pvmSerial, utils } = avalanchejs as unknown as Avalanchejs
const warpManager = pvmSerial.warp.getWarpManager()
const pvmManager = utils.getManagerForVM('PVM')

export const roundTrips: Record<string, { inputs: Uint8Array[]; engines: Record<string, Engine> }> = {
  'Warp messages': {
    inputs: bytesOf('unsignedMessage'),
    engines: {
      firn: UnsignedMessage as Engine,
      'micro-packed': PackedUnsignedMessage as Engine,
      avalanchejs: {
        decode: (bytes) => warpManager.unpack(bytes, pvmSerial.warp.WarpUnsignedMessage),
        // The manager of avalanchejs packs only registered types, so the codec version is prepended here.
        encode: (value: { toBytes(codec: unknown): Uint8Array }) =>
          utils.concatBytes(new Uint8Array(2), value.toBytes(pvmSerial.warp.codec)),
      },
    },
  },
  'P-chain base transaction': {
    inputs: bytesOf('baseTx'),
    engines: {
      firn: BaseTx as Engine,
      'micro-packed': PackedBaseTx as unknown as Engine,
      avalanchejs: {
        decode: (bytes) => pvmManager.unpackTransaction(bytes),
        encode: (value) => pvmManager.packCodec(value),
      },
    },
  },
}

function bytesOf(kind: string): Uint8Array[] {
  return cases('bench', kind).map((vector) => Hex.decode(vector.bytes))
}
