import { Hex } from '@firn/codec'
import { EvmContracts, type EvmSnapshot } from '@firn/evm-store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import type { Currency } from '../../metadata/Currency.ts'
import { priceIdOf } from '../../metadata/Metadata.ts'
import type { AddressEntry } from '../../metadata/MetadataSchema.ts'
import { addressText, ZERO_ADDRESS } from '../chain/addressText.ts'
import type { EvmChainSource } from '../chain/EvmContext.ts'
import { textOf } from '../chain/Text.ts'
import { type MethodCall, methodNames, verifiedNames } from '../decoding/verifiedAbis.ts'
import { LOGO } from './ChainInfo.ts'

/** An address. If it is the address of a contract, the contract's name, symbol and decimals are included. */
export const RichAddress = Schema.object(
  'RichAddress',
  'An address. If it is the address of a contract, it has the name, symbol and decimals of the contract.',
  {
    address: Field.evmAddress('Address'),
    name: Schema.optional(
      Schema.text('Name that the contract returns, or that it has in its verified source', 'USD Coin'),
    ),
    symbol: Schema.optional(Schema.text('Symbol of the contract', 'USDC')),
    decimals: Schema.optional(Schema.integer('Number of decimals in which amounts are shown', 6)),
    logoUri: Schema.optional(Schema.text('URL of a logo', LOGO)),
  },
)

/** The contracts among the addresses of an answer. */
export interface Contracts {
  get(address: Uint8Array): EvmContracts.Contract | undefined
  /** Returns what the operator says about an address. */
  about(address: Uint8Array): AddressEntry | undefined
  /** Returns the current price of one token of a contract. */
  price(address: Uint8Array, currency: Currency): number | undefined
  /** Returns an address in the Data API's format. */
  format(address: Uint8Array): Body
  /** Returns the name of a contract. */
  name(address: Uint8Array): string | undefined
  /** Returns the signature of the method that a transaction calls, if it is known. */
  methodName(call: MethodCall): string | undefined
}

/** Looks up which of the given addresses are contracts, and the methods that transactions call. */
export async function contractsAt(
  source: EvmChainSource,
  at: EvmSnapshot,
  addresses: Iterable<Uint8Array | null>,
  calls: readonly MethodCall[] = [],
): Promise<Contracts> {
  const { chain, store, metadata } = source
  const byHex = new Map<string, Uint8Array>()
  for (const address of addresses) if (address !== null) byHex.set(Hex.encodeBare(address), address)
  const found = await EvmContracts.byAddresses(store, at, [...byHex.values()])
  const byAddress = new Map(found.map((contract) => [Hex.encodeBare(contract.address), contract]))
  const [names, methodName] = await Promise.all([
    verifiedNames(source, found, calls),
    methodNames(source, at, calls),
  ])
  // Most answers repeat a few addresses.
  const formatted = new Map<string, Body>()
  const about = (address: Uint8Array) => metadata?.address(chain.chainId, address)
  const name = (address: Uint8Array) => {
    const digits = Hex.encodeBare(address)
    return about(address)?.name ?? textOf(byAddress.get(digits)?.name) ?? names.get(digits)
  }
  return {
    get: (address) => byAddress.get(Hex.encodeBare(address)),
    about,
    methodName,
    name,
    price: (address, currency) => metadata?.price(priceIdOf(about(address) ?? {}), currency),
    format(address) {
      const digits = Hex.encodeBare(address)
      const known = formatted.get(digits)
      if (known !== undefined) return known
      const body = format(address, name(address), byAddress.get(digits), about(address))
      formatted.set(digits, body)
      return body
    },
  }
}

/** Returns the decimals of a contract: 0 for an ERC-20 token without usable ones, so that its amounts are shown unscaled. */
export function decimalsOf(contract: EvmContracts.Contract | undefined): number | undefined {
  return contract?.decimals ?? (contract?.standard === 20 ? 0 : undefined)
}

function format(
  address: Uint8Array,
  name?: string,
  contract?: EvmContracts.Contract,
  about: AddressEntry = {},
): Body {
  return {
    address: addressText(address),
    name,
    symbol: about.symbol ?? textOf(contract?.symbol),
    decimals: decimalsOf(contract),
    logoUri: about.logoUri,
  }
}

/** Returns an address in the Data API's format. If there is none, returns the zero address, which is no contract. */
export function richAddress(address: Uint8Array | null, contracts: Contracts): Body {
  return address === null ? ZERO : contracts.format(address)
}

const ZERO: Body = format(ZERO_ADDRESS)
