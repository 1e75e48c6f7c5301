/** A parameter of a call or an event, as text. */
export interface Argument {
  readonly type: string
  readonly value: string
}

const WORD = 64

/** Converts a word of 32 bytes to text, by the type. Types that are not here have no fixed place or size. */
const READERS: readonly (readonly [
  type: RegExp,
  read: (word: string, size: number) => string | undefined,
])[] = [
  [/^address$/, (word) => (/^0{24}/.test(word) ? `0x${word.slice(24)}` : undefined)],
  [/^bool$/, (word) => ({ 0: 'false', 1: 'true' })[String(BigInt(`0x${word}`))]],
  [/^uint(\d*)$/, (word) => String(BigInt(`0x${word}`))],
  [/^int(\d*)$/, (word) => String(BigInt.asIntN(256, BigInt(`0x${word}`)))],
  [
    /^bytes(\d+)$/,
    (word, size) => (/^0*$/.test(word.slice(2 * size)) ? `0x${word.slice(0, 2 * size)}` : undefined),
  ],
]

/**
 * Returns the arguments of a call, or of an event whose indexed parameters come first, from its words.
 * @param signature such as `transfer(address,uint256)`
 * @param words hexadecimal digits without `0x`
 * @returns undefined if the signature has parameters of variable size, or if the words do not match it
 */
export function read(signature: string, words: string): readonly Argument[] | undefined {
  const inner = /^\w+\((.*)\)$/.exec(signature)?.[1]
  if (inner === undefined) return undefined
  const types = inner === '' ? [] : inner.split(',')
  if (words.length !== types.length * WORD || !/^[0-9a-f]*$/i.test(words)) return undefined
  const values = types.map((type, index): Argument | undefined => {
    const word = words.slice(index * WORD, (index + 1) * WORD).toLowerCase()
    for (const [pattern, convert] of READERS) {
      const found = pattern.exec(type)
      if (found === null) continue
      const value = convert(word, Number(found[1] ?? 0))
      return value === undefined ? undefined : { type, value }
    }
    return undefined
  })
  return values.every((value) => value !== undefined) ? values : undefined
}
