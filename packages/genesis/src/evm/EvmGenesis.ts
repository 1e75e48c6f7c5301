import { Hex } from '@firn/codec'
import { GenesisError } from '../GenesisError.ts'
import * as Values from '../internal/evmValues.ts'
import * as GoJson from '../internal/GoJson.ts'

/** An account that exists in block 0. */
export interface EvmAccount {
  /** Address of the account, 20 bytes. */
  readonly address: Uint8Array
  /** Balance in wei. */
  readonly balance: bigint
  readonly nonce: bigint
  readonly code: Uint8Array
  readonly storage: readonly { readonly slot: Uint8Array; readonly value: Uint8Array }[]
}

/**
 * The genesis of an EVM chain as defined by its JSON file. Times are in Unix seconds, and fees are in wei.
 */
export interface EvmGenesis {
  /** Members of `config`, as parsed JSON that is not interpreted yet. */
  readonly config: GoJson.GoObject | undefined
  readonly nonce: bigint
  readonly timestamp: bigint
  readonly extraData: Uint8Array
  readonly gasLimit: bigint
  readonly difficulty: bigint
  readonly mixHash: Uint8Array
  readonly coinbase: Uint8Array
  readonly alloc: readonly EvmAccount[]
  readonly number: bigint
  readonly gasUsed: bigint
  readonly parentHash: Uint8Array
  readonly baseFeePerGas: bigint | undefined
  readonly excessBlobGas: bigint | undefined
  readonly blobGasUsed: bigint | undefined
  /** Keccak-256 of the airdrop file (subnet-evm); all zeros without an airdrop. */
  readonly airdropHash: Uint8Array
  readonly airdropAmount: bigint | undefined
}

const HASH = 32
const ADDRESS = 20

/**
 * Parses a genesis from JSON, given as text or bytes, like go-ethereum does. Numbers may be JSON numbers,
 * decimal text or hexadecimal text. Addresses of `alloc` may have the prefix `0x`. Member names match in any
 * case.
 * @example
 * ```ts
 * import { EvmGenesis } from '@firn/genesis'
 *
 * const genesis = EvmGenesis.parse(
 *   '{"config":{"chainId":43112},"gasLimit":"0x5f5e100","difficulty":"0x0","alloc":{}}',
 * )
 * genesis.gasLimit // 100000000n
 * ```
 * @throws GenesisError `GENESIS_JSON`; `GENESIS_EVM_FIELD` if `gasLimit`, `difficulty`, `alloc` or an
 * account's `balance` is missing
 */
export function parse(json: string | Uint8Array): EvmGenesis {
  const text = typeof json === 'string' ? json : GoJson.decodeText(json)
  const root = GoJson.members(GoJson.parse(text), '')
  const config = root.get('config')
  if (config !== undefined && !GoJson.isObject(config)) throw GoJson.malformed('config', 'an object', config)
  return {
    config,
    ...readHeader(root),
    alloc: readAlloc(required(root.get('alloc'), 'alloc')),
    baseFeePerGas: Values.quantity(root, 'baseFeePerGas', 256),
    excessBlobGas: Values.quantity(root, 'excessBlobGas', 64),
    blobGasUsed: Values.quantity(root, 'blobGasUsed', 64),
    airdropHash: Values.fixed(root, 'airdropHash', HASH) ?? new Uint8Array(HASH),
    airdropAmount: Values.quantity(root, 'airdropAmount', 256),
  }
}

function readHeader(root: GoJson.Members) {
  return {
    nonce: Values.quantity(root, 'nonce', 64) ?? 0n,
    timestamp: Values.quantity(root, 'timestamp', 64) ?? 0n,
    extraData: Values.bytes(root, 'extraData') ?? new Uint8Array(0),
    gasLimit: required(Values.quantity(root, 'gasLimit', 64), 'gasLimit'),
    difficulty: required(Values.quantity(root, 'difficulty', 256), 'difficulty'),
    mixHash: Values.fixed(root, 'mixHash', HASH) ?? new Uint8Array(HASH),
    coinbase: Values.fixed(root, 'coinbase', ADDRESS) ?? new Uint8Array(ADDRESS),
    number: Values.quantity(root, 'number', 64) ?? 0n,
    gasUsed: Values.quantity(root, 'gasUsed', 64) ?? 0n,
    parentHash: Values.fixed(root, 'parentHash', HASH) ?? new Uint8Array(HASH),
  }
}

function readAlloc(value: GoJson.GoJson): EvmAccount[] {
  if (!GoJson.isObject(value)) throw GoJson.malformed('alloc', 'an object', value)
  const accounts = new Map<string, EvmAccount>()
  for (const [name, account] of Object.entries(value)) {
    const path = GoJson.at('alloc', name)
    const address = Values.readHex(name, path, ADDRESS, false)
    accounts.set(Hex.encodeBare(address), { address, ...readAccount(account, path) })
  }
  return [...accounts.values()]
}

function readAccount(value: GoJson.GoJson, path: string): Omit<EvmAccount, 'address'> {
  const from = GoJson.members(value, path)
  const storage = from.get('storage') ?? {}
  if (!GoJson.isObject(storage)) throw GoJson.malformed(GoJson.at(path, 'storage'), 'an object', storage)
  return {
    balance: required(Values.quantity(from, 'balance', 256), GoJson.at(path, 'balance')),
    nonce: Values.quantity(from, 'nonce', 64) ?? 0n,
    code: Values.bytes(from, 'code') ?? new Uint8Array(0),
    storage: Object.entries(storage).map(([slot, word]) => ({
      slot: Values.readWord(slot, GoJson.at(path, 'storage')),
      value: Values.readWord(word, GoJson.at(path, slot)),
    })),
  }
}

function required<T>(value: T | undefined, field: string): T {
  if (value !== undefined) return value
  throw new GenesisError('GENESIS_EVM_FIELD', `the EVM genesis has no field ${field}`, {
    details: { field },
  })
}
