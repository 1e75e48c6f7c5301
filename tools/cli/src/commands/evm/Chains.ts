import { Id } from '@firn/codec'
import { type ChainEntry, MetadataFile } from '@firn/data-api'
import { NamedChains } from '@firn/gateway'
import { readChainId } from '@firn/indexer'
import type { Type } from '@firn/options'
import { systemClock } from '@firn/runtime'
import type { EvmChain } from '@firn/store/evm'
import { CliError } from '../../CliError.ts'

/** A chain that can be indexed and served. */
export type Chain = NamedChains.Named & {
  readonly chainId: bigint
  readonly about: Omit<EvmChain, 'chainId' | 'firstHeight' | 'hasTraces' | 'genesisHash'>
  readonly firstHeight: bigint | undefined
}

const PRIMARY_NETWORK = '11111111111111111111111111111111LpoYY'
const AVAX = { name: 'Avalanche', symbol: 'AVAX', decimals: 18 } as const
const KNOWN: Readonly<Record<string, ChainEntry>> = {
  '43114': {
    name: 'Avalanche (C-Chain)',
    network: 'mainnet',
    blockchainId: '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
    subnetId: PRIMARY_NETWORK,
    token: AVAX,
  },
  '43113': {
    name: 'Avalanche Fuji (C-Chain)',
    network: 'testnet',
    blockchainId: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
    subnetId: PRIMARY_NETWORK,
    token: AVAX,
  },
}

/** Returns whether a name of a chain is an EVM chain id. */
export const isId = (name: string): boolean => /^\d{1,20}$/.test(name)

/** Parses a chain id without nodes, or like {@link NamedChains.parse}. */
const parseStored = (text: string): NamedChains.Named =>
  isId(text) ? { names: [text], urls: [] } : NamedChains.parse(text)

/** The type of `--chain` of services that serve stored chains: their ids, with nodes or without. */
export const STORED: Type.Type<readonly NamedChains.Named[]> = NamedChains.type(
  { placeholder: 'id', expected: 'an EVM chain id, or <chain id>=<url>,<url>' },
  ([name = '', ...more]) => isId(name) && more.length === 0,
  parseStored,
)

/**
 * Returns the ids and nodes of chains that {@link STORED} has parsed.
 * @throws CliError `CLI_INPUT` if a chain is given twice
 */
export const stored = (named: readonly NamedChains.Named[]) =>
  distinct(named.map(({ names: [id = ''], urls }) => ({ chainId: BigInt(id), urls })))

/**
 * Resolves the chains with all known details. Reads missing ids from the nodes. If none of a chain's nodes
 * responds, uses the only stored chain that no other argument names.
 */
export const resolve = async (
  named: readonly NamedChains.Named[],
  metadataFile: string | undefined,
  stored: () => Promise<readonly bigint[]>,
  signal: AbortSignal,
): Promise<readonly Chain[]> => {
  const details = { ...KNOWN, ...(metadataFile === undefined ? {} : await readChains(metadataFile)) }
  const asked = named.filter(({ names }) => names.length === 0)
  const rest = asked.length === 1 ? await withoutNamed(named, stored) : []
  const chains = await Promise.all(
    named.map(async ({ names: [given], urls }) => {
      const known = rest.length === 1 ? rest[0] : undefined
      const id = given === undefined ? await askId(urls, known, signal) : BigInt(given)
      return describe(id, urls, details[String(id)] ?? {})
    }),
  )
  return distinct(chains)
}

/** Returns the given chains if no two have the same id. */
const distinct = <T extends { readonly chainId: bigint }>(chains: readonly T[]): readonly T[] => {
  const twice = chains.find(({ chainId }, i) => chains.findIndex((one) => one.chainId === chainId) !== i)
  if (twice === undefined) return chains
  const message = `chain ${twice.chainId} is given twice; separate a chain's nodes by commas`
  throw new CliError('CLI_INPUT', message)
}

const describe = (chainId: bigint, urls: readonly string[], details: ChainEntry): Chain => {
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

/** Reads the chains of a metadata file. */
const readChains = async (path: string): Promise<Readonly<Record<string, ChainEntry>>> => {
  try {
    return (await MetadataFile.read(path)).chains ?? {}
  } catch (cause) {
    throw new CliError('CLI_INPUT', (cause as Error).message, { cause })
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
    throw new CliError('CLI_INPUT', message, { cause })
  }
}
