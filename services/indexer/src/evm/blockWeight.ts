import type { Block } from '@firn/evm'

/** Returns the estimated memory use of a block in bytes, for the received text and the decoded values. */
export function blockWeight({ transactions, traces, selected }: Block): number {
  let bytes = 2_000
  for (const { input, logs } of transactions) {
    bytes += 1_500 + input.length
    for (const { data } of logs) bytes += 700 + data.length
  }
  for (const { logs } of selected?.transactions ?? []) for (const { data } of logs) bytes += 700 + data.length
  return bytes + (traces?.length ?? 0) * 500
}
