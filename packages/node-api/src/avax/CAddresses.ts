import { Address, Bytes, Id } from '@firn/codec'
import { goQuote } from '@firn/http'
import type { NodeContext } from '../Context.ts'
import * as BareAddress from '../internal/BareAddress.ts'
import * as Bech32Text from '../internal/Bech32Text.ts'

/**
 * Implementation of the C-chain: `coreth` before Helicon, `saevm` since Helicon. The two check addresses in a
 * different order and have different error texts.
 */
export type Era = 'coreth' | 'saevm'

/** Checks the chain name or the decoded part of an address. Returns the error text, or undefined if it is valid. */
type Check = (
  chain: string,
  decoded: { readonly hrp: string; readonly payload: Uint8Array },
) => string | undefined

/**
 * Parses an address to its 20 bytes, in the forms that the C-chain's API accepts. Returns the error text if
 * the address is invalid. Source: avalanchego `graft/coreth/plugin/evm/atomic/vm/formatting.go` and
 * `vms/saevm/cchain/api.go`, 1cf1fc3d17.
 */
export function parse(text: string, era: Era, context: NodeContext): Uint8Array | string {
  const bare = BareAddress.parse(text)
  if (bare !== undefined) return bare
  const dash = text.indexOf('-')
  if (dash < 0) return 'no separator found in address'
  const decoded = Bech32Text.decode(text.slice(dash + 1))
  if (typeof decoded === 'string') return decoded
  for (const check of checks(era, context)) {
    const problem = check(text.slice(0, dash), decoded)
    if (problem !== undefined) return problem
  }
  return decoded.payload
}

function checks(era: Era, { chains, constants, genesis }: NodeContext): readonly Check[] {
  const own = genesis.cChain.blockchainId
  const hrp: Check = (_chain, decoded) =>
    decoded.hrp === constants.hrp
      ? undefined
      : `expected hrp ${goQuote(constants.hrp)} but got ${goQuote(decoded.hrp)}`
  const known: Check = (chain) =>
    chains.lookup(chain) === undefined ? `there is no ID with alias: ${chain}` : undefined
  const length: Check = (_chain, { payload }) =>
    payload.length === Address.LENGTH
      ? undefined
      : `invalid hash length: expected ${Address.LENGTH} bytes but got ${payload.length}`
  const here: Check = (chain) => {
    const other = chains.lookup(chain)?.id ?? own
    if (Bytes.equals(other, own)) return undefined
    const [expected, got] = [Id.format(own), Id.format(other)]
    return era === 'coreth'
      ? `expected chainID to be "${expected}" but was "${got}"`
      : `expected chainID "${expected}" but got "${got}"`
  }
  return era === 'coreth' ? [known, hrp, length, here] : [hrp, known, here, length]
}
