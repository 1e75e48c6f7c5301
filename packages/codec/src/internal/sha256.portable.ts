const ROUNDS = 64
const BLOCK = 64

/**
 * The first primes. The constants of SHA-256 (FIPS 180-4) are the first 32 bits of the fractions of their cube roots, and
 * of the square roots of the first eight. Floating-point numbers have 17 bits more than that.
 */
const primes: number[] = []
for (let n = 2; primes.length < ROUNDS; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
const fractions = (power: number) => Int32Array.from(primes, (prime) => (prime ** power * 2 ** 32) | 0)
const CONSTANTS = fractions(1 / 3)
const INITIAL = fractions(1 / 2).subarray(0, 8)

const words = new Int32Array(ROUNDS)

/** Returns the SHA-256. It is synchronous, unlike that of browsers. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const state = compute(bytes)
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, i) => {
    digest.setInt32(4 * i, word)
  })
  return new Uint8Array(digest.buffer)
}

/** Returns the last 4 bytes of the SHA-256 as a number. */
export function checksum(bytes: Uint8Array): number {
  return (compute(bytes)[7] as number) >>> 0
}

function compute(bytes: Uint8Array): Int32Array {
  const { length } = bytes
  const padded = new Uint8Array((((length + 8) >> 6) + 1) * BLOCK)
  padded.set(bytes)
  padded[length] = 0x80
  const view = new DataView(padded.buffer)
  view.setBigUint64(padded.length - 8, BigInt(length) * 8n)
  const state = INITIAL.slice()
  for (let start = 0; start < padded.length; start += BLOCK) addBlock(state, view, start)
  return state
}

function addBlock(state: Int32Array, view: DataView, start: number): void {
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(start + 4 * i)
  for (let i = 16; i < ROUNDS; i++)
    words[i] = spread(word(i - 2), 17, 19, 10) + word(i - 7) + spread(word(i - 15), 7, 18, 3) + word(i - 16)
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight
  for (let i = 0; i < ROUNDS; i++) {
    const sum = (h + mix(e, 6, 11, 25) + (g ^ (e & (f ^ g))) + (CONSTANTS[i] as number) + word(i)) | 0
    const next = (sum + mix(a, 2, 13, 22) + ((a & b) | (c & (a | b)))) | 0
    h = g
    g = f
    f = e
    e = (d + sum) | 0
    d = c
    c = b
    b = a
    a = next
  }
  const added: Eight = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i] = (state[i] as number) + (added[i] as number)
}

type Eight = [number, number, number, number, number, number, number, number]

function word(index: number): number {
  return words[index] as number
}

function rotate(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits))
}

function mix(value: number, first: number, second: number, third: number): number {
  return rotate(value, first) ^ rotate(value, second) ^ rotate(value, third)
}

function spread(value: number, first: number, second: number, shift: number): number {
  return rotate(value, first) ^ rotate(value, second) ^ (value >>> shift)
}
