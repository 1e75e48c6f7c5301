import { Bytes } from '@firn/codec'
import type { Prng } from './Prng.ts'

/** Maximum length in bytes of a mutated input. */
export const MAX_INPUT = 1 << 20

type Step = (input: Uint8Array, prng: Prng, corpus: readonly Uint8Array[]) => Uint8Array

const edit = (input: Uint8Array, change: (copy: Uint8Array) => void): Uint8Array => {
  const copy = input.slice()
  if (copy.length > 0) change(copy)
  return copy
}

const cut = (input: Uint8Array, prng: Prng): readonly [number, number] => {
  const start = prng.below(input.length + 1)
  return [start, start + prng.below(Math.min(input.length - start, 64) + 1)]
}

const flipBit: Step = (input, prng) =>
  edit(input, (copy) => {
    const at = prng.below(copy.length)
    copy[at] = (copy[at] ?? 0) ^ (1 << prng.below(8))
  })

const setByte: Step = (input, prng) =>
  edit(input, (copy) => {
    copy[prng.below(copy.length)] = prng.pick([0, 1, 0x7f, 0x80, 0xff, prng.below(256)])
  })

/** Boundary values of lengths and type ids. */
const EDGES = [
  0, 1, 2, 3, 20, 32, 48, 96, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0xffffffff,
]

const setInteger: Step = (input, prng) =>
  edit(input, (copy) => {
    const width = Math.min(prng.pick([2, 4, 8]), copy.length)
    const at = prng.below(copy.length - width + 1)
    const value = prng.pick(EDGES)
    for (let index = 0; index < width; index++) {
      copy[at + width - 1 - index] = index < 4 ? (value >>> (8 * index)) & 0xff : prng.pick([0, 0, 0xff])
    }
  })

const insertRandom: Step = (input, prng) => {
  const at = prng.below(input.length + 1)
  return Bytes.concat(input.subarray(0, at), prng.bytes(1 + prng.below(16)), input.subarray(at))
}

const remove: Step = (input, prng) => {
  const [start, end] = cut(input, prng)
  return Bytes.concat(input.subarray(0, start), input.subarray(end))
}

const truncate: Step = (input, prng) => input.slice(0, prng.below(input.length + 1))

const repeat: Step = (input, prng) => {
  const [start, end] = cut(input, prng)
  const piece = input.subarray(start, end)
  const times = Math.min(
    1 + prng.below(prng.pick([2, 16, 1024])),
    Math.ceil(65_536 / Math.max(piece.length, 1)),
  )
  return Bytes.concat(
    input.subarray(0, end),
    ...Array.from({ length: times }, () => piece),
    input.subarray(end),
  )
}

const splice: Step = (input, prng, corpus) => {
  const other = prng.pick(corpus)
  return Bytes.concat(
    input.slice(0, prng.below(input.length + 1)),
    other.subarray(prng.below(other.length + 1)),
  )
}

/** Characters with a special meaning for text decoders. */
const CHARACTERS = [...' "\\/-:_.,{}[]0x1lIO+=\n\t\0', 'é', '\u2028', '😀', '\ufeff'].map((character) =>
  new TextEncoder().encode(character),
)

const insertCharacter: Step = (input, prng) => {
  const at = prng.below(input.length + 1)
  return Bytes.concat(input.subarray(0, at), prng.pick(CHARACTERS), input.subarray(at))
}

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|\{[^{}]*\}|\[[^[\]]*\]|true|false|null/g
const JSON_VALUES = [
  'null',
  '[]',
  '{}',
  '""',
  '"x"',
  '0',
  '-1',
  '1.5',
  '1e400',
  '18446744073709551616',
  'true',
  '[null]',
  '[[]]',
]
const JSON_START = new Set(['{', '['].map((character) => character.charCodeAt(0)))

/** Replaces a random value in a JSON text. Returns other text unchanged. */
const replaceJsonValue: Step = (input, prng) => {
  if (!JSON_START.has(input[0] ?? 0) || input.length > 65_536) return input
  const text = new TextDecoder().decode(input)
  const found = [...text.matchAll(JSON_TOKEN)]
  if (found.length === 0) return input
  const { index, 0: token } = prng.pick(found)
  return new TextEncoder().encode(
    text.slice(0, index) + prng.pick(JSON_VALUES) + text.slice(index + token.length),
  )
}

const random: Step = (_, prng) => prng.bytes(prng.below(prng.pick([8, 64, 512])))

const STEPS: readonly Step[] = [
  flipBit,
  flipBit,
  setByte,
  setInteger,
  setInteger,
  insertRandom,
  remove,
  truncate,
  repeat,
  splice,
  insertCharacter,
  replaceJsonValue,
  replaceJsonValue,
]

/**
 * Returns a seed input with one to five random changes. Sometimes returns the unchanged seed input or random
 * bytes instead.
 */
export const mutate = (corpus: readonly Uint8Array[], prng: Prng): Uint8Array => {
  const kind = prng.below(64)
  const seed = prng.pick(corpus)
  if (kind === 0) return seed.slice()
  if (kind === 1) return random(seed, prng, corpus)
  let input = seed
  for (let count = 1 + prng.below(5); count > 0; count--) {
    input = prng.pick(STEPS)(input, prng, corpus).subarray(0, MAX_INPUT)
  }
  return input
}
