import { EVM_NETWORKS } from '@firn/evm-store'
import { type Static, type TSchema, Type } from 'typebox'
import { CURRENCIES } from './Currency.ts'

/** Kinds of links, as the official client knows them. */
export const LINK_TYPES = [
  ...(['Blog', 'CoinGecko', 'CoinMarketCap', 'Discord', 'Documentation', 'Facebook', 'Github'] as const),
  ...(['Instagram', 'LinkedIn', 'Medium', 'Reddit', 'Support', 'Telegram', 'TikTok', 'Twitter'] as const),
  ...(['Website', 'Whitepaper', 'Youtube'] as const),
] as const

/** Reputations of a token, as the official client knows them. */
export const REPUTATIONS = ['Malicious', 'Benign'] as const

/**
 * Characters that no text may contain: controls other than a line break, which could hide text in a terminal, and
 * those that change the direction of text, which could disguise a name.
 */
const UNSAFE = '\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'

/** Keyword with what a schema expects, in words. Error messages contain it. */
export const EXPECTED = 'x-expected'

function text(description: string, maxLength: number) {
  return Type.Optional(plainText(maxLength, { description }))
}

function plainText(maxLength: number, more: object = {}) {
  const expected = `at most ${maxLength} characters of plain text without control characters`
  return Type.String({ ...more, maxLength, pattern: `^[^${UNSAFE}]*$`, [EXPECTED]: expected })
}

function url(description: string, schemes: readonly string[]) {
  const expected = `a URL of at most 2048 characters with the scheme ${schemes.join(' or ')}`
  const pattern = `^(${schemes.join('|')})://[^\\s<>"${UNSAFE}]+$`
  return Type.String({ description, maxLength: 2_048, pattern, [EXPECTED]: expected })
}

function link(description: string) {
  return Type.Optional(url(description, ['http', 'https']))
}

function image(description: string) {
  return Type.Optional(url(description, ['http', 'https', 'ipfs']))
}

function byKey<T extends TSchema>(description: string, pattern: string, value: T) {
  return Type.Record(Type.String({ pattern }), value, { description, additionalProperties: false })
}

const strict = { additionalProperties: false } as const
const CB58 = '^[1-9A-HJ-NP-Za-km-z]{32,64}$'
const EVM_ADDRESS = '^0[xX][0-9a-fA-F]{40}$'
const PRICE_ID = '^[^\\s]{1,128}$'

const priceId = Type.Optional(
  Type.String({ description: 'Name under which `prices` contains the price', pattern: PRICE_ID }),
)

/** Members that tell who is behind a contract, an address or a subnet. */
const about = {
  name: text('Name, instead of the one that the chain reports', 128),
  description: text('Description in plain text', 4_096),
  officialSite: link('URL of the official site'),
  email: Type.Optional(
    Type.String({ maxLength: 320, pattern: '^[^\\s@<>]+@[^\\s@<>]+$', [EXPECTED]: 'an e-mail address' }),
  ),
  logoUri: image('URL of a logo'),
  bannerUri: image('URL of a banner'),
  color: Type.Optional(
    Type.String({
      description: 'CSS colour',
      pattern: '^#?[0-9a-fA-F]{3,8}$',
      [EXPECTED]: 'a colour such as #e84142',
    }),
  ),
  resourceLinks: Type.Optional(
    Type.Array(
      Type.Object({ type: Type.Enum([...LINK_TYPES]), url: url('URL', ['http', 'https']) }, strict),
      {
        maxItems: 32,
      },
    ),
  ),
  tags: Type.Optional(Type.Array(plainText(64), { maxItems: 32 })),
}

const AddressEntry = Type.Object(
  {
    ...about,
    symbol: text('Symbol of a token, instead of the one that the contract reports', 32),
    priceId,
    coingeckoCoinId: Type.Optional(
      Type.String({
        description: 'Id of the token at CoinGecko; also the default of priceId',
        pattern: PRICE_ID,
      }),
    ),
    reputation: Type.Optional(Type.Enum([...REPUTATIONS], { description: 'Reputation of a token' })),
  },
  strict,
)

