import type { ChainAlias } from '@firn/codec'
import {
  AtomicBatch,
  AtomicTx,
  AvmBlock,
  AvmTx,
  EvmBlock,
  PlatformBlock,
  PlatformTx,
  UnsignedTx,
  UtxoId,
} from '@firn/txs'
import { flatHex } from './internal/flatHex.ts'
import { knowsExports } from './internal/peers.ts'
import type { Rules } from './internal/Tables.ts'
import type { Windowed } from './internal/Window.ts'

/** A record that a block reads. */
export interface Read {
  readonly table: Windowed
  /** Key of the record, as in {@link Records.KEYS}: the input id of a UTXO or the id of an asset, in hex digits. */
  readonly key: string
  /**
   * Chain that created the UTXO; undefined if unknown, and for assets. A record that is not found counts as absent only
   * if the read names no chain.
   */
  readonly source: ChainAlias | undefined
}

/** The decoded form of a block of each chain. */
export interface Decoded {
  readonly P: PlatformBlock.PlatformBlock
  readonly X: AvmBlock.AvmBlock
  readonly C: EvmBlock.EvmBlock
}

/** Chains other than a given one. */
const OTHERS = { P: ['X', 'C'], X: ['P', 'C'], C: ['P', 'X'] } as const

/**
 * Returns the records that `Ledger.apply` reads for a block from the tables of a windowed state, as far as the block
 * names them.
 * @param bytes the block's bytes, without a proposervm container
 * @param block the decoded bytes, for callers that have decoded them
 * @example
 * ```ts
 * import { type LedgerState, Reads } from '@firn/ledger'
 *
 * declare const state: LedgerState.LedgerState
 * declare const blocks: readonly Uint8Array[] // the next blocks of the P-chain
 * const reads = blocks.flatMap((block) => Reads.of(state.rules, 'P', block))
 * ```
 * @throws CodecError if the bytes are malformed; TxsError `TXS_RLP`, `TXS_EVM_BLOCK`, `TXS_EMPTY`
 */
export function of<Chain extends ChainAlias>(
  rules: Rules,
  chain: Chain,
  bytes: Uint8Array,
  block: Decoded[Chain] = DECODE[chain](bytes),
): Read[] {
  return READS[chain](block, rules)
}

const DECODE: { readonly [Chain in ChainAlias]: (bytes: Uint8Array) => Decoded[Chain] } = {
  P: PlatformBlock.decode,
  X: AvmBlock.decode,
  C: EvmBlock.decode,
}

const READS: { readonly [Chain in ChainAlias]: (block: Decoded[Chain], rules: Rules) => Read[] } = {
  P: (block, rules) => PlatformBlock.transactions(block).flatMap((tx) => ofPlatformTx(rules, tx)),
  X: ({ txs }, rules) => txs.flatMap((tx) => ofAvmTx(rules, tx)),
  C: (block, { constants }) => AtomicBatch.of(block, constants.upgrades.apricotPhase5).flatMap(ofAtomicTx),
}

const READS_OF_TX: { readonly [Chain in ChainAlias]: (bytes: Uint8Array, rules: Rules) => Read[] } = {
  P: (bytes, rules) => ofPlatformTx(rules, PlatformTx.decode(bytes)),
  X: (bytes, rules) => ofAvmTx(rules, AvmTx.decode(bytes)),
  C: (bytes) => ofAtomicTx(AtomicTx.decode(bytes)),
}

/**
 * Returns the records that a single transaction of a chain reads from the tables of a windowed state.
 * @example
 * ```ts
 * import { type LedgerState, Reads } from '@firn/ledger'
 *
 * declare const state: LedgerState.LedgerState
 * declare const bytes: Uint8Array // a signed transaction of the P-chain
 * const inputIds = Reads.ofTransaction(state.rules, 'P', bytes).map(({ key }) => key)
 * ```
 * @throws CodecError if the bytes are malformed
 */
export function ofTransaction(rules: Rules, chain: ChainAlias, bytes: Uint8Array): Read[] {
  return READS_OF_TX[chain](bytes, rules)
}

function ofPlatformTx(rules: Rules, { unsignedTx }: PlatformTx.PlatformTx): Read[] {
  const imported = knownImports(rules, UnsignedTx.imported(unsignedTx))
  const own = 'inputs' in unsignedTx ? unsignedTx.inputs : []
  return [...utxos(own, ['P']), ...utxos(imported, OTHERS.P)]
}

function ofAtomicTx({ unsignedTx }: AtomicTx.AtomicTx): Read[] {
  return utxos(AtomicTx.imported(unsignedTx)?.inputs ?? [], OTHERS.C)
}

/**
 * Returns the records that a transaction of the X-chain reads from the tables of a windowed state.
 * @example
 * ```ts
 * import { type LedgerState, Reads } from '@firn/ledger'
 * import { AvmTx } from '@firn/txs'
 *
 * declare const state: LedgerState.LedgerState
 * declare const bytes: Uint8Array
 * const reads = Reads.ofAvmTx(state.rules, AvmTx.decode(bytes))
 * ```
 * @throws CodecError `CODEC_ID` if the id of an input's transaction is not 32 bytes long
 */
export function ofAvmTx(rules: Rules, { unsignedTx }: AvmTx.AvmTx): Read[] {
  const { inputs, outputs } = unsignedTx
  const { inputs: imported = [] } = AvmTx.imported(unsignedTx) ?? {}
  const exported = AvmTx.exported(unsignedTx)?.outputs ?? []
  const operations = AvmTx.operations(unsignedTx)
  const spent = [...inputs, ...operations.flatMap(({ inputIDs: inputIds }) => inputIds)]
  const moved = [...inputs, ...imported, ...outputs, ...exported, ...operations]
  const assets = new Set(moved.map(({ assetID: assetId }) => flatHex(assetId)))
  return [
    ...utxos(spent, ['X']),
    ...utxos(knownImports(rules, AvmTx.imported(unsignedTx)), OTHERS.X),
    ...[...assets].map((key): Read => ({ table: 'asset', key, source: undefined })),
  ]
}

/** Returns the inputs that a transaction imports, unless they are not known. */
function knownImports(
  rules: Rules,
  imported: { readonly from: Uint8Array; readonly inputs: readonly UtxoId.UtxoId[] } | undefined,
): readonly UtxoId.UtxoId[] {
  return imported !== undefined && knowsExports(rules, imported.from) ? imported.inputs : []
}

function utxos(inputs: readonly UtxoId.UtxoId[], sources: readonly ChainAlias[]): Read[] {
  return inputs.flatMap((input) => {
    const key = flatHex(UtxoId.inputId(input))
    return sources.map((source): Read => ({ table: 'utxo', key, source }))
  })
}
