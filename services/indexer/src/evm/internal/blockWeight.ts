import type { Block } from '@firn/evm'

/** Bytes that a block takes in memory, roughly: texts it came as, and what was read from them. */
export function blockWeight({ transactions, traces }: Block): number {
  let bytes = 2_000
  for (const { input, logs } of transactions) {
    bytes += 1_500 + input.length
    for (const { data } of logs) bytes += 700 + data.length
  }
  return bytes + (traces?.length ?? 0) * 500
}
