import { type FirnError, Id } from '@firn/codec'
import type { Refusal } from '@firn/ledger/Verify'
import { AtomicTx } from '@firn/txs'
import * as goTypes from './goTypes.ts'
import { malformed } from './malformed.ts'
import * as reasons from './reasons.ts'

/** Returns the node's words for the refusal of an import or export of the C-chain. */
export function atomic(bytes: Uint8Array, refusal: Refusal): string {
  const { step, error, isHelicon } = refusal
  if (step === 'parse') return malformed(error, isHelicon ? goTypes.ATOMIC_HELICON : goTypes.ATOMIC, bytes)
  const { unsignedTx } = AtomicTx.decode(bytes)
  return isHelicon ? sinceHelicon(unsignedTx, refusal) : beforeHelicon(unsignedTx, refusal)
}

function beforeHelicon(tx: AtomicTx.UnsignedTx, { step, error }: Refusal): string {
  if (step === 'limits') return tooLarge(error)
  const imported = AtomicTx.imported(tx)
  const kind = imported === undefined ? 'export' : 'import'
  if (error.code === 'TXS_FUNDS') return `${kind} tx flow check failed due to: insufficient funds`
  const cause = { type: tx.type, error }
  const words = reasons.atomic(cause) ?? reasons.common(cause) ?? error.message
  if (error.code === 'TXS_CREDENTIAL') return words
  if (step === 'rules') return `${imported === undefined ? '' : itemOfImport(error)}${words}`
  if (imported === undefined)
    return error.code === 'TXS_SIGNATURE' ? `signature doesn't match public key` : words
  if (step === 'imported') return wrongInput(imported.from, error, words)
  return step === 'credentials' ? transferOfImport(words) : words
}

function tooLarge({ details: { unit, actual, maximum } }: FirnError): string {
  return unit === 'bytes'
    ? `tx size (${actual}) exceeds total atomic txs size target (${maximum})`
    : `tx gas usage (${actual}) exceeds maximum allowed mempool gas usage (${maximum})`
}

/** Returns the words for an imported UTXO that is missing, or that the input does not match. */
function wrongInput(from: Uint8Array, error: FirnError, words: string): string {
  if (isMissing(error)) return `failed to fetch import UTXOs from ${Id.format(from)} due to: not found`
  if (error.code === 'TXS_ASSET_ID') return "asset IDs in the input don't match the utxo"
  return transferOfImport(words)
}

function transferOfImport(words: string): string {
  return `import tx transfer failed verification: ${words}`
}

/** Returns what the node's error starts with if an output or input of an import is invalid by itself. */
function itemOfImport({ code, details: { list, expected } }: FirnError): string {
  if (list === undefined || (code === 'TXS_ASSET_ID' && expected !== undefined)) return ''
  return list === 'output' ? 'EVM Output failed verification: ' : 'atomic input failed verification: '
}

function isMissing({ code, details }: FirnError): boolean {
  return code === 'TXS_UTXO' && details['held'] === undefined
}

function sinceHelicon(tx: AtomicTx.UnsignedTx, { step, error }: Refusal): string {
  const { actual, maximum } = error.details
  if (step === 'limits') return `gas exceeds minimum gas target: ${actual} > ${maximum}`
  if (step === 'rules') return `sanity check: ${sanity(tx.type, error)}`
  if (step === 'imported' || step === 'credentials') return `credential verification: ${authority(tx, error)}`
  return reasons.common({ type: tx.type, error }) ?? error.message
}

function sanity(type: string, error: FirnError): string {
  const { code, details } = error
  const { expected, actual, peers, list, item } = details
  if (code === 'TXS_NETWORK_ID') return `wrong network ID: want ${expected}, got ${actual}`
  if (code === 'TXS_BLOCKCHAIN_ID') {
    return Array.isArray(peers)
      ? `not same subnet: want ${peers.join(' or ')}, got ${actual}`
      : `wrong chain ID: want ${expected}, got ${actual}`
  }
  if (code === 'TXS_EMPTY') return `no ${list}`
  if (code === 'TXS_FUNDS') return 'flow check failed: insufficient funds'
  if (code === 'TXS_OVERFLOW') return 'flow check failed: overflow'
  if (code === 'TXS_ASSET_ID' && expected !== undefined)
    return `${list} contains non-AVAX (${item}): want ${expected}, got ${actual}`
  if (code === 'TXS_OUTPUTS_ORDER' && type === 'ImportTx') return 'outputs not sorted and unique'
  const words = reasons.common({ type, error }) ?? error.message
  return item === undefined ? words : `invalid ${list} (${item}): ${words}`
}

function authority(tx: AtomicTx.UnsignedTx, error: FirnError): string {
  const { code, details } = error
  const { expected, actual, item } = details
  const imported = AtomicTx.imported(tx)
  if (code === 'TXS_CREDENTIAL' && expected !== undefined)
    return `incorrect number of credentials: want ${expected}, got ${actual}`
  const words = reasons.common({ type: tx.type, error }) ?? error.message
  if (imported === undefined) {
    if (code === 'TXS_SIGNERS')
      return `incorrect number of signatures (${item}): want 1, got ${details['signatures']}`
    return code === 'TXS_SIGNATURE'
      ? `signature does not match address (${item}): want ${expected}, got ${actual}`
      : `recovering public key (${item}): ${words}`
  }
  if (isMissing(error)) return `fetching UTXOs from ${Id.format(imported.from)}: not found`
  if (code === 'TXS_ASSET_ID')
    return `mismatched asset IDs (${item}): input asset ${actual} does not match UTXO asset ${expected}`
  return `verifying transfer (${item}): ${words}`
}
