import { Hex, type Json } from '@firn/codec'
import * as GoJson from '../internal/GoJson.ts'

/** Type of a member in the Data API's genesis object. A function converts the value itself. */
type Form = 'text' | 'number' | 'flag' | 'texts' | Shape | ((value: GoJson.GoJson) => Json.Json | undefined)
interface Shape {
  readonly [member: string]: Form
}

/** The only members that the Data API allows to be null. */
const NULLABLE: readonly string[] = ['airdropAmount', 'baseFeePerGas', 'blobGasUsed', 'excessBlobGas']

const NULLS = Object.fromEntries(NULLABLE.map((name) => [name, null]))

const PRECOMPILE: Shape = {
  blockTimestamp: 'number',
  adminAddresses: 'texts',
  managerAddresses: 'texts',
  enabledAddresses: 'texts',
}

const numbers = (...names: readonly string[]): Shape =>
  Object.fromEntries(names.map((name) => [name, 'number' as const]))
const texts = (...names: readonly string[]): Shape =>
  Object.fromEntries(names.map((name) => [name, 'text' as const]))

/** Types of the members, if present. Source: data-api `Genesis` object. */
const GENESIS: Shape = {
  ...numbers('airdropAmount', 'baseFeePerGas'),
  ...texts('airdropHash', 'blobGasUsed', 'excessBlobGas', 'coinbase', 'difficulty', 'extraData', 'gasLimit'),
  ...texts('gasUsed', 'mixHash', 'nonce', 'number', 'parentHash', 'timestamp'),
  alloc: (value) => mapOf(value, (account) => coerce(account, ACCOUNT)),
  config: {
    ...numbers(
      'berlinBlock',
      'byzantiumBlock',
      'chainId',
      'constantinopleBlock',
      'eip150Block',
      'eip155Block',
    ),
    ...numbers('eip158Block', 'homesteadBlock', 'istanbulBlock', 'londonBlock', 'muirGlacierBlock'),
    ...numbers('petersburgBlock', 'subnetEVMTimestamp'),
    eip150Hash: 'text',
    allowFeeRecipients: 'flag',
    feeConfig: {
      ...numbers('baseFeeChangeDenominator', 'blockGasCostStep', 'gasLimit', 'maxBlockGasCost', 'minBaseFee'),
      ...numbers('minBlockGasCost', 'targetBlockRate', 'targetGas'),
    },
    warpConfig: { ...numbers('blockTimestamp', 'quorumNumerator'), requirePrimaryNetworkSigners: 'flag' },
    txAllowListConfig: PRECOMPILE,
    contractDeployerAllowListConfig: PRECOMPILE,
    contractNativeMinterConfig: PRECOMPILE,
    feeManagerConfig: PRECOMPILE,
    rewardManagerConfig: PRECOMPILE,
  },
}

const ACCOUNT: Shape = {
  balance: 'text',
  code: 'text',
  storage: (value) => mapOf(value, (word) => coerce(word, 'text')),
}

/**
 * Returns the `genesisData` of a chain as in the Data API. For an EVM chain it is the genesis, in which known members
 * are converted to their types: numbers in `config` and for fees, hexadecimal text in the header; members that may be
 * null and are absent are null. Any other JSON is returned as text. Any other bytes, such as the X-chain's genesis, are
 * returned as hexadecimal text.
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { GenesisData } from '@firn/genesis'
 *
 * const json = new TextEncoder().encode('{"config":{"chainId":"43112"},"alloc":{}}')
 * GenesisData.of(json) // { airdropAmount: null, …, config: { chainId: 43112n }, alloc: {} }
 * GenesisData.of(Hex.decode('0x0000')) // '0x0000'
 * ```
 */
export function of(genesisData: Uint8Array): Json.Json {
  const text = GoJson.decodeText(genesisData)
  const value = attempt(text)
  if (value === undefined) return Hex.encode(genesisData)
  const genesis = coerce(value, GENESIS)
  if (genesis === undefined) return text
  return evmChainIdIn(value) === undefined
    ? genesis
    : { ...NULLS, ...(genesis as { readonly [member: string]: Json.Json }) }
}

/**
 * Returns the EVM chain id (`config.chainId`) of a chain's genesis, or undefined if there is none.
 * @example
 * ```ts
 * import { GenesisData } from '@firn/genesis'
 *
 * const genesis = new TextEncoder().encode('{"config":{"chainId":43112}}')
 * GenesisData.evmChainId(genesis) // 43112n
 * ```
 */
export function evmChainId(genesisData: Uint8Array): bigint | undefined {
  const value = attempt(GoJson.decodeText(genesisData))
  return value === undefined ? undefined : evmChainIdIn(value)
}

function evmChainIdIn(value: GoJson.GoJson): bigint | undefined {
  const config = GoJson.isObject(value) ? value['config'] : undefined
  const chainId = GoJson.isObject(config) ? toInteger(config['chainId'] ?? null) : undefined
  return chainId !== undefined && chainId >= 0n ? chainId : undefined
}

function attempt(text: string): GoJson.GoJson | undefined {
  try {
    return GoJson.parse(text)
  } catch {
    return undefined
  }
}

/** Converts a value to the given type. Returns undefined if it cannot be converted. */
function coerce(value: GoJson.GoJson, form: Form): Json.Json | undefined {
  if (typeof form === 'function') return form(value)
  switch (form) {
    case 'text':
      return toText(value)
    case 'number':
      return toInteger(value) ?? (typeof value === 'number' ? value : undefined)
    case 'flag':
      return toFlag(value)
    case 'texts':
      return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined
    default:
      return GoJson.isObject(value) ? coerceMembers(value, form) : undefined
  }
}

function coerceMembers(value: GoJson.GoObject, shape: Shape): Json.Json {
  const members: [string, Json.Json][] = []
  for (const [name, member] of Object.entries(value)) {
    const form = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (member === null) {
      if (shape === GENESIS && NULLABLE.includes(name)) members.push([name, null])
      continue
    }
    const coerced = form === undefined ? (member as Json.Json) : coerce(member, form)
    if (coerced !== undefined) members.push([name, coerced])
  }
  return Object.fromEntries(members)
}

function mapOf(
  value: GoJson.GoJson,
  read: (member: GoJson.GoJson) => Json.Json | undefined,
): Json.Json | undefined {
  if (!GoJson.isObject(value)) return undefined
  const members = Object.entries(value).map(([name, member]) => [name, read(member)] as const)
  return Object.fromEntries(members.filter(([, member]) => member !== undefined)) as Json.Json
}

function toText(value: GoJson.GoJson): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'bigint' && value >= 0n ? `0x${value.toString(16)}` : undefined
}

function toFlag(value: GoJson.GoJson): boolean | undefined {
  if (typeof value === 'boolean') return value
  return value === 'true' || value === 'false' ? value === 'true' : undefined
}

/** Maximum length of a number in text form. A number of 256 bits has at most 78 digits. */
const MAX_DIGITS = 100

function toInteger(value: GoJson.GoJson): bigint | undefined {
  if (typeof value === 'bigint') return value
  const isNumber =
    typeof value === 'string' && value.length <= MAX_DIGITS && /^(0x[0-9a-f]+|\d+)$/i.test(value)
  return isNumber ? BigInt(value.toLowerCase()) : undefined
}
