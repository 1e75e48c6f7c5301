import { Bytes, type ChainAlias } from '@firn/codec'
import { type Secp256k1, Stakeable, type TransferableInput, Utxo, UtxoId } from '@firn/txs'
import * as Records from '../Records.ts'
import type { Draft } from './Draft.ts'
import { flatHex } from './flatHex.ts'
import { knowsExports, peer } from './peers.ts'
import { refuse } from './refuse.ts'

/**
 * Consumes a UTXO of the chain, or a UTXO that `source` exported to the chain.
 * @throws LedgerError `LEDGER_UTXO` or `LEDGER_SHARED_MEMORY`
 */
export function take(draft: Draft, input: UtxoId.UtxoId, source = draft.chain): Records.Utxo {
  const key = flatHex(UtxoId.inputId(input))
  const found = draft.get('utxo', key)
  if (found === undefined) return refuseMissing(draft, input, source, key)
  if (found.chain !== draft.chain || found.source !== source) {
    const details = { utxo: UtxoId.format(input), chain: found.chain, source: found.source }
    const [expected, actual] = [
      `${source} (spendable on ${draft.chain})`,
      `${found.source} (spendable on ${found.chain})`,
    ]
    refuse(
      'LEDGER_UTXO',
      `expected UTXO ${details.utxo} to come from chain ${expected}, got chain ${actual}`,
      details,
    )
  }
  draft.write('utxo', found, undefined)
  return found
}

function refuseMissing(draft: Draft, input: UtxoId.UtxoId, source: ChainAlias, key: string): never {
  const details = { utxo: UtxoId.format(input), source }
  if (source === draft.chain || draft.isGone('utxo', key)) {
    refuse('LEDGER_UTXO', `UTXO ${details.utxo} not found`, details)
  }
  const text =
    `UTXO ${details.utxo} was not exported yet (apply more blocks of chain ${source} first), ` +
    'or an earlier block already imported it (the block is invalid)'
  return refuse('LEDGER_SHARED_MEMORY', text, details)
}

/**
 * Consumes the UTXO of a transfer. It must have the asset and the amount of the input.
 * @throws LedgerError `LEDGER_UTXO` or `LEDGER_SHARED_MEMORY`
 */
export function spend(
  draft: Draft,
  source: Pick<TransferableInput.TransferableInput<unknown>, 'txID' | 'outputIndex' | 'assetID'>,
  { amount }: Secp256k1.TransferInput,
  from?: ChainAlias,
): void {
  const { utxo } = take(draft, source, from)
  const output = Records.unlocked(utxo.output)
  const held = output.type === 'TransferOutput' ? output.amount : undefined
  if (held === amount && Bytes.equals(utxo.assetID, source.assetID)) return
  const details = { utxo: UtxoId.format(source), held, spent: amount }
  refuse('LEDGER_UTXO', `the input's asset or amount differs from UTXO ${details.utxo}`, details)
}

/**
 * Consumes the UTXOs that a transaction imports, if any. Only notes the import if its inputs are not known.
 * @throws LedgerError `LEDGER_CHAIN`, `LEDGER_UTXO` or `LEDGER_SHARED_MEMORY`
 */
export function takeImported(
  draft: Draft,
  imported: { readonly from: Uint8Array; readonly inputs: readonly Stakeable.In[] } | undefined,
): void {
  if (imported === undefined) return
  const source = peer(draft, imported.from)
  if (!knowsExports(draft.rules, imported.from)) {
    draft.hasUnknownInputs = true
    return
  }
  for (const input of imported.inputs) spend(draft, input, Stakeable.unlockedInput(input.input), source)
}

/**
 * Creates the UTXOs that a transaction exports, if any, on the chain that can import them.
 * @throws LedgerError `LEDGER_CHAIN`
 */
export function putExported(
  draft: Draft,
  exported: { readonly to: Uint8Array; readonly outputs: readonly Stakeable.Out[] } | undefined,
  txId: Uint8Array,
  firstIndex: number,
): void {
  if (exported === undefined) return
  const chain = peer(draft, exported.to)
  for (const utxo of Utxo.of(txId, exported.outputs, firstIndex)) draft.makeUtxo(utxo, 'output', chain)
}
