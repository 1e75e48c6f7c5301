import type { Engine } from '../Engine.ts'

/**
 * Property in which a key or signature stores its engine's internal form. It is not enumerable, so that
 * printing and comparing ignore it.
 */
export const HELD: unique symbol = Symbol('firn.bls.held')

/** A value in the internal form of the engine that created it. */
export interface Held {
  readonly engine: Engine
  readonly value: unknown
}

/** A secret key, public key or signature, with its engine's internal form. */
export interface Holder {
  readonly [HELD]: Held
}

/** A public key or signature, which is a point on the curve. */
export interface HeldPoint extends Holder {
  readonly compressed: Uint8Array
}

/** Creates a public key from a point of `engine`. Passing `compressed` avoids encoding the point. */
export function holdPublicKey(
  engine: Engine,
  value: unknown,
  compressed: Uint8Array = engine.compressPublicKey(value),
): HeldPoint & { readonly uncompressed: Uint8Array } {
  return hold({ compressed, uncompressed: engine.uncompressPublicKey(value) }, { engine, value })
}

/** Creates a signature from a point of `engine`. Passing `compressed` avoids encoding the point. */
export function holdSignature(
  engine: Engine,
  value: unknown,
  compressed: Uint8Array = engine.compressSignature(value),
): HeldPoint {
  return hold({ compressed }, { engine, value })
}

/** Attaches `held` to `fields` as a hidden property, and returns the same object. */
export function hold<Fields extends object>(fields: Fields, held: Held): Fields & Holder {
  return Object.defineProperty(fields as Fields & Holder, HELD, { value: held })
}

/**
 * Returns the key's point in the internal form of `engine`. Uses the stored point if it belongs to this
 * engine, and otherwise parses the key again.
 */
export function keyPoint(engine: Engine, publicKey: HeldPoint): unknown {
  const held = publicKey[HELD]
  return held.engine === engine ? held.value : engine.parsePublicKey(publicKey.compressed)
}

/**
 * Returns the signature's point in the internal form of `engine`. Uses the stored point if it belongs to this
 * engine, and otherwise parses the signature again.
 */
export function signaturePoint(engine: Engine, signature: HeldPoint): unknown {
  const held = signature[HELD]
  return held.engine === engine ? held.value : engine.parseSignature(signature.compressed)
}

/**
 * Returns whether an encoded point, compressed or not, is the point at infinity. Among canonical encodings, only this
 * point has the infinity flag.
 */
export function isInfinity(encoded: Uint8Array): boolean {
  return ((encoded[0] as number) & 0x40) !== 0
}
