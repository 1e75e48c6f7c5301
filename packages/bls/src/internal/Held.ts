import type { Engine } from '../Engine.ts'

/** Where a key or signature holds its engine's own form. Not enumerable: printing and comparing skip it. */
export const HELD: unique symbol = Symbol('firn.bls.held')

/** A value in the form of the engine that made it. */
export interface Held {
  readonly engine: Engine
  readonly value: unknown
}

/** What every key and signature has. */
export interface Holder {
  readonly [HELD]: Held
}

/** What public keys and signatures have in common. */
export interface HeldPoint extends Holder {
  readonly compressed: Uint8Array
}

/** The public key of a point that `engine` holds. `compressed` spares its encoding where it is known. */
export function holdPublicKey(
  engine: Engine,
  value: unknown,
  compressed: Uint8Array = engine.compressPublicKey(value),
): HeldPoint & { readonly uncompressed: Uint8Array } {
  return hold({ compressed, uncompressed: engine.uncompressPublicKey(value) }, { engine, value })
}

/** The signature of a point that `engine` holds. `compressed` spares its encoding where it is known. */
export function holdSignature(
  engine: Engine,
  value: unknown,
  compressed: Uint8Array = engine.compressSignature(value),
): HeldPoint {
  return hold({ compressed }, { engine, value })
}

/** The same object, which now holds `held`. */
export function hold<Fields extends object>(fields: Fields, held: Held): Fields & Holder {
  return Object.defineProperty(fields as Fields & Holder, HELD, { value: held })
}

/** The key's point in the form of `engine`: as held when it is the key's own, parsed anew otherwise. */
export function keyPoint(engine: Engine, publicKey: HeldPoint): unknown {
  const held = publicKey[HELD]
  return held.engine === engine ? held.value : engine.parsePublicKey(publicKey.compressed)
}

/** The signature's point in the form of `engine`: as held when it is its own, parsed anew otherwise. */
export function signaturePoint(engine: Engine, signature: HeldPoint): unknown {
  const held = signature[HELD]
  return held.engine === engine ? held.value : engine.parseSignature(signature.compressed)
}

/** True when the compressed point is infinity: of canonical encodings only that one has this flag. */
export function isInfinity(compressed: Uint8Array): boolean {
  return ((compressed[0] as number) & 0x40) !== 0
}
