import { Bytes, Id } from '@firn/codec'

/** Returns 32 bytes that depend only on the seed and the labels. */
export function derive(seed: string, ...labels: readonly (string | number)[]): Uint8Array {
  return Id.hash(Bytes.concat(new TextEncoder().encode(JSON.stringify([seed, ...labels]))))
}

/** Returns a number in [0, 1) that depends only on the seed and the labels. */
export function fraction(seed: string, ...labels: readonly (string | number)[]): number {
  const bytes = derive(seed, ...labels)
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) / 2 ** 32
}
