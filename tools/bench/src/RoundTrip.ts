import assert from 'node:assert/strict'
import type { Benchmarks } from './Contest.ts'

/** A library's conversion from bytes to a value and back. */
export interface Engine {
  readonly decode: (bytes: Uint8Array) => unknown
  readonly encode: (value: never) => Uint8Array
}

/** Inputs and the engines that read and write them, with ours first. */
export interface RoundTrip {
  readonly inputs: readonly Uint8Array[]
  readonly engines: Readonly<Record<string, Engine>>
}

/**
 * Returns the contests of decoding and of encoding all inputs.
 * @throws AssertionError when an engine writes other bytes than it read
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
