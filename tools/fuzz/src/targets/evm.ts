import { Activity, BlockReader, Creations, InternalCalls, Transfers } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { ofText, type Target } from '../Target.ts'

/**
 * Returns blocks in the format of a node's response. Each is short enough for mutations to reach all of its
 * parts.
 */
const seeds = () =>
  inventedChain({ seed: 1, transactions: [1, 2] })
    .grow(40)
    .map((parts) => JSON.stringify(parts))

/**
 * Target that reads a node's response about a block. The reader must throw a typed error or return a
 * consistent block.
 */
const reader: Target = ofText('blocks of EVM chains', seeds, (text) => {
  const parts = parse(text)
  if (parts === undefined) return undefined
  const block = BlockReader.read(parts)
  const transfers = Transfers.of(block)
  const { addresses, senders } = Activity.of(block, transfers)
  if (senders.size > addresses.size) return `${senders.size} senders, but only ${addresses.size} addresses`
  const calls = InternalCalls.of(block).length
  const inner = Creations.of(block).filter(({ position }) => position > 0).length
  return inner > calls ? `${inner} contract creations in ${calls} calls` : undefined
})

/**
 * Parses the parts of a block. Returns undefined if the input is not a JSON object, because the reader
 * expects an object.
 */
function parse(text: string): BlockReader.Parts | undefined {
  try {
    const parts: unknown = JSON.parse(text)
    return typeof parts === 'object' && parts !== null ? (parts as BlockReader.Parts) : undefined
  } catch {
    return undefined
  }
}

/** Targets for the reader of EVM nodes' responses. */
export const evmTargets: readonly Target[] = [reader]
