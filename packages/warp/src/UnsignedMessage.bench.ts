import * as avalanchejs from '@avalabs/avalanchejs'
import { Hex } from '@firn/codec'
import * as L1Message from './L1Message.ts'
import * as SignedMessage from './SignedMessage.ts'
import { cases, recordings } from './testing/vectors.ts'
import * as UnsignedMessage from './UnsignedMessage.ts'

/** A library's functions that decode bytes and encode the result again. */
interface Engine {
  readonly decode: (bytes: Uint8Array) => unknown
  readonly encode: (value: never) => Uint8Array
}

interface Packable {
  toBytes(codec: unknown): Uint8Array
}

/** The part of avalanchejs that is used here. Its own types do not resolve for ES modules. */
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

/**
 * Returns the avalanchejs functions that decode and encode a type. The manager of avalanchejs packs only
 * registered types, so the codec version is prepended here.
 */
const peer = (type: unknown): Engine => ({
  decode: (bytes) => manager.unpack(bytes, type),
  encode: (value: Packable) => utils.concatBytes(new Uint8Array(2), value.toBytes(warp.codec)),
})

const bytesOf = (kind: string) => cases<{ bytes: string }>(kind).map(({ bytes }) => Hex.decode(bytes))
const recorded = recordings().map(({ signedMessage }) => Hex.decode(signedMessage))

export const roundTrips = {
  '10 unsigned messages': {
    inputs: bytesOf('unsignedMessage'),
    engines: { firn: UnsignedMessage as Engine, avalanchejs: peer(warp.WarpUnsignedMessage) },
  },
  '100 recorded signed messages': {
    inputs: recorded,
    engines: { firn: SignedMessage as Engine, avalanchejs: peer(warp.WarpMessage) },
  },
  '20 registrations of validators': {
    inputs: bytesOf('RegisterL1Validator'),
    engines: { firn: L1Message as Engine },
  },
}
