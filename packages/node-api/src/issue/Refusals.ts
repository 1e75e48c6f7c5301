import { Bytes, type ChainAlias, type FirnError, Id } from '@firn/codec'
import type { Refusal } from '@firn/ledger/Verify'
import { AvmTx, PlatformTx, UnsignedTx } from '@firn/txs'
import { atomic } from './atomicReason.ts'
import * as goTypes from './goTypes.ts'
import { malformed } from './malformed.ts'
import { platformPart } from './platformPart.ts'
import * as reasons from './reasons.ts'

/** P-chain transactions whose input errors the node reports as a failed flow check. */
const FLOW_CHECKED: ReadonlySet<string> = new Set([
  'AddValidatorTx',
  'AddDelegatorTx',
  'AddSubnetValidatorTx',
  'RemoveSubnetValidatorTx',
  'AddPermissionlessValidatorTx',
  'AddPermissionlessDelegatorTx',
  'TransferSubnetOwnershipTx',
  'AddAutoRenewedValidatorTx',
  'SetAutoRenewedValidatorConfigTx',
])

/**
 * Returns the node's words for a refusal, as far as they are known: what the mempool remembers as the reason. For other
 * refusals, the words are Firn's own.
 * @param bytes the signed transaction
 * @example
 * ```ts
 * import { Refusals } from '@firn/node-api'
 *
 * declare const bytes: Uint8Array
 * declare const refusal: Parameters<typeof Refusals.reason>[2]
 * Refusals.reason('P', bytes, refusal) // such as 'failed to calculate tx complexity: unsupported transaction type'
 * ```
 */
export function reason(chain: ChainAlias, bytes: Uint8Array, refusal: Refusal): string {
  return REASONS[chain](bytes, refusal)
}

/**
 * Returns the error text of a transaction's first issue.
 * @example
 * ```ts
 * import { Refusals } from '@firn/node-api'
 *
 * declare const bytes: Uint8Array
 * declare const refusal: Parameters<typeof Refusals.text>[2]
 * Refusals.text('X', bytes, refusal) // such as 'memo exceeds maximum length: 257 > 256'
 * ```
 */
export function text(chain: ChainAlias, bytes: Uint8Array, refusal: Refusal): string {
  const words = reason(chain, bytes, refusal)
  return `${prefixOf(chain, refusal)}${words}`
}

function prefixOf(chain: ChainAlias, { step, isHelicon }: Refusal): string {
  if (chain === 'X') return ''
  if (chain === 'P')
    return step === 'parse'
      ? "couldn't parse tx: couldn't parse tx: "
      : "couldn't issue tx: failed verification: "
  if (isHelicon) return step === 'parse' ? 'parsing tx: ' : 'issuing tx: '
  return step === 'parse' ? 'problem parsing transaction: ' : ''
}

const REASONS: { readonly [C in ChainAlias]: (bytes: Uint8Array, refusal: Refusal) => string } = {
  P: platform,
  X: avm,
  C: atomic,
}

function platform(bytes: Uint8Array, { step, error }: Refusal): string {
  const { details } = error
  if (step === 'parse') return malformed(error, goTypes.PLATFORM, bytes)
  if (step === 'complexity') return complexity(bytes, error)
  if (step === 'capacity' && error.code === 'TXS_CAPACITY')
    return `tx exceeds current gas capacity: ${details['gas']} > ${details['capacity']}`
  const { unsignedTx } = PlatformTx.decode(bytes)
  const words = platformWords(unsignedTx, step, error)
  return `failed execution: standard tx ${Id.format(PlatformTx.id(bytes))} failed execution: ${words}`
}

/** Returns the words for a transaction without a known complexity. A node has parsed its Warp message before. */
function complexity(bytes: Uint8Array, error: FirnError): string {
  const { unsignedTx } = PlatformTx.decode(bytes)
  if ('message' in unsignedTx && error.code !== 'TXS_UNSUPPORTED') {
    const isBitSet = error.code === 'WARP_BIT_SET'
    const words = isBitSet ? 'bitset is invalid' : malformed(error, goTypes.WARP, unsignedTx.message)
    return `failed verifying warp messages: ${words}`
  }
  const { part } = error.details
  if (error.code !== 'TXS_UNSUPPORTED') return `failed to calculate tx complexity: ${error.message}`
  const what = part === 'authorization' ? 'auth' : 'transaction'
  return `failed to calculate tx complexity: unsupported ${what} type`
}

