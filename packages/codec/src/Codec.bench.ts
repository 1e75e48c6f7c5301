import assert from 'node:assert/strict'
import * as avalanchejs from '@avalabs/avalanchejs'
import * as Hex from './Hex.ts'
import { BaseTx, PackedBaseTx, PackedUnsignedMessage, UnsignedMessage } from './testing/layouts.ts'
import { cases } from './testing/vectors.ts'

/** One library's way from bytes to a value and back. */
interface Engine {
  readonly decode: (bytes: Uint8Array) => unknown
  readonly encode: (value: never) => Uint8Array
}

/** What is used of avalanchejs, whose own types don't resolve for ES modules. */
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

export const benchmarks = {
  ...compare('Warp messages', bytesOf('unsignedMessage'), {
    firn: UnsignedMessage as Engine,
    'micro-packed': PackedUnsignedMessage as Engine,
    avalanchejs: {
      decode: (bytes) => warpManager.unpack(bytes, pvmSerial.warp.WarpUnsignedMessage),
      // Its manager packs registered types only: the codec version goes in front by hand.
      encode: (value: { toBytes(codec: unknown): Uint8Array }) =>
        utils.concatBytes(new Uint8Array(2), value.toBytes(pvmSerial.warp.codec)),
    },
  }),
  ...compare('P-chain base transaction', bytesOf('baseTx'), {
    firn: BaseTx as Engine,
    'micro-packed': PackedBaseTx as unknown as Engine,
    avalanchejs: {
      decode: (bytes) => pvmManager.unpackTransaction(bytes),
      encode: (value) => pvmManager.packCodec(value),
    },
  }),
}

function bytesOf(kind: string): Uint8Array[] {
  return cases('bench', kind).map((vector) => Hex.decode(vector.bytes))
}

function compare(
  title: string,
  inputs: readonly Uint8Array[],
  engines: Readonly<Record<string, Engine>>,
): Record<string, Record<string, () => void>> {
  const decode: Record<string, () => void> = {}
  const encode: Record<string, () => void> = {}
  for (const [name, engine] of Object.entries(engines)) {
    const values = inputs.map((bytes) => engine.decode(bytes) as never)
    values.forEach((value, i) => {
      assert.equal(
        Hex.encode(engine.encode(value)),
        Hex.encode(inputs[i] as Uint8Array),
        `${name} on ${title} ${i}`,
      )
    })
    decode[name] = () => inputs.forEach((bytes) => void engine.decode(bytes))
    encode[name] = () => values.forEach((value) => void engine.encode(value))
  }
  return { [`${title}: decode`]: decode, [`${title}: encode`]: encode }
}
