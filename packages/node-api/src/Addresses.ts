import { Address, Id, ShortId } from '@firn/codec'
import { goQuote } from '@firn/http'
import type { NodeContext } from './Context.ts'
import * as BareAddress from './internal/BareAddress.ts'
import * as Bech32Text from './internal/Bech32Text.ts'
import { methodError } from './Service.ts'

/** Context for parsing addresses: the current chain aliases and the network's prefix. */
export type AddressContext = Pick<NodeContext, 'chains' | 'constants'>

/**
 * Parses an address to its 20 bytes. Accepts both of the node's forms: bare cb58, and `<chain>-<bech32>`,
 * where `<chain>` must be an alias of the serving chain. Source: avalanchego
 * `vms/components/avax/addresses.go`, 1cf1fc3d17.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Addresses, type NodeContext } from '@firn/node-api'
 *
 * declare const context: NodeContext
 * const text = 'P-avax1tnuesf6cqwnjw7fxjyk7lhch0vhf0v95wj5jvy'
 * const payload = Addresses.parse(text, Id.EMPTY, context) // 20 bytes
 * ```
 * @throws RpcError `RPC_REMOTE` `couldn't parse address "…": …` with the node's reason
 */
export function parse(text: string, chainId: Uint8Array, context: AddressContext): Uint8Array {
  const bare = BareAddress.parse(text)
  if (bare !== undefined) return bare
  const parsed = parseLocal(text, chainId, context)
  if (typeof parsed !== 'string') return parsed
  throw methodError(`couldn't parse address ${goQuote(text)}: ${parsed}`)
}

/**
 * Parses a list of addresses. Removes duplicates and keeps the order of first appearance.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Addresses, type NodeContext } from '@firn/node-api'
 *
 * declare const context: NodeContext
 * const texts = ['P-avax1tnuesf6cqwnjw7fxjyk7lhch0vhf0v95wj5jvy']
 * const addresses = Addresses.parseAll(texts, Id.EMPTY, context)
 * ```
 * @throws RpcError as {@link parse} does, for the first invalid address
 */
export function parseAll(
  texts: readonly string[],
  chainId: Uint8Array,
  context: AddressContext,
): readonly Uint8Array[] {
  const addresses = new Map<string, Uint8Array>()
  for (const text of new Set(texts)) {
    const address = parse(text, chainId, context)
    const key = ShortId.format(address)
    if (!addresses.has(key)) addresses.set(key, address)
  }
  return [...addresses.values()]
}

/**
 * Formats an address as `<alias>-<bech32>`, with the primary alias of the chain.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Addresses, type NodeContext } from '@firn/node-api'
 *
 * declare const context: NodeContext
 * declare const payload: Uint8Array // 20 bytes
 * Addresses.format(payload, Id.EMPTY, context) // such as 'P-avax1tnuesf6cqwnjw7fxjyk7lhch0vhf0v95wj5jvy'
 * ```
 * @throws CodecError `CODEC_ID` if the id of a chain without aliases is not 32 bytes long
 */
export function format(payload: Uint8Array, chainId: Uint8Array, context: AddressContext): string {
  return Address.format({ chain: context.chains.primaryAlias(chainId), hrp: context.constants.hrp, payload })
}

function parseLocal(
  text: string,
  chainId: Uint8Array,
  { chains, constants }: AddressContext,
): Uint8Array | string {
  const dash = text.indexOf('-')
  if (dash < 0) return 'no separator found in address'
  const decoded = Bech32Text.decode(text.slice(dash + 1))
  if (typeof decoded === 'string') return decoded
  const chain = chains.lookup(text.slice(0, dash))
  if (chain === undefined) return `there is no ID with alias: ${text.slice(0, dash)}`
  if (decoded.hrp !== constants.hrp)
    return `expected hrp ${goQuote(constants.hrp)} but got ${goQuote(decoded.hrp)}`
  const { payload } = decoded
  if (payload.length !== Address.LENGTH)
    return `invalid hash length: expected ${Address.LENGTH} bytes but got ${payload.length}`
  const [own, other] = [Id.format(chainId), Id.format(chain.id)]
  return own === other ? payload : `mismatched chainIDs: expected "${own}" but got "${other}"`
}
