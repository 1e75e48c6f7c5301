import type { EvmAirdrops, EvmContracts } from '@firn/evm-store'
import { textOf } from '../chain/Text.ts'
import { skeletonOf } from './skeleton.ts'

/** Reasons for which a token may be spam, with what they mean. */
export const SPAM_REASONS = {
  REPORTED: 'the operator calls it malicious',
  NATIVE_NAME: 'an ERC-20 token with the name or the symbol of the native token of the chain',
  LOOKALIKE_NAME:
    'a name or symbol that looks like the name of the native token, or of a well-known one, but is another',
  HIDDEN_CHARACTERS: 'invisible characters in the name or symbol',
  URL_IN_NAME: 'the address of a web page in the name or symbol',
  UNREQUESTED_AIRDROP:
    'at least 100 transfers, and nine of ten, were to one of ten or more recipients of a transaction that none of them sent',
} as const
export type SpamReason = keyof typeof SPAM_REASONS

/** Returns why the tokens of a contract may be spam; an empty list if nothing says so. */
export type SpamOf = (contract: Uint8Array) => readonly SpamReason[]

/** The facts about a token contract that can be signs of spam. */
export interface Suspect {
  readonly contract: Pick<EvmContracts.Contract, 'standard' | 'name' | 'symbol'> | undefined
  /** The native token of the chain. */
  readonly native: { readonly name: string; readonly symbol: string }
  readonly reach: Pick<EvmAirdrops.Reach, 'airdropped' | 'others'> | undefined
  /** Reputation in the metadata of the operator. */
  readonly reputation: 'Malicious' | 'Benign' | undefined
}

/** Returns the reasons for which a token may be spam. A token that the operator calls benign has none. */
export function spamReasons({ contract, native, reach, reputation }: Suspect): readonly SpamReason[] {
  if (reputation === 'Benign') return []
  const texts = [contract?.name, contract?.symbol].flatMap((bytes) => {
    const text = textOf(bytes)?.slice(0, MOST_CHARACTERS)
    return text === undefined || text === '' ? [] : [text]
  })
  const natives = [native.name, native.symbol]
  const holds: Readonly<Record<SpamReason, boolean>> = {
    REPORTED: reputation === 'Malicious',
    NATIVE_NAME: contract?.standard === 20 && texts.some((text) => natives.some((one) => isSame(text, one))),
    LOOKALIKE_NAME: texts.some((text) => looksLikeOneOf(text, [...natives, ...WELL_KNOWN])),
    HIDDEN_CHARACTERS: texts.some((text) => HIDDEN.test(text.replaceAll(EMOJI, ''))),
    URL_IN_NAME: texts.some((text) => URL_OR_DOMAIN.test(text)),
    UNREQUESTED_AIRDROP: reach !== undefined && isAirdrop(reach),
  }
  return (Object.keys(SPAM_REASONS) as SpamReason[]).filter((reason) => holds[reason])
}

/** Names are compared up to this length, because contracts may return texts of any length. */
const MOST_CHARACTERS = 256

const MIN_AIRDROPPED = 100n
/** Number of airdropped transfers for each other transfer from which on a token counts as airdropped. */
const AIRDROPPED_PER_OTHER = 9n

function isAirdrop({ airdropped, others }: Pick<EvmAirdrops.Reach, 'airdropped' | 'others'>): boolean {
  return airdropped >= MIN_AIRDROPPED && airdropped >= AIRDROPPED_PER_OTHER * others
}

/** Names and symbols that spam imitates. Tokens with exactly these names are not suspected: they are bridged to many chains. */
const WELL_KNOWN = [
  ...['AVAX', 'Avalanche', 'WAVAX', 'Wrapped AVAX', 'sAVAX', 'Staked AVAX'],
  ...['USDC', 'USD Coin', 'USDC.e', 'USDT', 'Tether', 'Tether USD', 'TetherToken', 'USDT.e', 'EURC'],
  ...['BTC', 'Bitcoin', 'BTC.b', 'WBTC', 'Wrapped BTC', 'Wrapped Bitcoin', 'ETH', 'Ethereum', 'Ether'],
  ...['WETH', 'WETH.e', 'Wrapped Ether', 'DAI', 'Dai Stablecoin', 'DAI.e', 'LINK', 'Chainlink', 'LINK.e'],
]
const SKELETONS = new Map(WELL_KNOWN.map((name) => [name, skeletonOf(name)]))

function looksLikeOneOf(text: string, names: readonly string[]): boolean {
  const skeleton = skeletonOf(text)
  if (names.some((name) => isSame(text, name))) return false
  return names.some((name) => name !== '' && (SKELETONS.get(name) ?? skeletonOf(name)) === skeleton)
}

function isSame(text: string, name: string): boolean {
  return name !== '' && text.trim().toLowerCase() === name.toLowerCase()
}

/** Formatting and control characters, and letters without a shape. */
const HIDDEN = /[\p{Cf}\p{Cc}\u115F\u1160\u3164\uFFA0]/u
/** Emoji contain joiners. */
const EMOJI =
  /\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]?(?:\u200D\p{Extended_Pictographic}\uFE0F?)*/gu

/** Top-level domains of which no well-known token has one in its name, unlike `.e`, `.b`, `.fi` or `.finance`. */
const DOMAINS =
  'app|biz|cc|cfd|claim|claims|click|club|co|com|cyou|eu|event|events|fun|gg|gift|info|io|lat|link|live|me|net|online|org|pro|pw|quest|ru|sbs|shop|site|space|store|to|top|us|vip|website|win|ws|xyz|zone'
const URL_OR_DOMAIN = new RegExp(
  `https?:|www\\.|(?:t\\.me|discord\\.gg)/|(?<![\\p{L}\\p{N}])[a-z0-9-]{1,63}\\.(?:${DOMAINS})(?![\\p{L}\\p{N}])`,
  'iu',
)
