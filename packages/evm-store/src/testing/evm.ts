import { type Block, BlockReader, type ContractFacts } from '@firn/evm'
import { type RecordedName, recordedChain } from '@firn/evm/testing'
import { borrowPGlite, CITUS_URL, emptyDatabase } from '@firn/sql/testing'
import type { EvmChain } from '../EvmChain.ts'
import { type EvmOptions, EvmStore } from '../EvmStore.ts'
import { EvmWriter } from '../EvmWriter.ts'
import { createTables } from './citus.ts'

/** A chain that is stored from block 0, with traces. For tests only. */
export const TEST_CHAIN: EvmChain = {
  chainId: 1337n,
  name: 'Test',
  network: 'local',
  token: { name: 'Test', symbol: 'TEST', decimals: 18 },
  firstHeight: 0n,
  hasTraces: true,
}

/**
 * Opens the empty tables of an EVM chain, by default in a database from {@link emptyDatabase}. Where `FIRN_CITUS_URL` is
 * set, such a chain is sharded over the workers of that cluster. For tests only.
 */
export async function openEvm(options: Partial<EvmOptions> = {}): Promise<EvmStore> {
  if (options.url === undefined && options.pglite === undefined)
    return openEmpty({ chainId: TEST_CHAIN.chainId, ...options })
  const store = await EvmStore.open({ chainId: TEST_CHAIN.chainId, ...options })
  await store.migrate()
  return store
}

async function openEmpty(options: EvmOptions): Promise<EvmStore> {
  const place = await emptyDatabase()
  const url = CITUS_URL === '' ? {} : { url: CITUS_URL }
  const store = await EvmStore.open({ ...place, ...url, ...options })
  await createTables(store)
  return store
}

/** Returns the known facts about the contracts of a block. For tests only. */
export type FactsOf = (block: Block) => readonly ContractFacts[]

const CHAINS: { readonly [N in RecordedName]: EvmChain } = {
  c: { ...TEST_CHAIN, chainId: 43_112n, name: 'C-Chain', token: avax() },
  l1: { ...TEST_CHAIN, chainId: 99_112n, name: 'L1' },
  // Some blocks of this recording have no traces.
  helicon: { ...TEST_CHAIN, chainId: 43_112n, name: 'C-Chain', token: avax(), hasTraces: false },
}

function avax() {
  return { name: 'Avalanche', symbol: 'AVAX', decimals: 18 }
}

const STORES = new Map<RecordedName, Promise<EvmStore>>()

/**
 * Returns a store filled with a recorded EVM chain. The chain `l1` is in PGlite, so that services are tested on both
 * databases. The store is shared within a process (a test
 * file), so don't write to it or close it. With `factsOf` or `chain`, the store is not shared. By default,
 * the standard of a contract follows from its transfers, and its names are unknown. For tests only.
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
  const { chainId } = chain
  const store =
    name === 'l1' ? await openEvm({ chainId, pglite: await borrowPGlite() }) : await openEmpty({ chainId })
  const writer = await EvmWriter.open(store, chain)
  const blocks = recordedChain(name).map((parts) => BlockReader.read(parts))
  await writer.commit(blocks.map((block) => ({ block, contracts: factsOf(block) })))
  return store
}
