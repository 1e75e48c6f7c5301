import { type ChainAlias, Hex } from '@firn/codec'
import {
  AtomicBatch,
  AtomicCredentials,
  AtomicTx,
  AvmBlock,
  AvmCredentials,
  AvmTx,
  EvmBlock,
  PlatformBlock,
  PlatformCredentials,
  PlatformTx,
  type Secp256k1,
  UtxoId,
} from '@firn/txs'
import type { LedgerState } from '../LedgerState.ts'

/**
 * Checks the signatures of a block's transactions against the owners in the state before the block, including
 * imports. Returns the number of transactions checked. For tests only.
 */
export function assertSigned(state: LedgerState, chain: ChainAlias, bytes: Uint8Array): number {
  return JUDGES[chain](state, bytes)
}

/** Returns a function that looks up the UTXO that an input spends. */
function utxoOf<U>({ tables }: LedgerState): (id: UtxoId.UtxoId) => U | undefined {
  return (id) => tables.utxo.get(Hex.encodeBare(UtxoId.inputId(id)))?.utxo as U | undefined
}

const JUDGES: Readonly<Record<ChainAlias, (state: LedgerState, bytes: Uint8Array) => number>> = {
  P(state, bytes) {
    const block = PlatformBlock.decode(bytes)
    const signed = PlatformBlock.transactions(block).filter(({ credentials }) => credentials.length > 0)
    for (const tx of signed) {
      const authority = authorityOf(state.tables, tx)
      PlatformCredentials.assertValid(PlatformTx.encode(tx), tx, {
        time: 'time' in block ? block.time : 0n,
        utxo: utxoOf(state),
        ...(authority !== undefined && { authority }),
      })
    }
    return signed.length
  },
  X(state, bytes) {
    const { time, txs } = AvmBlock.decode(bytes)
    for (const tx of txs) AvmCredentials.assertValid(AvmTx.encode(tx), tx, { time, utxo: utxoOf(state) })
    return txs.length
  },
  C(state, bytes) {
    const block = EvmBlock.decode(bytes)
    const txs = AtomicBatch.of(block, 0n)
    const { timestamp: time } = block.header
    for (const tx of txs)
      AtomicCredentials.assertValid(AtomicTx.encode(tx), tx, { time, utxo: utxoOf(state) })
    return txs.length
  },
}

function authorityOf(
  tables: LedgerState['tables'],
  { unsignedTx: tx }: PlatformTx.PlatformTx,
): Secp256k1.OutputOwners | undefined {
  const hex = Hex.encodeBare
  if (tx.type === 'DisableL1ValidatorTx') {
    const owner = tables.l1Validator.get(hex(tx.validationID))?.deactivationOwner
    return owner && { locktime: 0n, ...owner }
  }
  if (tx.type === 'SetAutoRenewedValidatorConfigTx')
    return tables.staker.get(hex(tx.txID))?.autoRenewal?.authority
  if (tx.type === 'AddSubnetValidatorTx') return tables.subnet.get(hex(tx.validator.subnetID))?.owner
  return 'subnetAuthorization' in tx ? tables.subnet.get(hex(tx.subnetID))?.owner : undefined
}
