import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { hasAll, type IcmChain } from './IcmChains.ts'

const Range = Schema.object('IncompleteMessages', 'The blocks of a chain whose messages are stored', {
  fromBlock: Schema.optional(Field.height('First block whose messages are stored; absent if none are', '0')),
  toBlock: Schema.optional(Field.height('Last block whose messages are stored; absent if none are')),
})

/** Schema of the chains of which not all messages are stored. */
export const incompleteBlocks = Schema.optional(
  Schema.record(
    Range,
    'Chains of which not all messages are stored, by EVM chain id, with the blocks whose messages are; absent if there are none',
    '43114',
  ),
)

/** Returns the chains of {@link incompleteBlocks}. */
export function incompleteBlocksOf(chains: readonly IcmChain[]) {
  const incomplete = chains.filter((chain) => !hasAll(chain))
  if (incomplete.length === 0) return undefined
  return Object.fromEntries(
    incomplete.map(({ source, at, progress }) => {
      const last = progress && (progress.next > at.height ? at.height : progress.next - 1n)
      const isSome = progress !== undefined && last !== undefined && last >= progress.from
      const range = isSome ? { fromBlock: String(progress.from), toBlock: String(last) } : {}
      return [String(source.chain.chainId), range]
    }),
  )
}
