import { Bytes, type ChainAlias, type FirnError, Id, isFirnError } from '@firn/codec'
import type { Refusal } from '@firn/ledger/Verify'
import { AtomicTx, AvmTx, Owners, PlatformTx, Stakeable, UnsignedTx } from '@firn/txs'
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
  if (chain !== 'P')
    return chain === 'C' && refusal.step === 'parse' ? `problem parsing transaction: ${words}` : words
  return refusal.step === 'parse'
    ? `couldn't parse tx: couldn't parse tx: ${words}`
    : `couldn't issue tx: failed verification: ${words}`
}

const REASONS: { readonly [C in ChainAlias]: (bytes: Uint8Array, refusal: Refusal) => string } = {
  P: platform,
  X: avm,
  C: atomic,
}

/** Returns the words for bytes that are not a transaction. */
function unparsed(bytes: Uint8Array, error: FirnError): string {
  if (error.code === 'CODEC_TRAILING' && 'offset' in error)
    return `trailing buffer space: read ${error.offset} provided ${bytes.length}`
  return reasons.common({ type: '', error }) ?? error.message
}

function platform(bytes: Uint8Array, { step, error }: Refusal): string {
  const { details, message } = error
  if (step === 'parse') return unparsed(bytes, error)
  if (step === 'complexity') {
    const isKnown = error.code === 'TXS_UNSUPPORTED'
    return `failed to calculate tx complexity: ${isKnown ? 'unsupported transaction type' : message}`
  }
  if (step === 'capacity' && error.code === 'TXS_CAPACITY')
    return `tx exceeds current gas capacity: ${details['gas']} > ${details['capacity']}`
  const { unsignedTx } = PlatformTx.decode(bytes)
  const words = platformWords(unsignedTx, step, error)
  return `failed execution: standard tx ${Id.format(PlatformTx.id(bytes))} failed execution: ${words}`
}

const METADATA: readonly string[] = ['TXS_NETWORK_ID', 'TXS_BLOCKCHAIN_ID']

function platformWords(tx: UnsignedTx.UnsignedTx, step: Refusal['step'], error: FirnError): string {
  const { type } = tx
  const cause = { type, error }
  const { details } = error
  if (step === 'spend' || step === 'transfer') {
    const words = step === 'spend' ? spending(tx, error) : undefined
    const inner = words ?? reasons.common(cause) ?? reasons.platform(cause) ?? error.message
    const transfer = step === 'transfer' ? `failed to verify transfer: ${inner}` : inner
    if (FLOW_CHECKED.has(type)) return `flow check failed: ${transfer}`
    return type === 'ExportTx' ? `failed verifySpend: ${transfer}` : transfer
  }
  const bad = OF_PARTS.has(error.code) && 'outputs' in tx && step === 'rules' ? badPart(tx) : undefined
  const words = bad?.words ?? reasons.common(cause) ?? reasons.platform(cause) ?? error.message
  if (bad !== undefined) return `${bad.part} failed verification: ${words}`
  if (step === 'permission') {
    const isOwn = error.code.startsWith('LEDGER_')
    return isOwn ? words : `unauthorized modification: ${words}`
  }
  const isMetadata = METADATA.includes(error.code) || (error.code === 'TXS_MEMO' && details['maximum'] !== 0)
  return step === 'rules' && isMetadata ? `metadata failed verification: ${words}` : words
}

/** Returns the words for an error of the inputs as a whole. */
function spending(tx: UnsignedTx.UnsignedTx, { code, details }: FirnError): string | undefined {
  const { type } = tx
  const { utxo, source, expected, actual } = details
  if (code === 'TXS_UTXO') {
    if (type !== 'ImportTx') return `failed to read consumed UTXO ${utxo} due to: not found`
    return source === 'P' ? `failed to get UTXO ${utxo}: not found` : 'failed to get shared memory: not found'
  }
  if (code === 'LEDGER_CHAIN')
    return isOwnChain(tx, UnsignedTx.imported(tx)?.from) ? 'same chainID' : undefined
  if (code === 'TXS_ASSET_ID') return `input asset ID does not match UTXO asset ID: ${actual} != ${expected}`
  if (code === 'TXS_CREDENTIAL')
    return `wrong number of credentials: ${expected} inputs != ${actual} credentials`
  return undefined
}

