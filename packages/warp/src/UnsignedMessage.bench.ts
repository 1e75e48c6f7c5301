import assert from 'node:assert/strict'
import * as avalanchejs from '@avalabs/avalanchejs'
import { Hex } from '@firn/codec'
import * as L1Message from './L1Message.ts'
import * as SignedMessage from './SignedMessage.ts'
import { cases, load } from './testing/vectors.ts'
import * as UnsignedMessage from './UnsignedMessage.ts'

/** One library's way from bytes to a value and back. */
interface Engine {
  readonly decode: (bytes: Uint8Array) => unknown
  readonly encode: (value: never) => Uint8Array
}

interface Packable {
  toBytes(codec: unknown): Uint8Array
}

/** What is used of avalanchejs, whose own types don't resolve for ES modules. */
interface Avalanchejs {
  readonly pvmSerial: {
    readonly warp: {
      readonly codec: unknown
      readonly WarpUnsignedMessage: unknown
      readonly WarpMessage: unknown
      getWarpManager(): { unpack(bytes: Uint8Array, type: unknown): unknown }
    }
  }
  readonly utils: { concatBytes(...parts: Uint8Array[]): Uint8Array }
}

const { pvmSerial, utils } = avalanchejs as unknown as Avalanchejs
const { warp } = pvmSerial
const manager = warp.getWarpManager()

/** Its manager packs registered types only: the codec version goes in front by hand. */
const peer = (type: unknown): Engine => ({
  decode: (bytes) => manager.unpack(bytes, type),
  encode: (value: Packable) => utils.concatBytes(new Uint8Array(2), value.toBytes(warp.codec)),
})

const bytesOf = (kind: string) => cases<{ bytes: string }>(kind).map(({ bytes }) => Hex.decode(bytes))
const recorded = load<{ signedMessage: string }>('recordings').map(({ signedMessage }) =>
  Hex.decode(signedMessage),
)

export const benchmarks = {
  ...compare('10 unsigned messages', bytesOf('unsignedMessage'), {
    firn: UnsignedMessage as Engine,
    avalanchejs: peer(warp.WarpUnsignedMessage),
  }),
  ...compare('100 recorded signed messages', recorded, {
    firn: SignedMessage as Engine,
    avalanchejs: peer(warp.WarpMessage),
  }),
  ...compare('20 registrations of validators', bytesOf('RegisterL1Validator'), { firn: L1Message as Engine }),
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
    decode[name] = () => {
      for (const bytes of inputs) engine.decode(bytes)
    }
    encode[name] = () => {
      for (const value of values) engine.encode(value)
    }
  }
  return { [`decode ${title}`]: decode, [`encode ${title}`]: encode }
}