const Token = Type.Object(
  {
    name: plainText(128),
    symbol: plainText(32),
    decimals: Type.Integer({ minimum: 0, maximum: 255 }),
    description: about.description,
    logoUri: about.logoUri,
    priceId,
  },
  { ...strict, description: 'Token in which the fees of the chain are paid' },
)

const ChainEntry = Type.Object(
  {
    name: text('Name of the chain', 128),
    network: Type.Optional(Type.Enum([...EVM_NETWORKS])),
    blockchainId: Type.Optional(
      Type.String({ description: 'Blockchain id in CB58', pattern: CB58, [EXPECTED]: 'an id in CB58' }),
    ),
    subnetId: Type.Optional(
      Type.String({ description: 'Subnet id in CB58', pattern: CB58, [EXPECTED]: 'an id in CB58' }),
    ),
    vmId: Type.Optional(
      Type.String({
        description: 'Id of the virtual machine in CB58',
        pattern: CB58,
        [EXPECTED]: 'an id in CB58',
      }),
    ),
    token: Type.Optional(Token),
    firstHeight: Type.Optional(
      Type.Integer({ description: 'First block to index', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    ),
    description: about.description,
    logoUri: about.logoUri,
    rpcUrl: link('Public URL of the JSON-RPC API'),
    wsUrl: Type.Optional(url('Public URL of the WebSocket API', ['ws', 'wss'])),
    explorerUrl: link('URL of a block explorer'),
    multicall: Type.Optional(
      Type.String({
        description: 'Address of a Multicall contract',
        pattern: EVM_ADDRESS,
        [EXPECTED]: 'an address of 0x and 40 hexadecimal digits',
      }),
    ),
    isPrivate: Type.Optional(Type.Boolean({ description: 'Whether the chain is private' })),
    addresses: Type.Optional(byKey('Contracts, tokens and accounts, by address', EVM_ADDRESS, AddressEntry)),
  },
  strict,
)

const SubnetEntry = Type.Object(about, strict)

/** Prices by currency. */
const Money = Type.Object(
  Object.fromEntries(
    CURRENCIES.map((code) => [code, Type.Optional(Type.Number({ minimum: 0, maximum: 1e15 }))]),
  ),
  strict,
)

const Prices = Type.Object(
  {
    values: Type.Optional(byKey('Current prices, by id and currency', PRICE_ID, Money)),
    history: Type.Optional(
      byKey(
        'Former prices, by id; a price holds from its timestamp until the next one, at most for a day',
        PRICE_ID,
        Type.Array(Type.Object({ timestamp: Type.Integer({ minimum: 0 }), ...Money.properties }, strict), {
          maxItems: 100_000,
        }),
      ),
    ),
    url: Type.Optional(
      Type.String({
        description:
          'Address of a JSON document with current prices by id and currency; it replaces `values`',
        maxLength: 2_048,
        pattern: '^https://[^\\s]+$',
        [EXPECTED]: 'a URL with the scheme https',
      }),
    ),
    refreshSeconds: Type.Optional(
      Type.Integer({
        description: 'Time between two requests for `url`',
        minimum: 5,
        maximum: 86_400,
        default: 60,
      }),
    ),
  },
  strict,
)

/** The operator's metadata file. */
export const MetadataSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    chains: Type.Optional(byKey('EVM chains, by EVM chain id', '^[0-9]{1,20}$', ChainEntry)),
    subnets: Type.Optional(byKey('Subnets, by id in CB58', CB58, SubnetEntry)),
    assets: Type.Optional(
      byKey('Assets of the X-chain, by id in CB58', CB58, Type.Object({ priceId }, strict)),
    ),
    prices: Type.Optional(Prices),
  },
  { ...strict, title: 'Metadata of chains, subnets, tokens, contracts and addresses' },
)

/** Contents of a metadata file. */
export type MetadataFile = Static<typeof MetadataSchema>
export type ChainEntry = Static<typeof ChainEntry>
export type AddressEntry = Static<typeof AddressEntry>
export type SubnetEntry = Static<typeof SubnetEntry>
export type PricesEntry = Static<typeof Prices>