/** Codes of errors in single outputs and inputs. */
const OF_PARTS: ReadonlySet<string> = new Set([
  'TXS_NO_VALUE',
  'TXS_OUTPUT_UNSPENDABLE',
  'TXS_OUTPUT_UNOPTIMIZED',
  'TXS_ADDRESSES_ORDER',
  'TXS_INDICES_ORDER',
])

/** Returns the first output or input that is invalid by itself, with the node's words. */
function badPart(tx: {
  readonly outputs?: readonly { readonly output: Stakeable.Output }[]
  readonly inputs?: readonly { readonly input: Stakeable.Input }[]
}): { readonly part: 'output' | 'input'; readonly words: string } | undefined {
  for (const { output } of tx.outputs ?? []) {
    const words = wordsOf('output', () => Owners.assertOutput(Stakeable.unlocked(output)))
    if (words !== undefined) return { part: 'output', words }
  }
  for (const { input } of tx.inputs ?? []) {
    const words = wordsOf('input', () => Owners.assertInput(Stakeable.unlockedInput(input)))
    if (words !== undefined) return { part: 'input', words }
  }
  return undefined
}

function wordsOf(part: string, check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (!isFirnError(error)) throw error
    if (error.code === 'TXS_NO_VALUE') return `${part} has no value`
    return reasons.common({ type: '', error })
  }
}

function isOwnChain(tx: UnsignedTx.UnsignedTx | AvmTx.UnsignedTx, chainId: Uint8Array | undefined): boolean {
  return 'blockchainID' in tx && chainId !== undefined && Bytes.equals(tx.blockchainID, chainId)
}

function avm(bytes: Uint8Array, { step, error }: Refusal): string {
  if (step === 'parse') return unparsed(bytes, error)
  const { unsignedTx } = AvmTx.decode(bytes)
  const cause = { type: unsignedTx.type, error }
  const { inputId } = error.details
  const bad = OF_PARTS.has(error.code) && step === 'rules' ? badPart(unsignedTx) : undefined
  const words = bad?.words ?? reasons.common(cause) ?? reasons.avm(cause)
  if (error.code === 'LEDGER_CHAIN' && isOwnChain(unsignedTx, AvmTx.imported(unsignedTx)?.from))
    return 'same chainID'
  if (step === 'transfer')
    return `failed to verify transfer: ${words ?? (inputId === undefined ? error.message : `failed to get utxo ${inputId}: not found`)}`
  if (step === 'imported') return words ?? (inputId === undefined ? error.message : 'not found')
  // The error does not name the input. Only own inputs have the prefix.
  const isTransfer = step === 'credentials' && unsignedTx.inputs.length > 0
  return `${isTransfer ? 'failed to verify transfer: ' : ''}${words ?? error.message}`
}

function atomic(bytes: Uint8Array, { step, error }: Refusal): string {
  if (step === 'parse') return unparsed(bytes, error)
  const { unsignedTx } = AtomicTx.decode(bytes)
  const imported = AtomicTx.imported(unsignedTx)
  const kind = imported === undefined ? 'export' : 'import'
  if (error.code === 'TXS_FUNDS') return `${kind} tx flow check failed due to: insufficient funds`
  const cause = { type: unsignedTx.type, error }
  const words = reasons.atomic(cause) ?? reasons.common(cause) ?? error.message
  if (error.code === 'TXS_CREDENTIAL') return words
  if (imported === undefined)
    return error.code === 'TXS_SIGNATURE' ? `signature doesn't match public key` : words
  if (step === 'imported' && error.code === 'TXS_UTXO' && error.details['held'] === undefined)
    return `failed to fetch import UTXOs from ${Id.format(imported.from)} due to: not found`
  if (error.code === 'TXS_ASSET_ID' && step === 'imported')
    return "asset IDs in the input don't match the utxo"
  return step === 'credentials' || step === 'imported'
    ? `import tx transfer failed verification: ${words}`
    : words
}
