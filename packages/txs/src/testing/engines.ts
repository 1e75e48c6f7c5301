import * as avalanchejs from '@avalabs/avalanchejs'
import { Bytes } from '@firn/codec'

/** A library's functions that decode bytes and encode the result again. For benchmarks only. */
export interface Engine {
  readonly decode: (bytes: Uint8Array) => unknown
  readonly encode: (value: never) => Uint8Array
}

/** The part of avalanchejs that is used here. Its own types do not resolve for ES modules. */
interface Avalanchejs {
  readonly avaxSerial: { readonly SignedTx: unknown }
  readonly utils: {
    getManagerForVM(vm: string): {
      unpack(bytes: Uint8Array, type: unknown): { toBytes(codec: unknown): Uint8Array }
      getDefaultCodec(): unknown
    }
  }
}

/** Returns the avalanchejs engine for the signed transactions of a virtual machine. */
export function peer(vm: 'AVM' | 'EVM' | 'PVM'): Engine {
  const { avaxSerial, utils } = avalanchejs as unknown as Avalanchejs
  const manager = utils.getManagerForVM(vm)
  return {
    decode: (bytes) => manager.unpack(bytes, avaxSerial.SignedTx),
    encode: (tx: { toBytes(codec: unknown): Uint8Array }) => tx.toBytes(manager.getDefaultCodec()),
  }
}

/** Returns the inputs that an engine can decode and encode again. */
export function readBy({ decode, encode }: Engine, inputs: readonly Uint8Array[]): Uint8Array[] {
  return inputs.filter((bytes) => {
    try {
      return Bytes.equals(encode(decode(bytes) as never), bytes)
    } catch {
      return false
    }
  })
}
