import { Id } from '@firn/codec'
import type { EvmChain } from '@firn/evm-store'
import { NamedChains } from '@firn/options'
import { systemClock } from '@firn/runtime'
import { IndexerError } from '../../common/IndexerError.ts'
import { readChainId } from '../../evm/upstream/readChainId.ts'
import { type ChainDetails, KNOWN } from './ChainDetails.ts'

/** A chain to index. */
export type Chain = NamedChains.Named & {
  readonly chainId: bigint
  readonly about: Omit<EvmChain, 'chainId' | 'firstHeight' | 'hasTraces' | 'genesisHash'>
  readonly firstHeight: bigint | undefined
}

/**
 * Resolves the chains with the given details by chain id, or those that are known. Reads missing ids from the nodes. If none of a chain's nodes
 * responds, uses the only stored chain that no other argument names.
 * @throws IndexerError `INDEXER_CONFIGURATION`; OptionsError
 */
export const resolve = async (
  named: readonly NamedChains.Named[],
  given: Readonly<Record<string, ChainDetails>>,
  stored: () => Promise<readonly bigint[]>,
  signal: AbortSignal,
): Promise<readonly Chain[]> => {
  const details = { ...KNOWN, ...given }
  const asked = named.filter(({ names }) => names.length === 0)
  const rest = asked.length === 1 ? await withoutNamed(named, stored) : []
  const chains = await Promise.all(
    named.map(async ({ names: [name], urls }) => {
      const known = rest.length === 1 ? rest[0] : undefined
      const id = name === undefined ? await askId(urls, known, signal) : BigInt(name)
      return describe(id, urls, details[String(id)] ?? {})
    }),
  )
  return NamedChains.distinct(chains)
}

const describe = (chainId: bigint, urls: readonly string[], details: ChainDetails): Chain => {
  const { name = `EVM chain ${chainId}`, network = 'local', blockchainId, subnetId } = details
  return {
    chainId,
    names: [String(chainId)],
    urls,
    about: {
      name,
      network,
      blockchainId: blockchainId === undefined ? undefined : Id.parse(blockchainId),
      subnetId: subnetId === undefined ? undefined : Id.parse(subnetId),
      token: details.token ?? { name: 'Native token', symbol: 'NATIVE', decimals: 18 },
    },
    firstHeight: details.firstHeight === undefined ? undefined : BigInt(details.firstHeight),
  }
}

/** Returns the stored chains that no argument names by id. */
const withoutNamed = async (
  named: readonly NamedChains.Named[],
  stored: () => Promise<readonly bigint[]>,
): Promise<readonly bigint[]> => {
  const ids = await stored()
  return ids.filter((id) => named.every(({ names: [given] }) => given === undefined || BigInt(given) !== id))
}

const PATIENCE_MS = 15_000
/**
 * Timeout in milliseconds for requests to nodes at the start, when the services can also start without their
 * responses.
 */
const IMPATIENT_MS = 2_000

/** Returns the chain id that the nodes report, or `known` if none of them responds. */
const askId = async (
  urls: readonly string[],
  known: bigint | undefined,
  signal: AbortSignal,
): Promise<bigint> => {
  const patience = AbortSignal.timeout(known === undefined ? PATIENCE_MS : IMPATIENT_MS)
  const timing = { clock: systemClock, random: Math.random }
  try {
    const upstreams = urls.map((url) => ({ url }))
    return await readChainId(upstreams, timing, AbortSignal.any([signal, patience]))
  } catch (cause) {
    signal.throwIfAborted()
    if (known !== undefined) return known
    const { host } = new URL(urls[0] ?? '')
    const message = `${host} did not report its chain id; pass it as --chain <id>=<url>`
    throw new IndexerError('INDEXER_CONFIGURATION', message, { cause })
  }
}
