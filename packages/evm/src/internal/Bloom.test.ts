import { expect, test } from 'vitest'
import * as BlockReader from '../BlockReader.ts'
import { RECORDED, recordedChain } from '../testing/recordedChain.ts'

type Receipt = { readonly logs: readonly object[]; readonly logsBloom: string }

test.each(RECORDED)(
  "detects each log missing from a receipt of the chain %s, using the receipt's bloom filter",
  (name) => {
    let left = 0
    for (const parts of recordedChain(name)) {
      BlockReader.read(parts)
      const receipts = parts.receipts as readonly Receipt[]
      receipts.forEach((receipt, i) => {
        receipt.logs.forEach((_, at) => {
          const logs = receipt.logs.toSpliced(at, 1)
          // Logs with the same address and topics set the same bits, so the bloom cannot detect that one of
          // them is missing.
          if (new Set(logs.map(itemsOf)).has(itemsOf(receipt.logs[at]))) return
          const changed = receipts.with(i, { ...receipt, logs })
          expect(() => BlockReader.read({ ...parts, receipts: changed })).toThrow(
            /logsBloom: expected only bits/,
          )
          left++
        })
      })
    }
    expect(left).toBeGreaterThan(50)
  },
)

test('accepts an empty or absent bloom filter, and rejects a malformed one or one that has additional bits', () => {
  const parts = recordedChain('c').find(({ receipts }) => (receipts as Receipt[])[0]?.logs.length === 1)
  const [receipt, ...others] = (parts?.receipts ?? []) as readonly Receipt[]
  const read = (logsBloom: string | undefined) =>
    BlockReader.read({
      block: parts?.block,
      receipts: [{ ...receipt, logsBloom }, ...others],
      traces: parts?.traces,
    })
  expect(read(undefined)).toEqual(read(receipt?.logsBloom))
  expect(read(`0x${'0'.repeat(512)}`)).toEqual(read(undefined))
  for (const malformed of [
    `0x${'0'.repeat(510)}`,
    `00${'0'.repeat(512)}`,
    `0x${'0'.repeat(511)}g`,
    `0x${'0'.repeat(511)}é`,
  ])
    expect(() => read(malformed)).toThrow(/logsBloom: expected 256 hexadecimal bytes/)
  expect(() => read(`0x${'f'.repeat(512)}`)).toThrow(/logsBloom: expected only bits/)
})

function itemsOf(log: object | undefined): string {
  const { address, topics } = log as { address: string; topics: readonly string[] }
  return [address, ...topics].join()
}
