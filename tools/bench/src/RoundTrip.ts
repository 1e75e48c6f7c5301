import assert from 'node:assert/strict'
import type { Benchmarks } from './Contest.ts'

/** Codec of one library. */
export interface Engine {
  readonly decode: (bytes: Uint8Array) => unknown
  readonly encode: (value: never) => Uint8Array
}

/** Inputs, and the engines that decode and encode them. The first engine is the reference. */
export interface RoundTrip {
  readonly inputs: readonly Uint8Array[]
  readonly engines: Readonly<Record<string, Engine>>
}

/**
 * Returns one benchmark for decoding all inputs and one for encoding them.
 * @throws AssertionError if an engine does not encode decoded input back to the same bytes
 */
export function contests(title: string, { inputs, engines }: RoundTrip): Benchmarks {
  const decode: Record<string, () => void> = {}
  const encode: Record<string, () => void> = {}
  for (const [name, engine] of Object.entries(engines)) {
    const values = inputs.map((bytes) => engine.decode(bytes) as never)
    for (const [index, value] of values.entries()) {
      const written = Uint8Array.from(engine.encode(value))
      assert.deepEqual(written, Uint8Array.from(inputs[index] as Uint8Array), `${name}, ${title}: ${index}`)
    }
    decode[name] = () => {
      for (const bytes of inputs) engine.decode(bytes)
    }
    encode[name] = () => {
      for (const value of values) engine.encode(value)
    }
  }
  return { [`decode ${title}`]: decode, [`encode ${title}`]: encode }
}
