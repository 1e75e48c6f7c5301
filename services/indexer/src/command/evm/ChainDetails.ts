import { readFileSync } from 'node:fs'
import { Id, isFirnError, isJsonObject } from '@firn/codec'
import { EVM_NETWORKS, type EvmNetwork } from '@firn/evm-store'
import { IndexerError } from '../../common/IndexerError.ts'

/** What the nodes of an EVM chain do not report. */
export type ChainDetails = {
  readonly name?: string
  readonly network?: EvmNetwork
  readonly blockchainId?: string
  readonly subnetId?: string
  readonly token?: { readonly name: string; readonly symbol: string; readonly decimals: number }
  /** Height of the first block to store. */
  readonly firstHeight?: number
}

const PRIMARY_NETWORK = '11111111111111111111111111111111LpoYY'
const AVAX = { name: 'Avalanche', symbol: 'AVAX', decimals: 18 } as const

/** The details of the C-chains of mainnet and fuji, by chain id. */
export const KNOWN: Readonly<Record<string, ChainDetails>> = {
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

type Check = { readonly expected: string; readonly isValid: (value: unknown) => boolean }

const text: Check = { expected: 'a text', isValid: (value) => typeof value === 'string' && value !== '' }
const id: Check = {
  expected: 'an id in CB58',
  isValid: (value) => {
    try {
      return typeof value === 'string' && Id.parse(value).length > 0
    } catch (error) {
      if (isFirnError(error)) return false
      throw error
    }
  },
}
const integer = (most: number): Check => ({
  expected: `an integer from 0 to ${most}`,
  isValid: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most,
})

const TOKEN: Readonly<Record<string, Check>> = { name: text, symbol: text, decimals: integer(255) }

/** The check of each member of {@link ChainDetails}. */
const CHECKS: { readonly [Name in keyof Required<ChainDetails>]: Check } = {
  name: text,
  network: {
    expected: `one of ${EVM_NETWORKS.join(', ')}`,
    isValid: (value) => EVM_NETWORKS.some((network) => network === value),
  },
  blockchainId: id,
  subnetId: id,
  token: {
    expected: 'an object with name, symbol and decimals',
    isValid: (value) =>
      isJsonObject(value) && Object.entries(TOKEN).every(([name, { isValid }]) => isValid(value[name])),
  },
  firstHeight: integer(Number.MAX_SAFE_INTEGER),
}

/**
 * Reads the chains of a metadata file, by EVM chain id. Members that concern only the Data API are ignored.
 * @throws IndexerError `INDEXER_CONFIGURATION` with the place of the first problem
 */
export const read = (file: string): Readonly<Record<string, ChainDetails>> => {
  const fail = (problem: string, cause?: unknown) =>
    new IndexerError('INDEXER_CONFIGURATION', `${file}: ${problem}`, { cause })
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw fail((cause as Error).message, cause)
  }
  const chains = isJsonObject(json) ? (json['chains'] ?? {}) : undefined
  if (!isJsonObject(chains)) throw fail('expected an object with the member chains, by EVM chain id')
  for (const [chainId, details] of Object.entries(chains)) {
    if (!isJsonObject(details)) throw fail(`chains.${chainId}: expected an object`)
    for (const [name, { expected, isValid }] of Object.entries(CHECKS)) {
      const value = details[name]
      if (value === undefined || isValid(value)) continue
      throw fail(`chains.${chainId}.${name}: expected ${expected}, got ${JSON.stringify(value)}`)
    }
  }
  return chains as Readonly<Record<string, ChainDetails>>
}