function platformWords(tx: UnsignedTx.UnsignedTx, step: Refusal['step'], error: FirnError): string {
  const { type } = tx
  const cause = { type, error }
  const chain = otherChain(tx, UnsignedTx.exported(tx)?.to ?? UnsignedTx.imported(tx)?.from, error)
  if (chain !== undefined) return chain
  if (step === 'spend' || step === 'transfer') return flow(tx, step, error)
  const words = reasons.platform(cause) ?? reasons.common(cause) ?? error.message
  if (step === 'permission') {
    const isOwn = error.code.startsWith('LEDGER_') || error.details['isMissing'] === true
    return isOwn ? words : `unauthorized modification: ${words}`
  }
  return step === 'rules' ? `${platformPart(type, error.details['part'])}${words}` : words
}

/** Returns the words for an error of the inputs, as a whole or of one of them. */
function flow(tx: UnsignedTx.UnsignedTx, step: 'spend' | 'transfer', error: FirnError): string {
  const { type } = tx
  const cause = { type, error }
  const words = step === 'spend' ? spending(tx, error) : undefined
  const inner = words ?? reasons.common(cause) ?? reasons.platform(cause) ?? error.message
  const transfer = step === 'transfer' ? `failed to verify transfer: ${inner}` : inner
  if (FLOW_CHECKED.has(type)) return `flow check failed: ${transfer}`
  return type === 'ExportTx' ? `failed verifySpend: ${transfer}` : transfer
}

/** Returns the words for a chain that assets cannot be moved to or from, or undefined for other errors. */
function otherChain(
  tx: UnsignedTx.UnsignedTx | AvmTx.UnsignedTx,
  chainId: Uint8Array | undefined,
  { code }: FirnError,
): string | undefined {
  if (code !== 'LEDGER_CHAIN' || chainId === undefined) return undefined
  if ('blockchainID' in tx && Bytes.equals(tx.blockchainID, chainId)) return 'same chainID'
  const name = JSON.stringify(Id.format(chainId))
  return `failed to get subnet of ${name}: problem retrieving blockchain ${name}: not found`
}

/** Returns the words for an error of the inputs as a whole. */
function spending(tx: UnsignedTx.UnsignedTx, { code, details }: FirnError): string | undefined {
  const { type } = tx
  const { utxo, source, expected, actual } = details
  if (code === 'TXS_UTXO') {
    if (type !== 'ImportTx') return `failed to read consumed UTXO ${utxo} due to: not found`
    return source === 'P' ? `failed to get UTXO ${utxo}: not found` : 'failed to get shared memory: not found'
  }
  if (code === 'TXS_ASSET_ID') return `input asset ID does not match UTXO asset ID: ${actual} != ${expected}`
  if (code === 'TXS_CREDENTIAL')
    return `wrong number of credentials: ${expected} inputs != ${actual} credentials`
  return undefined
}

function avm(bytes: Uint8Array, { step, error }: Refusal): string {
  if (step === 'parse') return malformed(error, goTypes.AVM, bytes)
  const { unsignedTx } = AvmTx.decode(bytes)
  const cause = { type: unsignedTx.type, error }
  const { inputId } = error.details
  const words = reasons.avm(cause) ?? reasons.common(cause)
  const chain = otherChain(
    unsignedTx,
    AvmTx.exported(unsignedTx)?.to ?? AvmTx.imported(unsignedTx)?.from,
    error,
  )
  if (chain !== undefined) return chain
  const text = words ?? (inputId === undefined ? error.message : 'not found')
  if (error.details['spender'] !== 'input') return text
  return `failed to verify transfer: ${inputId === undefined ? text : `failed to get utxo ${inputId}: not found`}`
}
