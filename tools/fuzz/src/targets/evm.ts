import { Activity, BlockReader, Creations, InternalCalls, Transfers } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { ofText, type Target } from '../Target.ts'

/** Blocks as a node answers, each short enough for mutations to meet all of its parts. */
const seeds = () =>
  inventedChain({ seed: 1, transactions: [1, 2] })
    .grow(40)
    .map((parts) => JSON.stringify(parts))

/** What a node says of a block is read, or refused by a typed error, and what was read has a meaning. */
const reader: Target = ofText('blocks of EVM chains', seeds, (text) => {
  const parts = parse(text)
  if (parts === undefined) return undefined
  const block = BlockReader.read(parts)
  const transfers = Transfers.of(block)
  const { addresses, senders } = Activity.of(block, transfers)
  if (senders.size > addresses.size) return `${senders.size} senders among ${addresses.size} addresses`
  const calls = InternalCalls.of(block).length
  const inner = Creations.of(block).filter(({ position }) => position > 0).length
  return inner > calls ? `${inner} creations in ${calls} calls` : undefined
})

/** Undefined where it is no JSON, or none of three parts: that is not the reader's to refuse. */
function parse(text: string): BlockReader.Parts | undefined {
  try {
    const parts: unknown = JSON.parse(text)
    return typeof parts === 'object' && parts !== null ? (parts as BlockReader.Parts) : undefined
  } catch {
    return undefined
  }
}

/** Readers of what nodes of EVM chains answer. */
export const evmTargets: readonly Target[] = [reader]
