import { expect, test } from 'vitest'
import * as BlockReader from '../BlockReader.ts'
import { RECORDED, recordedChain } from '../testing/recordedChain.ts'

type Receipt = { readonly logs: readonly object[]; readonly logsBloom: string }

test.each(RECORDED)('%s: detects by the bloom each log that is missing from a receipt', (name) => {
  let left = 0
  for (const parts of recordedChain(name)) {
    BlockReader.read(parts)
    const receipts = parts.receipts as readonly Receipt[]
    receipts.forEach((receipt, i) => {
      receipt.logs.forEach((_, at) => {
        const logs = receipt.logs.toSpliced(at, 1)
        // A log that differs from another one of its receipt only in its data sets no bit of its own.
        if (new Set(logs.map(itemsOf)).has(itemsOf(receipt.logs[at]))) return
        const told = receipts.with(i, { ...receipt, logs })
        expect(() => BlockReader.read({ ...parts, receipts: told })).toThrow(/logsBloom: expected a bloom/)
        left++
      })
    })
  }
  expect(left).toBeGreaterThan(50)
})

test('accepts an empty or absent bloom and one of fewer items than the logs, but not a short one', () => {
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
  expect(() => read(`0x${'0'.repeat(510)}`)).toThrow(/logsBloom/)
  expect(() => read(`0x${'f'.repeat(512)}`)).toThrow(/logsBloom: expected a bloom/)
})

function itemsOf(log: object | undefined): string {
  const { address, topics } = log as { address: string; topics: readonly string[] }
  return [address, ...topics].join()
}
