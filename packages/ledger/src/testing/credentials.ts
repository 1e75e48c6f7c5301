import { Hex } from '@firn/codec'
import {
  PlatformBlock,
  PlatformCredentials,
  PlatformTx,
  type PlatformUtxo,
  type Secp256k1,
  UtxoId,
} from '@firn/txs'
import type { LedgerState } from '../LedgerState.ts'

/**
 * Judges the signatures of a block's transactions by the owners that the state before it knows; imports spend what another
 * chain knows. Tells how many were judged. For tests only.
 */
export function assertSigned({ tables }: LedgerState, bytes: Uint8Array): number {
  const block = PlatformBlock.decode(bytes)
  const signed = PlatformBlock.transactions(block).filter(({ credentials, unsignedTx }) => {
    return credentials.length > 0 && unsignedTx.type !== 'ImportTx'
  })
  for (const tx of signed) {
    const authority = authorityOf(tables, tx)
    PlatformCredentials.assertValid(PlatformTx.encode(tx), tx, {
      time: 'time' in block ? block.time : 0n,
      utxo: (id) =>
        tables.utxo.get(Hex.encodeBare(UtxoId.inputId(id)))?.utxo as PlatformUtxo.PlatformUtxo | undefined,
      ...(authority !== undefined && { authority }),
    })
  }
  return signed.length
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
