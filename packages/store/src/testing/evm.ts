import { type Block, BlockReader, type ContractFacts } from '@firn/evm'
import { type RecordedName, recordedChain } from '@firn/evm/testing'
import type { EvmChain } from '../evm/EvmChain.ts'
import { type EvmOptions, EvmStore } from '../evm/EvmStore.ts'
import { EvmWriter } from '../evm/EvmWriter.ts'
import { borrowPGlite } from './pglite.ts'

/** A chain from block 0 on, whose blocks come with traces. For tests only. */
export const TEST_CHAIN: EvmChain = {
  chainId: 1337n,
  name: 'Test',
  network: 'local',
  token: { name: 'Test', symbol: 'TEST', decimals: 18 },
  firstHeight: 0n,
  hasTraces: true,
}

/** The tables of an EVM chain in a PGlite in memory, with nothing in them. For tests only. */
export async function openEvm(options: Partial<EvmOptions> = {}): Promise<EvmStore> {
  const place = options.url === undefined ? { pglite: await borrowPGlite() } : {}
  const store = await EvmStore.open({ chainId: TEST_CHAIN.chainId, ...place, ...options })
  await store.migrate()
  return store
}

/** What is known of the contracts of a block. For tests only. */
export type FactsOf = (block: Block) => readonly ContractFacts[]

const CHAINS: { readonly [N in RecordedName]: EvmChain } = {
  c: { ...TEST_CHAIN, chainId: 43_112n, name: 'C-Chain', token: avax() },
  l1: { ...TEST_CHAIN, chainId: 99_112n, name: 'L1' },
  // Some of its blocks come without traces.
  helicon: { ...TEST_CHAIN, chainId: 43_112n, name: 'C-Chain', token: avax(), hasTraces: false },
}

function avax() {
  return { name: 'Avalanche', symbol: 'AVAX', decimals: 18 }
}

const STORES = new Map<RecordedName, Promise<EvmStore>>()

/**
 * A store in memory filled with a recorded EVM chain. One for all who ask in a process (a test file): not to be written to nor
 * closed; another one where `factsOf` or `chain` is given. By itself contracts are of the kind that their transfers tell, without
 * texts. For tests only.
 */
export function recordedEvmStore(
  name: RecordedName,
  factsOf?: FactsOf,
  chain?: Partial<EvmChain>,
): Promise<EvmStore> {
  if (factsOf !== undefined || chain !== undefined) return fill(name, factsOf, chain)
  const known = STORES.get(name)
  if (known !== undefined) return known
  const store = fill(name)
  STORES.set(name, store)
  return store
}

async function fill(name: RecordedName, factsOf: FactsOf = () => [], given: Partial<EvmChain> = {}) {
  const chain = { ...CHAINS[name], ...given }
  const store = await openEvm({ chainId: chain.chainId })
  const writer = await EvmWriter.open(store, chain)
  const blocks = recordedChain(name).map((parts) => BlockReader.read(parts))
  await writer.commit(blocks.map((block) => ({ block, contracts: factsOf(block) })))
  return store
}
