import assert from 'node:assert/strict'
import { formatBlock, formatTransactionReceipt } from 'viem'
import * as BlockReader from './BlockReader.ts'
import * as Creations from './Creations.ts'
import * as InternalCalls from './InternalCalls.ts'
import * as Transfers from './Transfers.ts'
import { recordedChain } from './testing/recordedChain.ts'

const blocks = recordedChain('c')
const untraced = blocks.map(({ block, receipts }) => ({ block, receipts }))

const firn = () => untraced.map((parts) => BlockReader.read(parts).transactions.length)

/** Reads the blocks with viem, which validates nothing and keeps bytes as text. */
const viem = () =>
  untraced.map(({ block, receipts }) => {
    for (const receipt of receipts as unknown[]) formatTransactionReceipt(receipt as never)
    return formatBlock(block as never).transactions.length
  })

assert.deepEqual(firn(), viem())

export const benchmarks = {
  '84 recorded blocks with 230 receipts': { firn, viem },
  '84 recorded blocks with 230 receipts, traces and derived data': {
    firn: () =>
      blocks.map((parts) => {
        const block = BlockReader.read(parts)
        return [Transfers.of(block), Creations.of(block), InternalCalls.of(block)]
      }),
  },
}
