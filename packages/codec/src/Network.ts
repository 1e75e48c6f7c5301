import { CodecError } from './CodecError.ts'
import { quoted } from './internal/quoted.ts'

/** Ids of Mainnet, Fuji and the local network. */
export const MAINNET = 1
export const FUJI = 5
export const LOCAL = 12345

const NAMES: ReadonlyMap<number, string> = new Map([
  [MAINNET, 'mainnet'],
  [2, 'cascade'],
  [3, 'denali'],
  [4, 'everest'],
  [FUJI, 'fuji'],
  [10, 'testing'],
  [LOCAL, 'local'],
])

const IDS: ReadonlyMap<string, number> = new Map([
  ...[...NAMES].map(([id, name]) => [name, id] as const),
  ['testnet', FUJI] as const,
])

const CUSTOM_HRP = 'custom'
const MAX_ID = 0xffff_ffff

/**
 * Returns the name of a network: `mainnet`, `fuji`, …, or `network-<id>`. Source: avalanchego
 * `utils/constants`.
 *
 * @example
 * ```ts
 * import { Network } from '@firn/codec'
 *
 * Network.formatName(5) // 'fuji'
 * Network.formatName(99) // 'network-99'
 * ```
 */
export function formatName(networkId: number): string {
  return NAMES.get(networkId) ?? `network-${networkId}`
}

/**
 * Returns the human-readable part of the network's bech32 addresses: `avax`, `fuji`, …, or `custom`.
 *
 * @example
 * ```ts
 * import { Network } from '@firn/codec'
 *
 * Network.hrp(1) // 'avax'
 * Network.hrp(99) // 'custom'
 * ```
 */
export function hrp(networkId: number): string {
  return networkId === MAINNET ? 'avax' : (NAMES.get(networkId) ?? CUSTOM_HRP)
}

/**
 * Parses a network name into its id. Accepts a known name, `network-<id>` or a decimal number, in any letter
 * case.
 * @throws CodecError `CODEC_NETWORK`
 * @example
 * ```ts
 * import { Network } from '@firn/codec'
 *
 * Network.parseName('Mainnet') // 1
 * Network.parseName('network-99') // 99
 * ```
 */
export function parseName(name: string): number {
  const lower = name.toLowerCase()
  const known = IDS.get(lower)
  if (known !== undefined) return known
  const digits = lower.startsWith('network-') ? lower.slice('network-'.length) : lower
  const id = /^[0-9]{1,20}$/.test(digits) ? Number(digits) : Number.NaN
  if (!(id <= MAX_ID)) {
    throw new CodecError(
      'CODEC_NETWORK',
      `expected a network name, network-<id> or an id up to ${MAX_ID}, got ${quoted(name)}`,
    )
  }
  return id
}

/**
 * Returns the names by which requests and options may call a network. The first one is the network's name in answers:
 * `alias` if given, or the result of {@link formatName}. The others are `network-<id>`, the id,
 * `testnet` for each network except Mainnet, and `local` for each network except Mainnet and Fuji.
 *
 * @example
 * ```ts
 * import { Network } from '@firn/codec'
 *
 * Network.names(5) // ['fuji', 'testnet', 'network-5', '5']
 * Network.names(54_545) // ['network-54545', 'local', 'testnet', '54545']
 * ```
 */
export function names(networkId: number, alias?: string): readonly string[] {
  const isPublic = networkId === MAINNET || networkId === FUJI
  return [
    ...new Set([
      ...(alias === undefined ? [] : [alias]),
      formatName(networkId),
      ...(isPublic ? [] : ['local']),
      ...(networkId === MAINNET ? [] : ['testnet']),
      `network-${networkId}`,
      `${networkId}`,
    ]),
  ]
}

/**
 * Returns whether `name` is one of the {@link names} of a network, in any letter case.
 *
 * @example
 * ```ts
 * import { Network } from '@firn/codec'
 *
 * Network.isNamed('network-54545', 54_545) // true
 * Network.isNamed('mainnet', 54_545) // false
 * ```
 */
export function isNamed(name: string, networkId: number, alias?: string): boolean {
  return names(networkId, alias).some((one) => one.toLowerCase() === name.toLowerCase())
}
