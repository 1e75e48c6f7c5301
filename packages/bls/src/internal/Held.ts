import type { Engine } from '../Engine.ts'
import type { PublicKey } from '../PublicKey.ts'
import type { SecretKey } from '../SecretKey.ts'
import type { Signature } from '../Signature.ts'

/** Where a key or signature holds its engine's own form. Not enumerable: printing and comparing skip it. */
export const HELD: unique symbol = Symbol('firn.bls.held')

/** A value in the form of the engine that made it. */
export interface Held {
  readonly engine: Engine
  readonly value: unknown
}

/** The secret key of a scalar that `engine` holds; its bytes are hidden from printing as well. */
export function holdSecretKey(engine: Engine, value: unknown, bytes: Uint8Array): SecretKey {
  return Object.defineProperties({} as SecretKey, {
    bytes: { value: bytes },
    [HELD]: { value: { engine, value } },
  })
}

/** The public key of a point that `engine` holds. `compressed` spares its encoding where it is known. */
export function holdPublicKey(
  engine: Engine,
  value: unknown,
  compressed: Uint8Array = engine.compressPublicKey(value),
): PublicKey {
  const fields = { compressed, uncompressed: engine.uncompressPublicKey(value) }
  return Object.defineProperty(fields as PublicKey, HELD, { value: { engine, value } satisfies Held })
}

/** The signature of a point that `engine` holds. `compressed` spares its encoding where it is known. */
export function holdSignature(
  engine: Engine,
  value: unknown,
  compressed: Uint8Array = engine.compressSignature(value),
): Signature {
  return Object.defineProperty({ compressed } as Signature, HELD, { value: { engine, value } satisfies Held })
}

/** The key's point in the form of `engine`: as held when it is the key's own, parsed anew otherwise. */
export function keyPoint(engine: Engine, publicKey: PublicKey): unknown {
  const held = publicKey[HELD]
  return held.engine === engine ? held.value : engine.parsePublicKey(publicKey.compressed)
}

/** The signature's point in the form of `engine`: as held when it is its own, parsed anew otherwise. */
export function signaturePoint(engine: Engine, signature: Signature): unknown {
  const held = signature[HELD]
  return held.engine === engine ? held.value : engine.parseSignature(signature.compressed)
}

/** True when the compressed point is infinity: of canonical encodings only that one has this flag. */
export function isInfinity(compressed: Uint8Array): boolean {
  return ((compressed[0] as number) & 0x40) !== 0
}
