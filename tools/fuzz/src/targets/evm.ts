import { Activity, BlockReader, Creations, InternalCalls, Transfers } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { ofText, type Target } from '../Target.ts'

/**
 * Returns blocks in the form of a node's answers. Each is short enough that mutations reach all of its parts.
 */
const seeds = () =>
  inventedChain({ seed: 1, transactions: [1, 2] })
    .grow(40)
    .map((parts) => JSON.stringify(parts))

/**
 * Reads a node's answer about a block. It must be rejected with a typed error, or give a consistent block.
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
 * Parses the parts of a block. Returns undefined if the input is not a JSON object, which the reader does not
 * have to reject.
 */
function parse(text: string): BlockReader.Parts | undefined {
  try {
    const parts: unknown = JSON.parse(text)
    return typeof parts === 'object' && parts !== null ? (parts as BlockReader.Parts) : undefined
  } catch {
    return undefined
  }
}

/** Targets that read the answers of EVM nodes. */
export const evmTargets: readonly Target[] = [reader]
