import type { Engine } from '../Engine.ts'
import { HELD, type Held } from './Held.ts'

/**
 * A public key that stores only its uncompressed form. The engine imports the point at each use, which takes about a
 * microsecond.
 */
export class RestoredPublicKey {
  readonly uncompressed: Uint8Array
  readonly #engine: Engine

  constructor(engine: Engine, uncompressed: Uint8Array) {
    this.#engine = engine
    this.uncompressed = uncompressed
  }

  get compressed(): Uint8Array {
    return this.#engine.compressPublicKey(this[HELD].value)
  }

  get [HELD](): Held {
    return { engine: this.#engine, value: this.#engine.restorePublicKey(this.uncompressed) }
  }
}

/**
 * A signature that stores only its uncompressed form. It takes a fraction of the memory of an engine's point. The
 * engine imports the point at each use, which takes about two microseconds.
 */
export class RestoredSignature {
  readonly uncompressed: Uint8Array
  readonly #engine: Engine

  constructor(engine: Engine, uncompressed: Uint8Array) {
    this.#engine = engine
    this.uncompressed = uncompressed
  }

  get compressed(): Uint8Array {
    return this.#engine.compressSignature(this[HELD].value)
  }

  get [HELD](): Held {
    return { engine: this.#engine, value: this.#engine.restoreSignature(this.uncompressed) }
  }
}
