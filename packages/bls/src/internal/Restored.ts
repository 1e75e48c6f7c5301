import type { Engine } from '../Engine.ts'
import { HELD, type Held } from './Held.ts'

/** The functions of an engine for one kind of point. */
interface Kind {
  readonly compress: (engine: Engine, value: unknown) => Uint8Array
  readonly restore: (engine: Engine, uncompressed: Uint8Array) => unknown
}

/** The kind of a public key. */
export const PUBLIC_KEY: Kind = {
  compress: (engine, value) => engine.compressPublicKey(value),
  restore: (engine, uncompressed) => engine.restorePublicKey(uncompressed),
}

/** The kind of a signature. */
export const SIGNATURE: Kind = {
  compress: (engine, value) => engine.compressSignature(value),
  restore: (engine, uncompressed) => engine.restoreSignature(uncompressed),
}

/**
 * A public key or signature that stores only its uncompressed form. It takes a fraction of the memory of an engine's
 * point. The engine imports the point at each use, which takes one or two microseconds.
 */
export class RestoredPoint {
  readonly uncompressed: Uint8Array
  readonly #engine: Engine
  readonly #kind: Kind

  constructor(kind: Kind, engine: Engine, uncompressed: Uint8Array) {
    this.#kind = kind
    this.#engine = engine
    this.uncompressed = uncompressed
  }

  get compressed(): Uint8Array {
    return this.#kind.compress(this.#engine, this[HELD].value)
  }

  get [HELD](): Held {
    return { engine: this.#engine, value: this.#kind.restore(this.#engine, this.uncompressed) }
  }
}
