import { EvmRetention } from '@firn/evm-store'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainsOf, type OfAllChains } from './chainsSnapshots.ts'

/** Returns the schema of the blocks from which on a kind of data is kept, for lists over all chains. */
export function firstKeptBlocks(what: string): Schema.Schema {
  const description = `Blocks from which on ${what} are kept, by EVM chain id; absent if every chain keeps all`
  return Schema.optional(Schema.record(Field.height('Block number'), description, '43114'))
}

/** Returns the blocks of {@link firstKeptBlocks} for the chains of a list. */
export async function firstKeptBlocksOf(
  request: OfAllChains,
  kind: Parameters<typeof EvmRetention.keptFrom>[1],
): Promise<Readonly<Record<string, string>> | undefined> {
  const all = await Promise.all(
    chainsOf(request).map(async ({ source }) => {
      const height = await EvmRetention.keptFrom(source.store, kind)
      return height === undefined ? [] : [[`${source.chain.chainId}`, `${height}`] as const]
    }),
  )
  const kept = all.flat()
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}
